// What inference returns: something that draws coordinates g = (w, nu0), has moments, and says where nu, f
// and an observation lie. Three kinds: Laplace's Gaussian, the variational Gaussian, a set of samples.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "numeric/quadratic_map.hpp"
#include "numeric/types.hpp"
#include "response/response.hpp"
#include "source/places.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

class Posterior {
 public:
  virtual ~Posterior() = default;
  /// The central coordinates: the mode (Laplace), or the mean, as `point_estimate` says.
  [[nodiscard]] virtual const Vector& estimate() const = 0;
  /// (D, count) draws, the same for the same seed.
  [[nodiscard]] virtual Matrix draw(Index count, std::uint64_t seed) const = 0;

  /// What the point estimate of nu is: "mode" or "mean".
  [[nodiscard]] virtual std::string_view point_estimate() const = 0;
  /// (P): kappa of the point estimate.
  [[nodiscard]] virtual Vector point_coefficients(const QuadraticMap& map) const = 0;
  /// (P): E kappa, so that E nu(x) = E kappa . Phi(x).
  [[nodiscard]] virtual Vector mean_coefficients(const QuadraticMap& map) const = 0;
  /// Var(kappa . phi), the variance of nu where the features are phi.
  [[nodiscard]] virtual double variance(const QuadraticMap& map, const Vector& phi) const = 0;

  /// (places, levels): quantiles of nu.
  [[nodiscard]] virtual Matrix quantiles(const SourceModel& source, const Places& at,
                                         std::span<const double> levels, int threads) const = 0;
  /// (places, levels): quantiles of a new observation, eta the coordinates of the response's
  /// hyper-parameters. Draws that carry their own use those in their place.
  [[nodiscard]] virtual Matrix observation_quantiles(const SourceModel& source, const Places& at,
                                                     std::span<const double> levels, const Response& response,
                                                     const Vector& eta, int threads) const = 0;
  /// (columns, levels): quantiles of a'g for each column of a (D, columns). f is such a form, and nu' of a
  /// Gaussian process.
  [[nodiscard]] virtual Matrix linear_quantiles(const Matrix& a, std::span<const double> levels) const = 0;
};

/// The covariance of kappa under a Gaussian posterior is linear + quadratic (P, P):
/// J Sigma J' of the map linearised at the mode, and tr(kappa''_p Sigma kappa''_q Sigma)/2.
struct SourceCovariance {
  Matrix linear, quadratic;
};

/// Mean and variance of nu at places.
struct NormalValues {
  Vector mean, variance;
};

/// N(mode, factor factor') about a mode, as Laplace has it. The point estimate is nu at the mode, and
/// quantiles are those of nu linearised there; where f is near 0 that has no variance and the second order
/// takes its place.
class GaussianPosterior : public Posterior {
 public:
  GaussianPosterior(Vector centre, Matrix factor);
  [[nodiscard]] const Vector& estimate() const override { return centre_; }
  [[nodiscard]] const Matrix& factor() const { return factor_; }
  [[nodiscard]] Matrix draw(Index count, std::uint64_t seed) const override;
  [[nodiscard]] std::string_view point_estimate() const override { return "mode"; }
  [[nodiscard]] Vector point_coefficients(const QuadraticMap& map) const override;
  [[nodiscard]] Vector mean_coefficients(const QuadraticMap& map) const override;
  [[nodiscard]] double variance(const QuadraticMap& map, const Vector& phi) const override;
  [[nodiscard]] Matrix quantiles(const SourceModel& source, const Places& at, std::span<const double> levels,
                                 int threads) const override;
  [[nodiscard]] Matrix observation_quantiles(const SourceModel& source, const Places& at,
                                             std::span<const double> levels, const Response& response,
                                             const Vector& eta, int threads) const override;
  [[nodiscard]] Matrix linear_quantiles(const Matrix& a, std::span<const double> levels) const override;
  /// nu as quantiles have it.
  [[nodiscard]] NormalValues normal_at(const SourceModel& source, const Places& at, int threads) const;
  [[nodiscard]] SourceCovariance source_covariance(const QuadraticMap& map) const;

 protected:
  /// Var nu at the places, as the quantiles have it.
  [[nodiscard]] virtual Vector variances(const SourceModel& source, const Places& at, int threads) const;
  /// The covariance of the source's coefficients, computed on first use.
  [[nodiscard]] const SourceCovariance& covariance_of(const SourceModel& source) const;

 private:
  struct Cache;
  Vector centre_;
  Matrix factor_;                 // (D, free)
  Matrix covariance_;             // (D, D)
  std::shared_ptr<Cache> cache_;  // shared by copies
};

/// N(mean, factor factor') that was fitted as a whole, not at a mode: the point estimate is E nu and the
/// variance of nu the exact one, plus that of E kappa where hyper-parameters are uncertain. Draws are of the
/// Gaussian alone.
class VariationalPosterior final : public GaussianPosterior {
 public:
  /// spread (P, any): a root of the covariance that uncertain hyper-parameters give E kappa.
  VariationalPosterior(Vector mean, Matrix factor, Matrix spread = {});
  [[nodiscard]] const Matrix& spread() const { return spread_; }
  [[nodiscard]] std::string_view point_estimate() const override { return "mean"; }
  [[nodiscard]] Vector point_coefficients(const QuadraticMap& map) const override {
    return mean_coefficients(map);
  }
  [[nodiscard]] double variance(const QuadraticMap& map, const Vector& phi) const override;

 protected:
  [[nodiscard]] Vector variances(const SourceModel& source, const Places& at, int threads) const override;

 private:
  Matrix spread_;
};

}  // namespace linkgistic
