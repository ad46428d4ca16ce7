// The likelihood of one row as a function of the source's value there. A new one is one small file
// (docs/likelihoods.md).
#pragma once

#include <string_view>
#include <vector>

#include "numeric/types.hpp"
#include "prior/hyper_parameter.hpp"

namespace linkgistic {

/// l = log p(y | nu) and its derivatives in nu.
struct LogDensity {
  double value = 0, first = 0, second = 0, third = 0;
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
};

}  // namespace linkgistic
