// A source: a differentiable, increasing function nu of the score, which with a proper loss makes a learned
// loss.
#pragma once

#include <limits>

namespace linkgistic {

class Source {
 public:
  struct Values {
    double value;   ///< nu(x)
    double first;   ///< nu'(x) >= 0
    double second;  ///< nu''(x)
  };

  virtual ~Source() = default;
  [[nodiscard]] virtual Values at(double x) const = 0;
  /// An upper bound of nu' over all x; for nu' = (w'phi)^2 it is sup ||phi||^2 ||w||^2 (Cauchy and Schwarz).
  [[nodiscard]] virtual double slope_bound() const { return std::numeric_limits<double>::infinity(); }
};

/// nu^-1(value) by bisection: exact to rounding for any increasing source, and -+infinity where nu does not
/// come down or up to the value for |x| <= 1e300.
double invert_source(const Source& source, double value);

}  // namespace linkgistic
