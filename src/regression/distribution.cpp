// Mean, median, mode and quantiles of a fitted regression, for any of its posteriors.

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "model_file/json_values.hpp"
#include "numeric/quantile.hpp"
#include "regression/fitted.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// The median is the last level.
std::vector<double> levels_and_median(std::span<const double> levels, bool turned) {
  std::vector<double> all(levels.begin(), levels.end());
  for (double& level : all) {
    if (!(level > 0 && level < 1)) {
      throw UsageError("quantile = " + shortest(level) + ": it must be between 0 and 1");
    }
    if (turned) level = 1 - level;
  }
  all.push_back(0.5);
  return all;
}

// (S, places) to modes.
Vector draw_modes(const Matrix& draws) {
  Vector modes(draws.cols());
  for (Index i = 0; i < modes.size(); ++i)
    modes[i] = half_sample_mode({draws.col(i).begin(), draws.col(i).end()});
  return modes;
}

}  // namespace

Distribution FittedMonotoneRegression::distribution(std::span<const double> x, Quantity of,
                                                    std::span<const double> levels) const {
  const FittedRegressionState& s = *state_;
  const bool latent = of == Quantity::latent;
  const Vector eta = s.eta();
  const bool observed = of == Quantity::response;
  const auto all = levels_and_median(levels, !latent && s.scaling.y_scale < 0);
  const Places at = places(s, x);
  const auto* samples = dynamic_cast<const SamplePosterior*>(s.posterior.get());
  Vector mean, mode;
  Matrix quantiles;
  if (latent) {
    const Matrix phi = latent_features(s, at);
    mean = phi.transpose() * s.posterior->estimate();  // linear in g, whose mean this is
    mode = samples != nullptr ? draw_modes(samples->draws().g.transpose() * phi) : mean;
    quantiles = s.posterior->linear_quantiles(phi, all);
  } else {
    const auto curve = [&](const Vector& kappa) {
      return source_values(*s.source.features, at, kappa, s.options.threads);
    };
    mean = curve(s.posterior->mean_coefficients(*s.source.map));
    if (samples != nullptr) {
      Matrix nu(samples->draws().g.cols(), mean.size());
      for (Index i = 0; i < nu.rows(); ++i)
        nu.row(i) = curve(s.source.map->value(samples->draws().g.col(i))).transpose();
      mode = draw_modes(nu);
    } else {
      mode = curve(s.source.map->value(s.posterior->estimate()));
    }
    quantiles = observed ? observation_quantiles(s, RowBlock{x, {}, {}}, at, all)
                         : s.posterior->quantiles(s.source, at, all, s.options.threads);
  }
  const double unit = latent ? latent_unit(s) : 1;
  // Quantiles of an observation are values of y, all others values of nu or f.
  const auto in_units = [&](const Vector& values, bool are_y = false) {
    std::vector<double> result;
    for (const double v : values) result.push_back(latent ? unit * v : are_y ? v : s.mean_y(v, eta));
    return result;
  };
  Distribution result{
      in_units(mean), in_units(quantiles.col(quantiles.cols() - 1), observed), in_units(mode), {}};
  for (Index k = 0; k + 1 < quantiles.cols(); ++k)
    result.quantiles.push_back(in_units(quantiles.col(k), observed));
  return result;
}

}  // namespace linkgistic
