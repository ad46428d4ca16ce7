#include "repro/printed_regression.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "inference/learn.hpp"
#include "response/gaussian_moments.hpp"
#include "source/trig_source.hpp"

namespace linkgistic::repro {
namespace {

constexpr double printed_frequency = 0.5;  // c for t in [-1, 1]

struct Units {
  double middle = 0, half = 1, shift = 0, scale = 1;
  [[nodiscard]] double t(double x) const { return (x - middle) / half; }
};

Units units_of(const Rows& train, const std::vector<double>& at) {
  Units u;
  const auto [a, b] = std::minmax_element(train.x.begin(), train.x.end());
  const auto [c, d] = std::minmax_element(at.begin(), at.end());
  const double lower = std::min(*a, *c), upper = std::max(*b, *d);
  u.middle = (lower + upper) / 2;
  u.half = (upper - lower) / 2;
  const auto n = static_cast<double>(train.y.size());
  for (const double y : train.y) u.shift += y / n;
  double square = 0, product = 0;
  for (std::size_t i = 0; i < train.y.size(); ++i) {
    square += std::pow(train.y[i] - u.shift, 2) / n;
    product += (train.y[i] - u.shift) * (train.x[i] - u.middle);
  }
  u.scale = std::sqrt(square);
  if (product < 0) u.half = -u.half;
  return u;
}

}  // namespace

PrintedRegression fit_printed(const Rows& train, const std::vector<double>& at,
                              const PrintedRegressionOptions& options) {
  const Units units = units_of(train, at);
  std::vector<double> t, u;
  for (std::size_t i = 0; i < train.x.size(); ++i) {
    t.push_back(units.t(train.x[i]));
    u.push_back((train.y[i] - units.shift) / units.scale);
  }
  const TrigSource family(options.prior, options.harmonics, printed_frequency);
  const auto moments =
      std::make_shared<GaussianMoments>(family.at(start_theta(family.hyper_parameters())).features);
  moments->add(t, u, {}, 1);
  Problem problem(
      family, [moments](const std::shared_ptr<const Features>&) { return moments; }, SourceRange{-1, 1});
  problem.hyper_priors = options.hyper_priors;
  LearnOptions learning;
  learning.curvature_floor = options.curvature_floor;
  learning.start_draws = options.start_draws;
  learning.stop = options.stop;
  const LaplaceFit fit = learn(problem, learning);
  const GaussianPosterior posterior = laplace_posterior(problem.held(), fit, learning);
  PrintedRegression result;
  result.smallest_eigenvalue = fit.smallest_eigenvalue;
  result.log_evidence = fit.log_evidence;
  result.noise = units.scale * std::exp(-fit.theta[fit.theta.size() - 1] / 2);
  const Vector mode = posterior.point_coefficients(*fit.source.map);
  const Vector mean = posterior.mean_coefficients(*fit.source.map);
  for (const double x : at) {
    const Vector phi = fit.source.features->at(units.t(x));
    result.mode.push_back(units.shift + units.scale * mode.dot(phi));
    result.mean.push_back(units.shift + units.scale * mean.dot(phi));
  }
  return result;
}

}  // namespace linkgistic::repro
