#include "calibration/band.hpp"

#include <vector>

#include "numeric/quantile.hpp"

namespace linkgistic {

CalibrationBand::CalibrationBand(const FittedCalibratorState& state, double interval)
    : draws_(state.draws->get(state)) {
  std::vector<double> values;
  for (Index i = 0; i < draws_.nu.cols(); ++i) {
    const auto column = draws_.nu.col(i);
    values.assign(column.begin(), column.end());
    const double lower = quantile(values, (1 - interval) / 2);
    const double upper = quantile(values, (1 + interval) / 2);
    const double tilt = calibration_tilt * draws_.node[static_cast<std::size_t>(i)];
    ends_.push_back({state.link(lower) + tilt, state.link(upper) + tilt});
  }
}

CalibrationBand::Ends CalibrationBand::at(double q) const {
  const auto [cell, share] = draws_.place(q);
  const Ends& a = ends_[cell];
  const Ends& b = ends_[cell + 1];
  return {a.lower + share * (b.lower - a.lower), a.upper + share * (b.upper - a.upper)};
}

}  // namespace linkgistic
