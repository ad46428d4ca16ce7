#include "calibration/draws.hpp"

#include <cmath>
#include <utility>

#include "calibration/fitted.hpp"
#include "source/places.hpp"

namespace linkgistic {
namespace {

using Numerics = CalibrationNumerics;

std::vector<double> make_nodes(double lower, double upper) {
  const double range = upper > lower ? upper - lower : 1;
  const auto beyond = [&](int i) { return range * std::expm1(Numerics::outer_growth * i) / 20; };
  std::vector<double> q;
  for (int i = Numerics::outer_nodes; i > 0; --i) q.push_back(lower - beyond(i));
  for (int i = 0; i <= Numerics::inner_cells; ++i) {
    const double share = static_cast<double>(i) / Numerics::inner_cells;
    q.push_back((1 - share) * lower + share * upper);
    if (!(upper > lower)) break;
  }
  for (int i = 1; i <= Numerics::outer_nodes; ++i) q.push_back(upper + beyond(i));
  return q;
}

}  // namespace

CalibrationDraws draw_maps(const FittedCalibratorState& state, CalibrationPosterior posterior) {
  const SourceModel source = bands_source(state);
  CalibrationDraws result;
  result.node = make_nodes(state.q_lower, state.q_upper);
  std::vector<double> t;
  for (const double q : result.node) t.push_back(state.t(q));
  const Places at(t, state.t(state.q_lower), state.t(state.q_upper));
  const Matrix phi = feature_columns(*source.features, at, 0, at.size());
  Matrix kappa(source.features->size(), posterior.g.cols());
  for (Index s = 0; s < kappa.cols(); ++s) kappa.col(s) = source.map->value(posterior.g.col(s));
  result.nu = kappa.transpose() * phi;
  result.posterior = std::move(posterior);
  return result;
}

const CalibrationDraws& LazyCalibrationDraws::get(const FittedCalibratorState& state) {
  const std::lock_guard lock(mutex_);
  if (!draws_) draws_ = draw_maps(state, sample_bands(state));
  return *draws_;
}

const CalibrationDraws* LazyCalibrationDraws::made() {
  const std::lock_guard lock(mutex_);
  return draws_ ? &*draws_ : nullptr;
}

}  // namespace linkgistic
