// Many rows of a smooth increasing curve with faint noise: sums over the rows are huge beside the errors that
// are left.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "numeric/random.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

/// The integral of a squared trigonometric polynomial, standardised, with noise from 1e-5 to 1e-2.
struct FaintNoise {
  std::vector<double> x, y;
  double noise = 0;

  explicit FaintNoise(std::uint64_t seed) : x(3000), y(x.size()) {
    RandomStream random(seed);
    std::vector<double> cosine(static_cast<std::size_t>(1 + random.below(7))), sine(cosine.size());
    for (std::size_t k = 0; k < cosine.size(); ++k) {
      const double size = std::pow(1.5, -static_cast<double>(k) / 2);
      cosine[k] = size * random.normal();
      sine[k] = size * random.normal();
    }
    const auto slope = [&](double at) {
      double f = 0;
      for (std::size_t k = 0; k < cosine.size(); ++k) {
        const double angle = static_cast<double>(k + 1) * std::numbers::pi / 2 * at;
        f += cosine[k] * std::cos(angle) + sine[k] * std::sin(angle);
      }
      return f * f;
    };
    const auto place = [](Index i) { return -1 + 2 * static_cast<double>(i) / cells; };
    for (Index i = 1; i <= cells; ++i)
      curve_[i] = curve_[i - 1] + (slope(place(i)) + slope(place(i - 1))) / cells;
    curve_.array() -= curve_.mean();
    curve_ /= std::sqrt(curve_.squaredNorm() / static_cast<double>(curve_.size()));
    noise = std::pow(10, -5 + 3 * random.uniform());
    for (std::size_t n = 0; n < x.size(); ++n) {
      x[n] = 2 * random.uniform() - 1;
      y[n] = truth(x[n]) + noise * random.normal();
    }
  }

  [[nodiscard]] double truth(double at) const {
    const double cell = (at + 1) / 2 * cells;
    const auto i = std::min(static_cast<Index>(cell), cells - 1);
    return curve_[i] + (cell - static_cast<double>(i)) * (curve_[i + 1] - curve_[i]);
  }

 private:
  static constexpr Index cells = 4000;
  Vector curve_ = Vector::Zero(cells + 1);
};

}  // namespace linkgistic
