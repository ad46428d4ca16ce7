#include "calibration/draws.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "calibration/fitted.hpp"
#include "source/features.hpp"

namespace linkgistic {
namespace {

constexpr int inner_cells = 128;
constexpr int outer_nodes = 48;

std::vector<double> make_nodes(double lower, double upper) {
  const double range = upper > lower ? upper - lower : 1;
  std::vector<double> q;
  for (int i = outer_nodes; i > 0; --i) q.push_back(lower - range * std::expm1(0.2 * i) / 20);
  for (int i = 0; i <= inner_cells; ++i) {
    const double share = static_cast<double>(i) / inner_cells;
    q.push_back((1 - share) * lower + share * upper);
    if (!(upper > lower)) break;
  }
  for (int i = 1; i <= outer_nodes; ++i) q.push_back(upper + range * std::expm1(0.2 * i) / 20);
  return q;
}

}  // namespace

CalibrationDraws::Place CalibrationDraws::place(double q) const {
  const auto above = static_cast<std::size_t>(std::upper_bound(node.begin(), node.end(), q) - node.begin());
  const std::size_t k = std::clamp<std::size_t>(above, 1, node.size() - 1) - 1;
  return {k, (q - node[k]) / (node[k + 1] - node[k])};
}

CalibrationDraws draw_maps(const FittedCalibratorState& state, CalibrationPosterior posterior) {
  const SourceModel source = bands_source(state);
  CalibrationDraws result;
  result.node = make_nodes(state.q_lower, state.q_upper);
  Matrix phi(source.features->size(), static_cast<Index>(result.node.size()));
  const TangentExtension features(*source.features, state.t(state.q_lower), state.t(state.q_upper));
  for (Index i = 0; i < phi.cols(); ++i) {
    phi.col(i) = features.at(state.t(result.node[static_cast<std::size_t>(i)]));
  }
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
