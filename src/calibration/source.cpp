#include "calibration/source.hpp"

#include <cmath>
#include <memory>
#include <numbers>

#include "inference/starts.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

// nu = nu0 + a t + sum_j p_j sin(j theta) + q_j (1 - cos(j theta)); coordinates (a, p, q, nu0).
SourceModel linear_source(int harmonics, double c) {
  const auto features = std::make_shared<IntegratedHarmonics>(harmonics, c);
  const Index weights = 1 + 2 * static_cast<Index>(harmonics);
  auto map = std::make_shared<QuadraticMap>(weights + 1, features->size());
  map->add_linear(features->c_index(0), 0, 1.0);
  for (int j = 1; j <= harmonics; ++j) {
    const double unit = std::numbers::pi * c * j;
    map->add_linear(features->c_index(j), j, unit);
    map->add_linear(features->s_index(j), harmonics + j, unit);
  }
  map->add_linear(0, weights, 1.0);
  return {features, map, nullptr, GaussianPrior(weights + 1, 0), nullptr};
}

SourceModel make_model(PriorKind kind, int harmonics, double period) {
  const double c = 2 / period;
  if (kind == PriorKind::gp) return linear_source(harmonics, c);
  const TrigSource family(kind, harmonics, c);
  return family.at(start_theta(family.hyper_parameters()));
}

}  // namespace

CalibrationSource::CalibrationSource(PriorKind kind, int harmonics, double period, double origin,
                                     const CalibrationPrior& prior)
    : kind_(kind),
      harmonics_(harmonics),
      origin_(origin),
      prior_(prior),
      model_(make_model(kind, harmonics, period)) {}

std::span<const double> CalibrationSource::sizes() const {
  if (kind_ == PriorKind::offset) return prior_.offset_sizes;
  if (kind_ == PriorKind::isgp) return prior_.isgp_sizes;
  return prior_.gp_sizes;
}

// Harmonics of variances proportional to rate^-m with sum v.
void CalibrationSource::set_harmonics(GaussianPrior& prior, double rate, double v) const {
  const Index first = kind_ == PriorKind::isgp ? 0 : 1;
  double sum = 0;
  for (int m = 1; m <= harmonics_; ++m) sum += std::pow(rate, -m);
  for (int m = 1; m <= harmonics_; ++m) {
    const double log_precision = -std::log(v * std::pow(rate, -m) / sum);
    prior.log_precision[first + m - 1] = log_precision;
    prior.log_precision[first + harmonics_ + m - 1] = log_precision;
  }
}

SourceModel CalibrationSource::at(double v) const {
  SourceModel model = model_;
  const Index last = model.dimension() - 1;
  model.prior = GaussianPrior(last + 1, 0);
  GaussianPrior& prior = model.prior;
  if (kind_ != PriorKind::isgp) {
    const bool squared = kind_ == PriorKind::offset;
    prior.mean[0] = squared ? std::sqrt(1 - prior_.constant_variance - v) : 1;
    prior.log_precision[0] = -std::log(squared ? prior_.constant_variance : prior_.slope_variance);
  }
  set_harmonics(prior, prior_.decay, v);
  prior.mean[last] = origin_;
  prior.log_precision[last] = -2 * std::log(prior_.level_sd);
  return model;
}

SourceModel CalibrationSource::rough() const {
  SourceModel model = at(sizes().back());
  GaussianPrior& prior = model.prior;
  if (kind_ == PriorKind::offset) {
    prior.mean[0] = std::sqrt(prior_.rough_constant_square);
    prior.log_precision[0] = -std::log(prior_.rough_constant_variance);
    set_harmonics(prior, prior_.rough_decay, prior_.rough_size);
  }
  prior.log_precision[model.dimension() - 1] = -2 * std::log(prior_.rough_level_sd);
  return model;
}

Vector CalibrationSource::start(const SourceModel& source, double lower, double upper) const {
  if (kind_ != PriorKind::isgp) return source.prior.mean;
  constexpr Index grid = 65;
  return project_latent(source, Vector::LinSpaced(grid, lower, upper), Vector::Ones(grid), origin_);
}

}  // namespace linkgistic
