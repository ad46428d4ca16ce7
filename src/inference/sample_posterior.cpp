#include "inference/sample_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "numeric/normal.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// Linear between the order statistics of sorted values.
double sorted_quantile(const Vector& sorted, double level) {
  const double position = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<Index>(position);
  const double next = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (position - static_cast<double>(below)) * (next - sorted[below]);
}

// The y with mean over s of Phi((y - centre_s)/sd_s) = level: Newton's method, kept within a bracket.
double mixture_quantile(const Vector& centre, const Vector& sd, double level) {
  const double mean = centre.mean();
  const double variance = (centre.array() - mean).square().mean() + sd.squaredNorm() / double(sd.size());
  const double spread = std::sqrt(variance);
  if (!std::isfinite(mean) || !std::isfinite(spread)) return std::nan("");
  const double z = normal_quantile(level);
  double lower = (centre + z * sd).minCoeff();
  double upper = (centre + z * sd).maxCoeff();
  double y = std::clamp(mean + z * spread, lower, upper);
  for (int i = 0; i < 60 && upper - lower > 1e-9 * spread; ++i) {
    const Eigen::ArrayXd standard = (y - centre.array()) / sd.array();
    double below = 0;
    for (const double s : standard) below += normal_cdf(s);
    below /= static_cast<double>(standard.size());
    const double density =
        ((-standard.square() / 2).exp() / sd.array()).mean() / std::sqrt(2 * std::numbers::pi);
    (below < level ? lower : upper) = y;
    const double step = (level - below) / density;
    if (std::abs(step) <= 1e-7 * spread) return std::clamp(y + step, lower, upper);
    y = y + step > lower && y + step < upper ? y + step : (lower + upper) / 2;
  }
  return y;
}

}  // namespace

PosteriorDraws thinned(const PosteriorDraws& draws, Index most) {
  const Index n = draws.g.cols();
  const Index every = (n + most - 1) / std::max<Index>(most, 1);
  if (every <= 1) return draws;
  std::vector<Index> kept;
  for (Index s = every - 1; s < n; s += every) kept.push_back(s);
  PosteriorDraws result{draws.g(Eigen::all, kept), {}, {}};
  if (draws.theta.size() > 0) result.theta = draws.theta(Eigen::all, kept);
  if (draws.noise.size() > 0) result.noise = draws.noise(kept);
  return result;
}

SamplePosterior::SamplePosterior(PosteriorDraws draws)
    : draws_(std::move(draws)), mean_(draws_.g.rowwise().mean()) {}

Matrix SamplePosterior::draw(Index count, std::uint64_t seed) const {
  const Index n = draws_.g.cols();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  RandomStream random(seed);
  Matrix result(draws_.g.rows(), count);
  for (Index s = 0; s < count; ++s) {
    // Fisher and Yates, begun anew when the set is used up.
    const auto at = static_cast<std::size_t>(s % n);
    std::swap(order[at], order[at + random.below(order.size() - at)]);
    result.col(s) = draws_.g.col(order[at]);
  }
  return result;
}

Matrix SamplePosterior::coefficients(const QuadraticMap& map) const {
  Matrix kappa(map.outputs(), draws_.g.cols());
  for (Index s = 0; s < kappa.cols(); ++s) kappa.col(s) = map.value(draws_.g.col(s));
  return kappa;
}

Vector SamplePosterior::mean_coefficients(const QuadraticMap& map) const {
  return coefficients(map).rowwise().mean();
}

double SamplePosterior::variance(const QuadraticMap& map, const Vector& phi) const {
  const Vector nu = coefficients(map).transpose() * phi;
  return (nu.array() - nu.mean()).square().sum() / static_cast<double>(std::max<Index>(nu.size() - 1, 1));
}

Matrix SamplePosterior::quantiles(const SourceModel& source, const Places& at, std::span<const double> levels,
                                  double noise, int threads) const {
  constexpr std::size_t block = 64;
  const Matrix kappa = coefficients(*source.map);
  const Vector sd = draws_.noise.size() > 0 ? draws_.noise : Vector::Constant(kappa.cols(), noise);
  Matrix result(static_cast<Index>(at.size()), static_cast<Index>(levels.size()));
  parallel_for((at.size() + block - 1) / block, threads, [&](std::size_t b) {
    const std::size_t first = b * block;
    const std::size_t count = std::min(block, at.size() - first);
    Matrix nu = kappa.transpose() * feature_columns(*source.features, at, first, count);  // (S, count)
    for (Index i = 0; i < nu.cols(); ++i) {
      Vector column = nu.col(i);
      if (noise == 0) std::sort(column.begin(), column.end());
      for (Index k = 0; k < result.cols(); ++k) {
        const double level = levels[static_cast<std::size_t>(k)];
        result(static_cast<Index>(first) + i, k) =
            noise == 0 ? sorted_quantile(column, level) : mixture_quantile(column, sd, level);
      }
    }
  });
  return result;
}

Matrix SamplePosterior::linear_quantiles(const Matrix& a, std::span<const double> levels) const {
  Matrix result(a.cols(), static_cast<Index>(levels.size()));
  for (Index i = 0; i < a.cols(); ++i) {
    Vector values = draws_.g.transpose() * a.col(i);
    std::sort(values.begin(), values.end());
    for (Index k = 0; k < result.cols(); ++k) {
      result(i, k) = sorted_quantile(values, levels[static_cast<std::size_t>(k)]);
    }
  }
  return result;
}

}  // namespace linkgistic
