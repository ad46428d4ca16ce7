// The features of an integrated squared trigonometric polynomial.
//
// With theta = pi c (x - origin): Phi = (1, C_0, C_1..C_J, S_1..S_J),
//   C_0 = x - origin,  C_j = int cos(j theta) = sin(j theta)/(pi c j),  S_j = int sin(j theta) = (1 - cos(j
//   theta))/(pi c j).
// Products of features are again harmonics (up to 2J, times 1, x or x^2), so the Gram matrix of N rows is
// made of O(J) sums over rows: Toeplitz plus Hankel.
//
// With a last feature Q = (x - origin)^2/2 they also span the polynomial integrated twice, since
//   int C_j = S_j/(pi c j),  int S_j = (C_0 - C_j)/(pi c j),  int C_0 = Q.
#pragma once

#include <tuple>

#include "source/features.hpp"

namespace linkgistic {

struct HarmonicSums;

class IntegratedHarmonics final : public Features {
 public:
  IntegratedHarmonics() = default;
  /// J harmonics of base frequency c (period 2/c), integrated from `origin`; with or without Q.
  IntegratedHarmonics(int harmonics, double c, double origin = 0, bool with_square = false);

  [[nodiscard]] Index size() const override { return square_index() + (with_square_ ? 1 : 0); }
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

  /// Position of C_j (j >= 0) and S_j (j >= 1) in Phi.
  [[nodiscard]] Index c_index(int j) const { return 1 + j; }
  [[nodiscard]] Index s_index(int j) const { return 1 + harmonics_ + j; }
  /// Position of Q, if there is one.
  [[nodiscard]] Index square_index() const { return 2 + 2 * static_cast<Index>(harmonics_); }
  [[nodiscard]] int harmonics() const { return harmonics_; }
  [[nodiscard]] double origin() const { return origin_; }
  [[nodiscard]] double scale(int j) const;  // 1/(pi c j)

  auto fields() { return std::tie(harmonics_, c_, origin_, with_square_); }

 private:
  /// What Q adds to the sums of the others.
  void add_square(const HarmonicSums& sums, FeatureSums& to) const;

  int harmonics_ = 0;
  double c_ = 1, origin_ = 0;
  bool with_square_ = false;
};

}  // namespace linkgistic
