#include "classification/bend_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

constexpr double least_bend = 1e-4;
constexpr double most_bend = 0.9;  // of both together

Matrix plus_identity(Matrix m) {
  m.diagonal().array() += 1;
  return m;
}

}  // namespace

BendPrior::BendPrior(std::span<const SourceModel> sources, LinkBend bend) {
  for (const SourceModel& source : sources) mean.push_back(source.prior.mean);
  const Vector& log_precision = sources[0].prior.log_precision;
  const Index weights = log_precision.size() - 1;
  const Vector sd = (-0.5 * log_precision.head(weights).array()).exp();
  const double v = bend.shared + bend.own;
  if (bend.shared > 0) shared_sd = std::sqrt(bend.shared / v) * sd;
  if (bend.own > 0) {
    own_sd.resize(weights + 1);
    own_sd.head(weights) = std::sqrt(bend.own / v) * sd;
    own_sd[weights] = std::exp(-0.5 * log_precision[weights]);
  }
}

BendEvidence::BendEvidence(const LinkPrecision& precision, const LinkHyper& hyper)
    : precision_(precision), hyper_(hyper) {
  if (precision_.joint.size() == 0) return;
  const Index q = precision_.hessian[0].rows();
  rows_ = Matrix::Zero(precision_.joint.rows(), q - 1);
  total_ = Matrix::Zero(q - 1, q - 1);
  for (Index l = 0; l < rows_.rows(); l += q) rows_ += precision_.joint.middleCols(l, q - 1);
  for (Index k = 0; k < rows_.rows(); k += q) total_ += rows_.middleRows(k, q - 1);
}

BendEvidence::Parts BendEvidence::parts(LinkBend bend) const {
  LinkHyper hyper = hyper_;
  hyper.v = bend.own + bend.shared;
  const LinkFamily family(hyper);
  std::vector<SourceModel> sources;
  for (const ClassLink& link : precision_.links) sources.push_back(family.source(family.theta(link.range())));
  const BendPrior prior(sources, bend);
  return precision_.joint.size() > 0 ? together(prior) : by_themselves(prior);
}

BendEvidence::Parts BendEvidence::together(const BendPrior& prior) const {
  const auto classes = static_cast<Index>(precision_.links.size());
  const Index q = precision_.hessian[0].rows();
  const Index shared = prior.shared_sd.size();
  const Index own = prior.own_sd.size();
  Vector b(classes * q), d(classes * q);
  for (Index k = 0; k < classes; ++k) {
    const auto at = static_cast<std::size_t>(k);
    b.segment(k * q, q) = precision_.gradient[at];
    d.segment(k * q, q) = prior.mean[at] - precision_.links[at].posterior().estimate();
  }
  const Vector u = b + precision_.joint * d;
  Vector c = Vector::Zero(shared + classes * own);
  Matrix a(c.size(), c.size());
  if (shared > 0)
    a.topLeftCorner(shared, shared) = prior.shared_sd.asDiagonal() * total_ * prior.shared_sd.asDiagonal();
  for (Index k = 0; k < classes; ++k) {
    if (shared > 0) c.head(shared) += prior.shared_sd.cwiseProduct(u.segment(k * q, shared));
    if (own == 0) continue;
    const Index place = shared + k * own;
    c.segment(place, own) = prior.own_sd.cwiseProduct(u.segment(k * q, q));
    if (shared > 0)
      a.block(place, 0, own, shared) =
          prior.own_sd.asDiagonal() * rows_.middleRows(k * q, q) * prior.shared_sd.asDiagonal();
    for (Index l = 0; l <= k; ++l)
      a.block(place, shared + l * own, own, own) =
          prior.own_sd.asDiagonal() * precision_.joint.block(k * q, l * q, q, q) * prior.own_sd.asDiagonal();
  }
  const Cholesky factor(plus_identity(std::move(a)));
  return {-precision_.loss - 0.5 * d.dot(b + u) + 0.5 * factor.solve_lower(c).squaredNorm(),
          -0.5 * factor.log_determinant()};
}

BendEvidence::Parts BendEvidence::by_themselves(const BendPrior& prior) const {
  const Index shared = prior.shared_sd.size();
  const Index own = prior.own_sd.size();
  Parts result{-precision_.loss, 0};
  Matrix schur = Matrix::Identity(shared, shared);
  Vector common = Vector::Zero(shared);
  for (std::size_t k = 0; k < precision_.links.size(); ++k) {
    const Matrix& h = precision_.hessian[k];
    const Vector d = prior.mean[k] - precision_.links[k].posterior().estimate();
    const Vector u = precision_.gradient[k] + h * d;
    result.density -= 0.5 * d.dot(precision_.gradient[k] + u);
    if (shared > 0) {
      schur += prior.shared_sd.asDiagonal() * h.topLeftCorner(shared, shared) * prior.shared_sd.asDiagonal();
      common += prior.shared_sd.cwiseProduct(u.head(shared));
    }
    if (own == 0) continue;
    const Cholesky factor(plus_identity(prior.own_sd.asDiagonal() * h * prior.own_sd.asDiagonal()));
    const Vector c = factor.solve_lower(Vector(prior.own_sd.cwiseProduct(u)));
    result.density += 0.5 * c.squaredNorm();
    result.volume -= 0.5 * factor.log_determinant();
    if (shared == 0) continue;
    const Matrix cross = factor.solve_lower(
        Matrix(prior.own_sd.asDiagonal() * h.leftCols(shared) * prior.shared_sd.asDiagonal()));
    schur -= cross.transpose() * cross;
    common -= cross.transpose() * c;
  }
  if (shared == 0) return result;
  const Cholesky factor(schur);
  result.density += 0.5 * factor.solve_lower(common).squaredNorm();
  result.volume -= 0.5 * factor.log_determinant();
  return result;
}

LinkBend BendEvidence::better(LinkBend bend) const {
  const double step = std::sqrt(10.0);
  double most = log_evidence(bend);
  for (double LinkBend::*size : {&LinkBend::own, &LinkBend::shared}) {
    if (bend.*size == 0) continue;
    for (const double factor : {step, 1 / step}) {
      bool moved = false;
      for (int i = 0; i < 3; ++i) {
        LinkBend trial = bend;
        trial.*size = std::max(trial.*size * factor, least_bend);
        if (trial == bend || trial.own + trial.shared > most_bend) break;
        const double at = log_evidence(trial);
        if (!(at > most)) break;
        most = at;
        bend = trial;
        moved = true;
      }
      if (moved) break;
    }
  }
  return bend;
}

}  // namespace linkgistic
