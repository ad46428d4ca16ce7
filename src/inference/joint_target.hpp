// log p(D, g, theta) of the source's coordinates and the learned hyper-parameters together, with its
// gradient, in coordinates that suit a sampler.
//
// A chain moves x = (c, theta): for each free coordinate
//   g_i = m_i + s_i^(1 - centring_i) (c_i - centring_i m_i),   m_i, s_i the prior mean and deviation at
//   theta.
// centring 1 is g itself, best where the data determine g_i; 0 is the whitened coordinate, independent of
// theta a priori, best where they do not (O. Papaspiliopoulos, G. Roberts and M. Skoeld, A general framework
// for the parametrization of hierarchical models, 2007). Without learned hyper-parameters all are the same.
#pragma once

#include <vector>

#include "likelihood/data_term.hpp"
#include "numeric/nuts.hpp"
#include "prior/source.hpp"

namespace linkgistic {

class JointTarget final : public LogTarget {
 public:
  /// theta: all hyper-parameters, the source's then the likelihood's; `learned` are sampled, the others held.
  /// centring: (free coordinates). The references must outlive the object. Where the basis moves with its
  /// hyper-parameters those must be held.
  JointTarget(const SourceFamily& family, const DataTerm& data, const std::vector<HyperParameter>& hyper,
              const Vector& theta, const std::vector<bool>& learned, Vector centring);

  [[nodiscard]] Index dimension() const override;
  double value_and_gradient(const Vector& x, Vector& gradient) const override;

  [[nodiscard]] Index free_dimension() const { return static_cast<Index>(free_.size()); }
  [[nodiscard]] const std::vector<Index>& learned() const { return learned_; }
  /// All hyper-parameters at x.
  [[nodiscard]] Vector theta(const Vector& x) const;
  /// The source's coordinates at x.
  [[nodiscard]] Vector g(const Vector& x) const;
  [[nodiscard]] Vector coordinates(const Vector& g, const Vector& theta) const;

 private:
  [[nodiscard]] SourceModel source(const Vector& theta) const;
  // The whitened coordinates of c.
  [[nodiscard]] Vector whitened(const Vector& c, const GaussianPrior& prior) const;

  const SourceFamily& family_;
  const DataTerm& data_;
  const std::vector<HyperParameter>& hyper_;
  Vector theta_;
  std::vector<Index> learned_;
  Index n_source_;
  SourceModel held_;     // at theta_
  bool source_learned_;  // whether the source moves with x
  bool eta_learned_;
  std::vector<Index> free_;
  Vector centring_;
};

}  // namespace linkgistic
