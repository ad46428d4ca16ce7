// What inference returns: something that draws coordinates g = (w, nu0) and has moments.
#pragma once

#include <cstdint>

#include "numeric/quadratic_map.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

class Posterior {
 public:
  virtual ~Posterior() = default;
  /// The most probable coordinates.
  [[nodiscard]] virtual const Vector& mode() const = 0;
  /// (D, count) independent draws, the same for the same seed.
  [[nodiscard]] virtual Matrix draw(Index count, std::uint64_t seed) const = 0;
  /// (P): E kappa, so that E nu(x) = E kappa . Phi(x).
  [[nodiscard]] virtual Vector mean_coefficients(const QuadraticMap& map) const = 0;
  /// Var(kappa . phi), the variance of nu where the features are phi.
  [[nodiscard]] virtual double variance(const QuadraticMap& map, const Vector& phi) const = 0;
};

/// The covariance of kappa under a Gaussian posterior is linear + quadratic (P, P):
/// J Sigma J' of the map linearised at the mode, and tr(kappa''_p Sigma kappa''_q Sigma)/2.
struct SourceCovariance {
  Matrix linear, quadratic;
};

/// N(mode, factor factor').
class GaussianPosterior final : public Posterior {
 public:
  GaussianPosterior(Vector mode, Matrix factor);
  [[nodiscard]] const Vector& mode() const override { return mode_; }
  [[nodiscard]] const Matrix& factor() const { return factor_; }
  [[nodiscard]] Matrix draw(Index count, std::uint64_t seed) const override;
  [[nodiscard]] Vector mean_coefficients(const QuadraticMap& map) const override;
  [[nodiscard]] double variance(const QuadraticMap& map, const Vector& phi) const override;
  [[nodiscard]] SourceCovariance source_covariance(const QuadraticMap& map) const;

 private:
  Vector mode_;
  Matrix factor_;      // (D, free)
  Matrix covariance_;  // (D, D)
};

}  // namespace linkgistic
