#include "baseline/linear.hpp"

#include <cstddef>

#include "baseline/check_rows.hpp"

namespace linkgistic {

LinearFit fit_linear(const RowBlock& rows) {
  check_rows(rows);
  const auto weight = [&](std::size_t i) { return rows.weight.empty() ? 1.0 : rows.weight[i]; };
  double total = 0;
  double x_mean = 0;
  double y_mean = 0;
  bool constant = true;
  const double* first = nullptr;  // the first x of positive weight
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (weight(i) == 0) continue;
    if (first == nullptr) first = &rows.x[i];
    constant = constant && rows.x[i] == *first;
    total += weight(i);
    x_mean += (rows.x[i] - x_mean) * (weight(i) / total);
    y_mean += (rows.y[i] - y_mean) * (weight(i) / total);
  }
  LinearFit fit;
  if (!constant) {
    // slope = sum w dx dy / sum w dx^2, dx and dy from the means
    double xx = 0;
    double xy = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double dx = rows.x[i] - x_mean;
      xx += weight(i) * dx * dx;
      xy += weight(i) * dx * (rows.y[i] - y_mean);
    }
    fit.slope = xx > 0 ? xy / xx : 0.0;
  }
  fit.intercept = y_mean - fit.slope * x_mean;
  double squares = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double r = (rows.y[i] - y_mean) - fit.slope * (rows.x[i] - x_mean);
    squares += weight(i) * r * r;
  }
  const double parameters = constant ? 1.0 : 2.0;
  fit.residual_variance = total > parameters ? squares / (total - parameters) : 0.0;
  return fit;
}

}  // namespace linkgistic
