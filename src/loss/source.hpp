// A source: a differentiable, increasing function nu of the score, which with a proper loss makes a learned
// loss.
#pragma once

#include <functional>
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

/// A source given by a function.
class FunctionSource final : public Source {
 public:
  explicit FunctionSource(std::function<Values(double)> function,
                          double slope_bound = std::numeric_limits<double>::infinity())
      : function_(std::move(function)), slope_bound_(slope_bound) {}
  [[nodiscard]] Values at(double x) const override { return function_(x); }
  [[nodiscard]] double slope_bound() const override { return slope_bound_; }

 private:
  std::function<Values(double)> function_;
  double slope_bound_;
};

/// nu^-1(value) by bisection: exact to rounding for any increasing source, and -+infinity where nu does not
/// come down or up to the value for |x| <= 1e300.
double invert_source(const Source& source, double value);

}  // namespace linkgistic
