// Sources for the tests of the losses.
#pragma once

#include <functional>
#include <limits>
#include <utility>

#include "loss/source.hpp"

namespace linkgistic {

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

}  // namespace linkgistic
