// A random source nu(x) = int_0^x f^2 with f a random trigonometric polynomial, E f(x)^2 = 1, so that E nu(x)
// = x.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "loss/source.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

class RandomSource final : public Source {
 public:
  /// Frequencies omega, 2 omega, ...; variances fall by `decay` and add up to 1.
  explicit RandomSource(RandomStream& random, int harmonics = 4, double omega = 0.7, double decay = 1.5)
      : omega_(omega) {
    double total = 0;
    for (int m = 1; m <= harmonics; ++m) total += std::pow(decay, -m);
    for (int m = 1; m <= harmonics; ++m) {
      const double deviation = std::sqrt(std::pow(decay, -m) / total);
      cosine_.push_back(deviation * random.normal());
      sine_.push_back(deviation * random.normal());
    }
  }

  [[nodiscard]] Values at(double x) const override {
    const auto [f, slope] = latent(x);
    return {integral(x), f * f, 2 * f * slope};
  }

  /// sup ||phi||^2 ||w||^2: cos^2 + sin^2 = 1 for each harmonic.
  [[nodiscard]] double slope_bound() const override {
    double norm = 0;
    for (std::size_t m = 0; m < cosine_.size(); ++m) norm += cosine_[m] * cosine_[m] + sine_[m] * sine_[m];
    return static_cast<double>(cosine_.size()) * norm;
  }

 private:
  struct Latent {
    double f;
    double slope;
  };
  [[nodiscard]] Latent latent(double x) const {
    Latent out{0, 0};
    for (std::size_t m = 0; m < cosine_.size(); ++m) {
      const double k = omega_ * static_cast<double>(m + 1);
      out.f += cosine_[m] * std::cos(k * x) + sine_[m] * std::sin(k * x);
      out.slope += k * (sine_[m] * std::cos(k * x) - cosine_[m] * std::sin(k * x));
    }
    return out;
  }
  /// Each product of two harmonics integrated by the formulas for sums and differences of angles.
  [[nodiscard]] double integral(double x) const {
    const auto cosine_of = [x](double k) { return k == 0 ? x : std::sin(k * x) / k; };        // int cos(k z)
    const auto sine_of = [x](double k) { return k == 0 ? 0.0 : (1 - std::cos(k * x)) / k; };  // int sin(k z)
    double sum = 0;
    for (std::size_t m = 0; m < cosine_.size(); ++m)
      for (std::size_t n = 0; n < cosine_.size(); ++n) {
        const double a = omega_ * static_cast<double>(m + 1);
        const double b = omega_ * static_cast<double>(n + 1);
        sum += cosine_[m] * cosine_[n] * (cosine_of(a - b) + cosine_of(a + b)) / 2;
        sum += sine_[m] * sine_[n] * (cosine_of(a - b) - cosine_of(a + b)) / 2;
        sum += 2 * sine_[m] * cosine_[n] * (sine_of(a + b) + sine_of(a - b)) / 2;
      }
    return sum;
  }

  double omega_;
  std::vector<double> cosine_;
  std::vector<double> sine_;
};

}  // namespace linkgistic
