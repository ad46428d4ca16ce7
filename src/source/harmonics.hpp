// The features of a trigonometric polynomial itself, for a Gaussian process prior on nu:
// Phi = (1, cos theta .. cos J theta, sin theta .. sin J theta), theta = pi c x.
#pragma once

#include "source/features.hpp"

namespace linkgistic {

class Harmonics final : public Features {
 public:
  Harmonics(int harmonics, double c) : harmonics_(harmonics), c_(c) {}

  [[nodiscard]] Index size() const override { return 1 + 2 * static_cast<Index>(harmonics_); }
  void evaluate(double x, VectorRef phi) const override;
  void derivative(double x, VectorRef phi) const override;

  [[nodiscard]] Vector values(std::span<const double> x, const Vector& kappa, int threads) const override;
  [[nodiscard]] Vector slopes(std::span<const double> x, const Vector& kappa, int threads) const override;
  [[nodiscard]] FeatureSums sums(std::span<const double> x, std::span<const double> r,
                                 std::span<const double> h, int threads) const override;
  [[nodiscard]] Vector linear_sum(std::span<const double> x, std::span<const double> r,
                                  int threads) const override;
  [[nodiscard]] Vector quadratic_forms(std::span<const double> x, const Matrix& t,
                                       int threads) const override;

 private:
  [[nodiscard]] std::vector<double> angles(std::span<const double> x) const;

  int harmonics_;
  double c_;
};

}  // namespace linkgistic
