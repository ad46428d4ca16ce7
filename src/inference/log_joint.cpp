#include "inference/log_joint.hpp"

#include <cmath>
#include <numbers>

namespace linkgistic {

LogJoint::LogJoint(const SourceModel& source, const DataTerm& data, const Vector& eta)
    : source_(source), data_(data), eta_(eta), free_(source.prior.free_coordinates()) {
  const Vector log_precision = source.prior.log_precision(free_);
  sd_ = (-0.5 * log_precision).array().exp();
  log_normaliser_ = (log_precision.array() - std::log(2 * std::numbers::pi)).sum() / 2;
}

Vector LogJoint::to_full(const Vector& xi) const {
  Vector g = source_.prior.mean;
  g(free_) += xi.cwiseProduct(sd_);
  return g;
}

Vector LogJoint::to_white(const Vector& g) const {
  return (Vector(g(free_)) - Vector(source_.prior.mean(free_))).cwiseQuotient(sd_);
}

double LogJoint::log_joint(const Vector& g) const { return -value(to_white(g)); }

double LogJoint::value(const Vector& xi) const {
  const Vector kappa = source_.map->value(to_full(xi));
  return xi.squaredNorm() / 2 - log_normaliser_ - data_.value(kappa, eta_);
}

double LogJoint::derivatives(const Vector& xi, Vector& gradient, Matrix& hessian) const {
  const Vector g = to_full(xi);
  const DataDerivatives d = data_.derivatives(source_.map->value(g), eta_);
  const Matrix jac = source_.map->jacobian(g)(Eigen::all, free_);
  const Matrix scaled = jac * sd_.asDiagonal();
  // d/dg sum l = J' r;  d2/dg2 sum l = J' A J + sum_p r_p kappa''_p.
  gradient = xi - scaled.transpose() * d.gradient;
  hessian = -(sd_.asDiagonal() * source_.map->curvature(d.gradient)(free_, free_) * sd_.asDiagonal());
  hessian.noalias() -= scaled.transpose() * (d.curvature * scaled);
  hessian.diagonal().array() += 1;
  return xi.squaredNorm() / 2 - log_normaliser_ - d.value;
}

}  // namespace linkgistic
