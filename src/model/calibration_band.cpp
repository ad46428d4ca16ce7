#include "model/calibration_band.hpp"

#include <vector>

#include "numeric/quantile.hpp"

namespace linkgistic {

CalibrationBand::CalibrationBand(const FittedCalibratorState& state, double interval)
    : draws_(state.draws->get(state)) {
  std::vector<double> values;
  for (Index i = 0; i < draws_.log_odds.cols(); ++i) {
    const auto column = draws_.log_odds.col(i);
    values.assign(column.begin(), column.end());
    const double lower = quantile(values, (1 - interval) / 2);
    ends_.push_back({lower, quantile(values, (1 + interval) / 2)});
  }
}

CalibrationBand::Ends CalibrationBand::at(double q) const {
  const auto [cell, share] = draws_.place(q);
  const Ends& a = ends_[cell];
  const Ends& b = ends_[cell + 1];
  return {a.lower + share * (b.lower - a.lower), a.upper + share * (b.upper - a.upper)};
}

}  // namespace linkgistic
