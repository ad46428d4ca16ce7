// Let F_i(v) be the least cost of rows 1..i given v_i = v. Then F_1(v) = w_1 (v - y_1)^2 and
//   F_{i+1}(v) = w_{i+1} (v - y_{i+1})^2 + min over v - hi_i <= v' <= v - lo_i of F_i(v'),
// with lo_i, hi_i the slope bounds times x_{i+1} - x_i. F_i'/2 is increasing and piecewise linear. The
// minimum moves its part left of the minimiser m_i by lo_i and the part right of it by hi_i and puts 0
// between them; then the line w (v - y) is added. The breakpoints left and right of m_i are two trees. A
// breakpoint may cross m_i many times (two heaps would move it each time, O(n^2) for nearly equal x);
// splitting and joining trees keeps all at O(n log n).
#include "baseline/lipschitz_isotonic.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include <linkgistic/error.hpp>

#include "baseline/breakpoint_tree.hpp"
#include "baseline/sorted_rows.hpp"

namespace linkgistic {
namespace {

using Forest = BreakpointForest;

void check(const LipschitzOptions& options) {
  if (!std::isfinite(options.lower_slope))
    throw UsageError("lower_slope = " + std::to_string(options.lower_slope) + " must be finite");
  if (!(options.upper_slope >= options.lower_slope))
    throw UsageError("upper_slope = " + std::to_string(options.upper_slope) +
                     " must be at least lower_slope = " + std::to_string(options.lower_slope));
}

/// F_i'/2 as two trees of breakpoints around its zero. Each tree's root is its breakpoint next to the zero.
class CostDerivative {
 public:
  /// w (v - y) on [lower, infinity).
  CostDerivative(std::size_t n, double y, double w, double lower)
      : forest_(2 * n + 1), left_slope_(w), right_slope_(w), zero_(std::max(y, lower)) {
    if (!std::isfinite(lower)) return;
    left_slope_ = std::numeric_limits<double>::infinity();
    const double value = w * (lower - y);
    (value <= 0 ? left_ : right_) = forest_.push_right(Forest::none, lower, value);
  }

  [[nodiscard]] double zero() const { return zero_; }

  /// From F_i to F_{i+1}.
  void step(double lo, double hi, double y, double w) {
    left_ = forest_.push_right(left_, zero_, 0.0);
    if (std::isfinite(hi)) {
      right_ = forest_.push_left(right_, zero_, 0.0);
    } else {  // F_i' is 0 right of its zero
      right_ = Forest::none;
      right_slope_ = 0;
    }
    // The line w (v - y), v the position after the move.
    forest_.update(left_, w, w * (lo - y), lo);
    forest_.update(right_, w, w * (hi - y), hi);
    left_slope_ += w;
    right_slope_ += w;
    if (forest_[left_].value > 0) {
      const auto [stay, cross] = forest_.split(left_, 0.0);
      right_ = forest_.leftmost(forest_.join_left(cross, right_));
      left_ = forest_.rightmost(stay);
    } else if (right_ != Forest::none && forest_[right_].value < 0) {
      const auto [cross, stay] = forest_.split(right_, 0.0);
      left_ = forest_.rightmost(forest_.join_right(left_, cross));
      right_ = forest_.leftmost(stay);
    }
    zero_ = find_zero();
  }

 private:
  [[nodiscard]] double find_zero() const {
    if (left_ == Forest::none) return forest_[right_].position - forest_[right_].value / left_slope_;
    if (right_ == Forest::none) return forest_[left_].position - forest_[left_].value / right_slope_;
    const auto& a = forest_[left_];
    const auto& b = forest_[right_];
    const double rise = b.value - a.value;
    if (!(rise > 0)) return a.position;
    return std::clamp(a.position + (b.position - a.position) * (-a.value / rise), a.position,
                      std::max(a.position, b.position));
  }

  Forest forest_;
  Forest::Tree left_ = Forest::none;
  Forest::Tree right_ = Forest::none;
  double left_slope_;   // of F_i'/2 left of all breakpoints
  double right_slope_;  // and right of them
  double zero_;         // m_i
};

}  // namespace

std::vector<double> lipschitz_isotonic(std::span<const double> x, std::span<const double> y,
                                       std::span<const double> weight, const LipschitzOptions& options) {
  check(options);
  const std::size_t n = x.size();
  if (n == 0) return {};
  if (n > std::size_t{1} << 30) throw InputError("lipschitz_isotonic: more than 2^30 rows");
  if (options.lower + options.lower_slope * (x[n - 1] - x[0]) > options.upper)
    throw InputError("lipschitz_isotonic: lower_slope leads from lower past upper over the range of x");
  // Values are kept from the mean of y, so that the breakpoints near the zero are small numbers.
  const double centre = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(n);
  const auto lo = [&](std::size_t i) { return options.lower_slope * (x[i + 1] - x[i]); };
  const auto hi = [&](std::size_t i) { return options.upper_slope * (x[i + 1] - x[i]); };
  std::vector<double> value(n);
  CostDerivative derivative(n, y[0] - centre, weight[0], options.lower - centre);
  value[0] = derivative.zero();
  for (std::size_t i = 1; i < n; ++i) {
    derivative.step(lo(i - 1), hi(i - 1), y[i] - centre, weight[i]);
    value[i] = derivative.zero();
  }
  // v_n = m_n and backwards v_i = m_i clipped to [v_{i+1} - hi_i, v_{i+1} - lo_i]: F_i is convex.
  value[n - 1] = std::min(value[n - 1], options.upper - centre);
  for (std::size_t i = n - 1; i-- > 0;)
    value[i] = std::clamp(value[i], value[i + 1] - hi(i), value[i + 1] - lo(i));
  for (double& v : value) v += centre;
  return value;
}

PiecewiseLinear fit_lipschitz_isotonic(const RowBlock& rows, const LipschitzOptions& options) {
  SortedRows sorted = sort_rows(rows, options.threads);
  std::vector<double> values = lipschitz_isotonic(sorted.x, sorted.y, sorted.weight, options);
  return {std::move(sorted.x), std::move(values)};
}

}  // namespace linkgistic
