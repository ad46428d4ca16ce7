// The likelihood of one row as a function of the source's value there. A new one is one small file
// (docs/likelihoods.md).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "numeric/types.hpp"
#include "source/hyper_parameter.hpp"

namespace linkgistic {

/// l = log p(y | nu) and its derivatives in nu.
struct LogDensity {
  double value = 0, first = 0, second = 0, third = 0;
};

/// constant + linear nu - precision nu^2 / 2.
struct QuadraticDensity {
  double constant = 0, linear = 0, precision = 0;
};

class Likelihood {
 public:
  virtual ~Likelihood() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Hyper-parameters of the likelihood itself; eta below are their coordinates.
  [[nodiscard]] virtual std::vector<HyperParameter> hyper_parameters() const { return {}; }
  [[nodiscard]] virtual LogDensity at(double y, double nu, const Vector& eta) const = 0;
  /// Derivative in eta_i of value, first and second (third is not used).
  [[nodiscard]] virtual LogDensity hyper_derivative(double /*y*/, double /*nu*/, const Vector& /*eta*/,
                                                    Index /*i*/) const {
    return {};
  }
  /// A lower bound of `at(y, nu, eta).value` for every nu; of its family the one that is the greatest in the
  /// mean when E nu^2 = square. Nothing where no such bound is known.
  [[nodiscard]] virtual std::optional<QuadraticDensity> quadratic_bound(double /*y*/, double /*square*/,
                                                                        const Vector& /*eta*/) const {
    return std::nullopt;
  }
};

}  // namespace linkgistic
