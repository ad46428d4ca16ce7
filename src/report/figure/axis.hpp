// The range of an axis and the numbers along it.
#pragma once

#include <optional>
#include <vector>

#include "report/figure/canvas.hpp"
#include "report/figure/figure.hpp"

namespace linkgistic {

/// Whether a value has a place on an axis: finite, at most 1e300 in magnitude, positive if the axis is
/// logarithmic.
bool on_axis(double value, bool log);

/// The smallest range that holds the values given to it.
class AxisExtent {
 public:
  explicit AxisExtent(bool log) : log_(log) {}
  void add(double value);
  void add(const std::vector<double>& values);
  /// Keeps the end at zero free of a margin: the axis of bars.
  void add_base() { add(0.0), base_ = true; }
  /// With a margin of `margin` times its length at both ends; [0, 1] (log: [1, 10]) when nothing was added.
  Range padded(double margin) const;

 private:
  bool log_;
  bool base_ = false;
  std::optional<Range> range_;
};

struct Tic {
  double value;
  Words label;
};

/// Round numbers in the range, about `wished` of them. Logarithmic axes have powers of ten or, where the
/// range is short, 1, 2, 5 times powers of ten; within less than a factor of three, evenly spaced numbers.
std::vector<Tic> tics(Range range, bool log, double wished);

}  // namespace linkgistic
