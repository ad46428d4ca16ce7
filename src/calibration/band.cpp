#include "calibration/band.hpp"

#include <vector>

#include "numeric/quantile.hpp"

namespace linkgistic {

CalibrationBand::CalibrationBand(const FittedCalibratorState& state, double interval)
    : draws_(state.draws->get(state)) {
  const auto levels = central_levels(interval);
  std::vector<double> values;
  for (Index i = 0; i < draws_.nu.cols(); ++i) {
    const auto column = draws_.nu.col(i);
    values.assign(column.begin(), column.end());
    const double lower = quantile(values, levels[0]);
    const double upper = quantile(values, levels[1]);
    const double tilt = calibration_tilt * draws_.node[static_cast<std::size_t>(i)];
    ends_.push_back({state.link(lower) + tilt, state.link(upper) + tilt});
  }
}

CalibrationBand::Ends CalibrationBand::at(double q) const {
  const KnotPlace place = draws_.place(q);
  const Ends& a = ends_[place.cell];
  const Ends& b = ends_[place.cell + 1];
  return {place.between(a.lower, b.lower), place.between(a.upper, b.upper)};
}

}  // namespace linkgistic
