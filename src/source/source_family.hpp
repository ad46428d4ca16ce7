// A source nu(x) = kappa(g) . Phi(x) with a Gaussian prior on its coordinates g = (w, nu0).
#pragma once

#include <memory>
#include <vector>

#include "numeric/quadratic_map.hpp"
#include "numeric/random.hpp"
#include "numeric/square_form.hpp"
#include "numeric/types.hpp"
#include "source/features.hpp"
#include "source/hyper_parameter.hpp"

namespace linkgistic {

/// g_i ~ N(mean_i, exp(-log_precision_i)), independent. An infinite precision clamps g_i at its mean.
struct GaussianPrior {
  Vector mean;             // (D)
  Vector log_precision;    // (D)
  Matrix d_mean;           // (D, H): derivative in the hyper-parameters' coordinates theta
  Matrix d_log_precision;  // (D, H)

  explicit GaussianPrior(Index dimension = 0, Index hyper = 0);
  [[nodiscard]] bool clamped(Index i) const;
  /// The coordinates that are not clamped.
  [[nodiscard]] std::vector<Index> free_coordinates() const;
  /// A draw from the prior.
  [[nodiscard]] Vector draw(RandomStream& random) const;
};

/// The functions whose combination with the weights is f: f(x) = w . phi(x).
class Basis {
 public:
  virtual ~Basis() = default;
  [[nodiscard]] virtual Index size() const = 0;
  virtual void evaluate(double x, VectorRef phi) const = 0;
};

/// A source for given hyper-parameters. The last coordinate is nu0.
struct SourceModel {
  std::shared_ptr<const Features> features;
  std::shared_ptr<const QuadraticMap> map;
  std::shared_ptr<const Basis> basis;  // of f; null when nu itself is the Gaussian process
  GaussianPrior prior;
  std::shared_ptr<const SquareForm> squares =
      nullptr;  // of the map, where its structure gives a short one; else null

  [[nodiscard]] Index dimension() const { return map->inputs(); }
  /// f(x), or 0 where there is no f.
  [[nodiscard]] double latent(double x, const Vector& g) const;
};

/// A source whose hyper-parameters are free.
class SourceFamily {
 public:
  virtual ~SourceFamily() = default;
  [[nodiscard]] virtual const std::vector<HyperParameter>& hyper_parameters() const = 0;
  [[nodiscard]] virtual SourceModel at(const Vector& theta) const = 0;
  /// at(theta).prior. A family that is sampled from overrides it by something faster.
  [[nodiscard]] virtual GaussianPrior prior_at(const Vector& theta) const { return at(theta).prior; }
  /// Whether the hyper-parameters move features and map, not only the Gaussian prior.
  [[nodiscard]] virtual bool basis_moves() const = 0;
};

}  // namespace linkgistic
