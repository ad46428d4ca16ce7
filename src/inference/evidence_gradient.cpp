// The exact gradient of the Laplace evidence in the hyper-parameters, the movement of the mode included.

#include "inference/laplace.hpp"
#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// What all hyper-parameters share.
class EvidenceGradient {
 public:
  EvidenceGradient(const LogJoint& joint, const Mode& mode, const GuardedCurvature& curvature)
      : joint_(joint),
        prior_(joint.source().prior),
        map_(*joint.source().map),
        free_(joint.free_coordinates()),
        unfloored_(curvature.unfloored),
        kappa_(map_.value(mode.g)),
        jacobian_(map_.jacobian(mode.g)),
        data_(joint.data().derivatives(kappa_, joint.eta())),
        hessian_(mode.whitened_hessian),
        residual_((mode.g - prior_.mean)(free_)) {
    const Vector& sd = joint.prior_sd();
    precision_ = sd.array().square().inverse();
    // G with d log det = tr(G dH), in the unwhitened coordinates; zero rows where clamped.
    g_ = Matrix::Zero(map_.inputs(), map_.inputs());
    g_(free_, free_) = sd.asDiagonal() * curvature.inverse * sd.asDiagonal();
    jacobian_g_ = jacobian_ * g_;
    // u_v = tr(G dH/dg_v)
    //     = -[J' sum l''' (Phi' T Phi) Phi + 2 sum kappa''_{p,i,v} (A J G)_{p,i} + J' A tr(G kappa'')],  T =
    //     J G J'.
    const Vector third = joint.data().third(kappa_, joint.eta(), jacobian_g_ * jacobian_.transpose());
    log_det_slope_ = -(jacobian_.transpose() * (third + data_.curvature * map_.trace(g_)) +
                       2 * map_.contract(data_.curvature * jacobian_g_));
    data_hessian_ = -(jacobian_.transpose() * data_.curvature * jacobian_ + map_.curvature(data_.gradient));
  }

  // The k-th hyper-parameter of the source: it moves the Gaussian prior.
  [[nodiscard]] double of_source(Index k) const {
    const Vector delta = prior_.d_log_precision.col(k)(free_);
    const Vector d_mean = prior_.d_mean.col(k)(free_);
    const Vector pull = precision_.cwiseProduct(residual_);  // precision (g - mean)
    const double log_prior =
        (delta.array() * (1 - pull.array() * residual_.array())).sum() / 2 + pull.dot(d_mean);
    // H moves by diag(precision delta), and the floored directions move with the prior precision itself.
    const double log_det = (g_.diagonal()(free_).array() * precision_.array() * delta.array() +
                            delta.array() * (1 - unfloored_.array()))
                               .sum();
    Vector clamped = Vector::Zero(map_.inputs());
    for (Index i = 0; i < clamped.size(); ++i) {
      if (prior_.clamped(i)) clamped[i] = prior_.d_mean(i, k);
    }
    return total(log_prior, log_det, precision_.cwiseProduct(d_mean) - pull.cwiseProduct(delta), clamped);
  }

  // The k-th hyper-parameter of the likelihood.
  [[nodiscard]] double of_likelihood(Index k) const {
    const DataDerivatives d = joint_.data().hyper_derivatives(kappa_, joint_.eta(), k);
    const double log_det = -(jacobian_g_.cwiseProduct(d.curvature * jacobian_).sum() +
                             map_.curvature(d.gradient).cwiseProduct(g_).sum());
    return total(d.value, log_det, (jacobian_.transpose() * d.gradient)(free_), Vector::Zero(map_.inputs()));
  }

 private:
  // `explicit_value` and `explicit_log_det` at fixed g, `mixed` = d2 log p/dg dtheta of the free coordinates
  // and `clamped` = dg/dtheta of the clamped ones, which pull at the free ones; dg/dtheta = +H^-1 mixed.
  [[nodiscard]] double total(double explicit_value, double explicit_log_det, Vector mixed,
                             const Vector& clamped) const {
    const Vector& sd = joint_.prior_sd();
    mixed -= (data_hessian_ * clamped)(free_);
    Vector dg = clamped;
    dg(free_) = sd.cwiseProduct(hessian_.solve(sd.cwiseProduct(mixed)));
    return explicit_value + data_.gradient.dot(jacobian_ * clamped) -
           (explicit_log_det + log_det_slope_.dot(dg)) / 2;
  }

  const LogJoint& joint_;
  const GaussianPrior& prior_;
  const QuadraticMap& map_;
  const std::vector<Index>& free_;
  const Vector& unfloored_;
  Vector kappa_;
  Matrix jacobian_;         // J (P, D)
  DataDerivatives data_;    // r and A
  SignedCholesky hessian_;  // whitened
  Vector residual_;         // g - mean, free
  Vector precision_;        // of the prior, free
  Matrix g_, jacobian_g_;   // G and J G
  Vector log_det_slope_;    // u (D)
  Matrix data_hessian_;     // of -log likelihood (D, D)
};

}  // namespace

Evidence laplace_evidence_gradient(const LogJoint& joint, const Mode& mode, double floor) {
  const GuardedCurvature curvature = guard_curvature(mode.whitened_hessian, floor);
  Evidence result{laplace_evidence(joint, mode, curvature), curvature.floored, {}};
  const EvidenceGradient gradient(joint, mode, curvature);
  const Index n_source = joint.source().prior.d_mean.cols();
  result.gradient.resize(n_source + joint.eta().size());
  for (Index k = 0; k < result.gradient.size(); ++k) {
    result.gradient[k] = k < n_source ? gradient.of_source(k) : gradient.of_likelihood(k - n_source);
  }
  return result;
}

}  // namespace linkgistic
