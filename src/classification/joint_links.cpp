#include "classification/joint_links.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/parallel.hpp"
#include "source/source_curve.hpp"

namespace linkgistic {

std::shared_ptr<const LossTable> tabulate_link(const ScoreRange& range, const SourceModel& source,
                                               const Vector& kappa) {
  const double half = range.half();
  // Margins are in single precision: a finer grid would be useless.
  const double least = std::ldexp(std::max(std::abs(range.lower), std::abs(range.upper)), -20);
  const int k = static_cast<int>(std::ceil(-std::log2(std::max(half / 512, least))));
  const double h = std::ldexp(1.0, -k);
  const double first = std::floor(range.lower / h);
  const auto nodes = static_cast<std::size_t>(std::ceil(range.upper / h) - first) + 1;
  std::vector<double> t(nodes);
  for (std::size_t i = 0; i < nodes; ++i)
    t[i] = ((first + static_cast<double>(i)) * h - range.middle()) / half;
  const SourceCurve::Points curve = SourceCurve(source.features, kappa).at(t, 1);
  return std::make_shared<const LossTable>(
      LossTable::tabulate(range.lower, range.upper, k, [&](int, double m) {
        const auto i = static_cast<Index>(std::lround(m / h - first));
        return LossNode{curve.value[i], curve.slope[i] / half};
      }));
}

JointLinks::JointLinks(const LinkFrame& frame, std::vector<SourceModel> sources, LinkBend bend,
                       std::span<const double> ridge, LinkSums sums, int threads)
    : frame_(frame),
      sources_(std::move(sources)),
      ridge_(ridge.begin(), ridge.end()),
      sums_(std::move(sums)),
      threads_(threads),
      weights_(sources_[0].dimension() - 1),
      terms_(sources_.size()) {
  const BendPrior prior(sources_, bend);
  shared_sd_ = prior.shared_sd;
  own_sd_ = prior.own_sd;
}

Vector JointLinks::coordinates(const Vector& x, std::size_t k) const {
  Vector g = sources_[k].prior.mean;
  if (shared_sd_.size() > 0) g.head(weights_) += shared_sd_.cwiseProduct(x.head(weights_));
  if (own_sd_.size() > 0) g += own_sd_.cwiseProduct(x.segment(own_place(k), own_sd_.size()));
  return g;
}

Vector JointLinks::from_coordinates(const Matrix& g) const {
  Vector x = Vector::Zero(size());
  const auto count = static_cast<double>(classes());
  Matrix rest(g.rows(), g.cols());
  for (Index k = 0; k < g.cols(); ++k)
    rest.col(k) = g.col(k) - sources_[static_cast<std::size_t>(k)].prior.mean;
  if (shared_sd_.size() > 0) {
    for (Index i = 0; i < weights_; ++i) {
      // E(f_0 | sum of w_k): a share C v_0 / (C v_0 + v_d) of the mean.
      const double own = own_sd_.size() > 0 ? own_sd_[i] * own_sd_[i] : 0;
      const double common = count * shared_sd_[i] * shared_sd_[i];
      const double u = common / (common + own) * rest.row(i).mean();
      x[i] = u / shared_sd_[i];
      rest.row(i).array() -= u;
    }
  }
  for (std::size_t k = 0; own_sd_.size() > 0 && k < classes(); ++k)
    x.segment(own_place(k), own_sd_.size()) = rest.col(static_cast<Index>(k)).cwiseQuotient(own_sd_);
  return x;
}

double JointLinks::evaluate(const Vector& x, Vector& gradient) {
  std::vector<Vector> kappa(classes());
  std::vector<std::shared_ptr<const LossTable>> tables(classes());
  parallel_for(classes(), threads_, [&](std::size_t k) {
    kappa[k] = sources_[k].map->value(coordinates(x, k));
    tables[k] = tabulate_link(frame_.ranges[k], sources_[k], kappa[k]);
  });
  const std::vector<WeightedRows> points = sums_(std::move(tables), loss_);
  ++evaluations_;
  parallel_for(classes(), threads_, [&](std::size_t k) { terms_[k] = term(x, k, kappa[k], points[k]); });
  gradient = x;
  double value = loss_ + 0.5 * x.squaredNorm();
  for (std::size_t k = 0; k < classes(); ++k) {
    value += terms_[k].penalty;
    if (shared_sd_.size() > 0)
      gradient.head(weights_) += shared_sd_.cwiseProduct(terms_[k].gradient.head(weights_));
    if (own_sd_.size() > 0)
      gradient.segment(own_place(k), own_sd_.size()) += own_sd_.cwiseProduct(terms_[k].gradient);
  }
  return value;
}

void JointLinks::factor() {
  const Index q = own_sd_.size();
  own_factor_.assign(q > 0 ? classes() : 0, {});
  cross_.assign(q > 0 ? classes() : 0, {});
  std::vector<Matrix> through(cross_.size());  // what the shared part loses by a class's own
  parallel_for(through.size(), threads_, [&](std::size_t k) {
    const Matrix& h = terms_[k].hessian;
    Matrix m = own_sd_.asDiagonal() * h * own_sd_.asDiagonal();
    m.diagonal().array() += 1;
    own_factor_[k] = Cholesky(std::move(m));
    if (shared_sd_.size() == 0) return;
    cross_[k] = own_sd_.asDiagonal() * h.leftCols(weights_) * shared_sd_.asDiagonal();  // (q, weights)
    through[k] = cross_[k].transpose() * own_factor_[k].solve(cross_[k]);
  });
  Matrix schur = Matrix::Identity(shared_sd_.size(), shared_sd_.size());
  for (std::size_t k = 0; k < classes() && shared_sd_.size() > 0; ++k) {
    const Matrix& h = terms_[k].hessian;
    schur += shared_sd_.asDiagonal() * h.topLeftCorner(weights_, weights_) * shared_sd_.asDiagonal();
    if (q > 0) schur -= through[k];
  }
  if (shared_sd_.size() > 0) schur_ = Cholesky(schur);
}

Vector JointLinks::solve(const Vector& r) const {
  Vector result(r.size());
  Vector shared = r.head(shared_sd_.size());
  for (std::size_t k = 0; k < cross_.size() && shared.size() > 0; ++k)
    shared -= cross_[k].transpose() * own_factor_[k].solve(Vector(r.segment(own_place(k), own_sd_.size())));
  if (shared.size() > 0) shared = schur_.solve(shared);
  result.head(shared.size()) = shared;
  for (std::size_t k = 0; k < own_factor_.size(); ++k) {
    Vector own = r.segment(own_place(k), own_sd_.size());
    if (shared.size() > 0) own -= cross_[k] * shared;
    result.segment(own_place(k), own_sd_.size()) = own_factor_[k].solve(own);
  }
  return result;
}

Matrix JointLinks::covariance_root(std::size_t k) const {
  const Matrix root = covariance_parts(k);
  const SymmetricEigen eigen(root * root.transpose());
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

// (q, any): the same by what it is made of, the shared part and the class's own.
Matrix JointLinks::covariance_parts(std::size_t k) const {
  const Index q = weights_ + 1;
  Matrix root = Matrix::Zero(q, shared_sd_.size() + own_sd_.size());
  if (own_sd_.size() > 0) {
    const Matrix inverse = own_factor_[k].lower_inverse();
    root.rightCols(q) = own_sd_.asDiagonal() * inverse.transpose();
  }
  if (shared_sd_.size() > 0) {
    const Matrix inverse = schur_.lower_inverse().transpose();
    Matrix through = Matrix::Zero(q, weights_);
    through.topRows(weights_) = shared_sd_.asDiagonal() * inverse;
    if (own_sd_.size() > 0)
      through -= own_sd_.asDiagonal() * own_factor_[k].solve(Matrix(cross_[k] * inverse));
    root.leftCols(weights_) = through;
  }
  return root;
}

JointLinks::ClassTerm JointLinks::term(const Vector& x, std::size_t k, const Vector& kappa,
                                       const WeightedRows& points) const {
  const ScoreRange& range = frame_.ranges[k];
  std::vector<double> t(points.size()), r(points.size()), h(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    t[i] = (points.x[i] - range.middle()) / range.half();
    const double w = points.weight[i];
    r[i] = points.y[i] == 0 ? -w : points.y[i] == 1 ? w : 0;
    h[i] = points.y[i] == 2 ? w : 0;
  }
  FeatureSums sums = sources_[k].features->sums(t, r, h, 1);
  const Vector sloped = frame_.square_slope[k] * kappa;
  const double square = std::max(kappa.dot(sloped), 0.0);
  sums.linear += ridge_[k] * sloped;
  sums.gram += ridge_[k] * frame_.square_slope[k];
  const Matrix jacobian = sources_[k].map->jacobian(coordinates(x, k));
  return {jacobian.transpose() * sums.linear, jacobian.transpose() * sums.gram * jacobian, square,
          0.5 * ridge_[k] * square};
}

LinkPrecision JointLinks::precision() const {
  LinkPrecision result;
  result.shared_sd = shared_sd_;
  result.own_sd = own_sd_;
  result.loss = loss_;
  for (const ClassTerm& term : terms_) {
    result.loss += term.penalty;
    result.gradient.push_back(term.gradient);
    result.hessian.push_back(term.hessian);
  }
  return result;
}

}  // namespace linkgistic
