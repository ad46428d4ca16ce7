// The inverse link u of a Tron, from a score z to a probability: the logistic curve or a fitted function.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "numeric/interpolate.hpp"

namespace linkgistic {

/// Before anything is fitted u(z) = sigmoid(4 z), the steepest logistic curve that is 1-Lipschitz. A fitted u
/// is linear between its knots; outside of them it is constant, or that curve through the end knots,
/// sigmoid(4 (z - z_n) + logit u_n).
class TronLink {
 public:
  static constexpr double steepness = 4;
  enum class Outside { constant, logistic };

  TronLink() = default;
  /// Values in [0, 1].
  explicit TronLink(PiecewiseLinear fitted, Outside outside = Outside::constant);

  /// The curve of a fitted link.
  [[nodiscard]] const PiecewiseLinear& curve() const { return *fitted_; }

  /// u(z) in [0, 1].
  [[nodiscard]] double operator()(double z) const;
  [[nodiscard]] std::vector<double> operator()(std::span<const float> z, int threads) const;
  /// log(u/(1 - u)); infinite where u is 0 or 1.
  [[nodiscard]] double log_odds(double z) const;

  /// u^-1 and the derivative of u there, for a u that increases strictly between its knots and is logistic
  /// outside. Within 1e-12 of 0 and 1 it is taken at that distance, where it is finite.
  struct Inverse {
    double z;
    double slope;
  };
  [[nodiscard]] Inverse inverse(double p) const;

 private:
  std::optional<PiecewiseLinear> fitted_;
  Outside outside_ = Outside::constant;
};

}  // namespace linkgistic
