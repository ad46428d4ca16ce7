// A function of one variable by its values at increasing knots: linear between them, constant outside.
#pragma once

#include <span>
#include <vector>

namespace linkgistic {

class PiecewiseLinear {
 public:
  /// Knots strictly increasing, one value each, at least one.
  PiecewiseLinear(std::vector<double> knots, std::vector<double> values);

  [[nodiscard]] std::span<const double> knots() const { return knots_; }
  [[nodiscard]] std::span<const double> values() const { return values_; }

  [[nodiscard]] double operator()(double x) const;
  [[nodiscard]] std::vector<double> operator()(std::span<const double> x) const;

 private:
  std::vector<double> knots_;
  std::vector<double> values_;
};

}  // namespace linkgistic
