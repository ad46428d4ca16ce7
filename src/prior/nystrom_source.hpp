// Sources on the Nystrom basis of the Gaussian kernel k(x, z) = b exp(-(a/2)(x - z)^2).
//
// With n equally spaced points X and the eigenpairs (lambda_i, e_i) of k(X, X)/b, f = sum_i w_i phi_i,
//   phi_i(z) = sqrt(n)/lambda_i e_i . k(X, z)/b,   w_i ~ N(0, b lambda_i/n).
// A product of two kernels is one bump at the midpoint, and equally spaced points have only 2n - 1 midpoints,
// so f^2 integrates to 2n - 1 features where general points would need n (n+1)/2. Eigenvalues below 1e-10 of
// the largest are dropped. The basis moves with a, so the evidence is differentiated by finite differences.
// Priors as in trig_source.hpp; the offset prior gives half of its variance v to the constant.
#pragma once

#include <optional>

#include <linkgistic/source.hpp>

#include "prior/source.hpp"

namespace linkgistic {

class NystromSource final : public SourceFamily {
 public:
  /// Points equally spaced a tenth of the range beyond [lower, upper] to either side.
  NystromSource(PriorKind kind, int points, double lower, double upper,
                std::optional<double> pinned_origin = std::nullopt);

  [[nodiscard]] const std::vector<HyperParameter>& hyper_parameters() const override { return hyper_; }
  [[nodiscard]] SourceModel at(const Vector& theta) const override;
  [[nodiscard]] bool basis_moves() const override { return true; }

 private:
  PriorKind kind_;
  Vector points_;
  std::optional<double> pinned_origin_;
  std::vector<HyperParameter> hyper_;
};

}  // namespace linkgistic
