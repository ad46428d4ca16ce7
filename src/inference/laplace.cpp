#include "inference/laplace.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

namespace linkgistic {

Mode find_mode(const LogJoint& joint, const Vector& start, const NewtonOptions& options) {
  const NewtonResult newton = minimise_newton(joint, joint.to_white(start), options);
  return {joint.to_full(newton.x), -newton.value,     newton.hessian,
          newton.gradient.norm(),  newton.iterations, newton.stop};
}

GuardedCurvature guard_curvature(const Matrix& h, double floor) {
  const Index d = h.rows();
  GuardedCurvature result;
  const Matrix identity = Matrix::Identity(d, d);
  if (Eigen::LLT<Matrix>(h - floor * identity).info() == Eigen::Success) {
    const Eigen::LLT<Matrix> llt(h);
    result.log_det = 2 * Matrix(llt.matrixL()).diagonal().array().log().sum();
    result.inverse = llt.solve(identity);
    result.unfloored = Vector::Ones(d);
    return result;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(h);
  const Vector& e = eigen.eigenvalues();
  const auto above = (e.array() > floor).cast<double>();
  const Matrix& u = eigen.eigenvectors();
  result.log_det = e.cwiseMax(floor).array().log().sum();
  result.inverse = u * (above / e.array().max(floor)).matrix().asDiagonal() * u.transpose();
  result.unfloored = (u * above.matrix().asDiagonal() * u.transpose()).diagonal();
  result.floored = static_cast<int>(d - above.sum());
  return result;
}

namespace {

// log p(D, g) + (d/2) log 2 pi - (1/2)(log det of the prior precision + log det of the whitened Hessian).
double evidence_value(const LogJoint& joint, const Mode& mode, const GuardedCurvature& curvature) {
  const double d = static_cast<double>(joint.free_coordinates().size());
  const double log_det = curvature.log_det - 2 * joint.prior_sd().array().log().sum();
  return mode.log_joint + (d * std::log(2 * std::numbers::pi) - log_det) / 2;
}

}  // namespace

double laplace_evidence(const LogJoint& joint, const Mode& mode, double floor) {
  return evidence_value(joint, mode, guard_curvature(mode.whitened_hessian, floor));
}

Evidence laplace_evidence_gradient(const LogJoint& joint, const Mode& mode, double floor) {
  const GuardedCurvature curvature = guard_curvature(mode.whitened_hessian, floor);
  Evidence result{evidence_value(joint, mode, curvature), curvature.floored, {}};

  const SourceModel& source = joint.source();
  const QuadraticMap& map = *source.map;
  const GaussianPrior& prior = source.prior;
  const auto& free = joint.free_coordinates();
  const Vector& sd = joint.prior_sd();
  const Index dim = source.dimension();
  const Vector kappa = map.value(mode.g);
  const Matrix jac = map.jacobian(mode.g);
  const DataDerivatives data = joint.data().derivatives(kappa, joint.eta());

  // G with d log det = tr(G dH), in the unwhitened coordinates; zero rows where clamped.
  Matrix g_inverse = Matrix::Zero(dim, dim);
  g_inverse(free, free) = sd.asDiagonal() * curvature.inverse * sd.asDiagonal();

  // u_v = tr(G dH/dg_v) = -[J' sum l''' (Phi' T Phi) Phi + 2 sum kappa''_{p,i,v} (A J G)_{p,i} + J' A tr(G
  // kappa'')], T = J G J'.
  const Matrix jac_g = jac * g_inverse;
  const Vector third = joint.data().third(kappa, joint.eta(), jac_g * jac.transpose());
  const Vector u = -(jac.transpose() * (third + data.curvature * map.trace(g_inverse)) +
                     2 * map.contract(data.curvature * jac_g));

  // Hessian of -log likelihood, for the clamped coordinates' pull on the free ones.
  const Matrix h_data = -(jac.transpose() * data.curvature * jac + map.curvature(data.gradient));
  const Eigen::LDLT<Matrix> hessian(mode.whitened_hessian);
  const Vector residual = (mode.g - prior.mean)(free);
  const Vector precision = sd.array().square().inverse();
  const Vector gradient_g = jac.transpose() * data.gradient;  // of the log likelihood

  // One hyper-parameter: `explicit_value` and `explicit_log_det` at fixed g, `mixed` = d2 log p/dg dtheta
  // (free), and `clamped` = dg/dtheta of the clamped coordinates.
  const auto total = [&](double explicit_value, double explicit_log_det, Vector mixed,
                         const Vector& clamped) {
    mixed -= (h_data * clamped)(free);
    Vector dg = clamped;
    dg(free) = sd.cwiseProduct(hessian.solve(sd.cwiseProduct(mixed)));
    return explicit_value + gradient_g.dot(clamped) - (explicit_log_det + u.dot(dg)) / 2;
  };

  const Index n_source = prior.d_mean.cols();
  const Index n_eta = joint.eta().size();
  result.gradient.resize(n_source + n_eta);
  for (Index k = 0; k < n_source; ++k) {
    const Vector delta = prior.d_log_precision.col(k)(free);
    const Vector d_mean = prior.d_mean.col(k)(free);
    const Vector pull = precision.cwiseProduct(residual);  // precision (g - mean)
    const double log_prior =
        (delta.array() * (1 - pull.array() * residual.array())).sum() / 2 + pull.dot(d_mean);
    // H moves by diag(precision delta), and the floored directions move with the prior precision itself.
    const double log_det = (g_inverse.diagonal()(free).array() * precision.array() * delta.array() +
                            delta.array() * (1 - curvature.unfloored.array()))
                               .sum();
    Vector clamped = Vector::Zero(dim);
    for (Index i = 0; i < dim; ++i) {
      if (prior.clamped(i)) clamped[i] = prior.d_mean(i, k);
    }
    result.gradient[k] =
        total(log_prior, log_det, precision.cwiseProduct(d_mean) - pull.cwiseProduct(delta), clamped);
  }
  for (Index k = 0; k < n_eta; ++k) {
    const DataDerivatives d = joint.data().hyper_derivatives(kappa, joint.eta(), k);
    const double log_det = -(jac_g.cwiseProduct(d.curvature * jac).sum() +
                             map.curvature(d.gradient).cwiseProduct(g_inverse).sum());
    result.gradient[n_source + k] =
        total(d.value, log_det, (jac.transpose() * d.gradient)(free), Vector::Zero(dim));
  }
  return result;
}

}  // namespace linkgistic
