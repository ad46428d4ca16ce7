#include "classification/softmax_links.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/decompositions.hpp"
#include "numeric/lbfgs_history.hpp"
#include "numeric/parallel.hpp"
#include "source/source_curve.hpp"

namespace linkgistic {
namespace {

using Eigen::VectorXd;

// A class at some coordinates: its part of the gradient and of the Hessian, in g_k = (w_k, n_k).
struct ClassTerm {
  Vector gradient;  // (q)
  Matrix hessian;   // (q, q)
  double penalty = 0;
};

// nu on a grid of step 2^-k over its range, straight beyond it.
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

// The objective over the whitened coordinates x of all links: f_0, then (delta_k, n_k) of each class.
class JointLinks {
 public:
  JointLinks(const LinkFrame& frame, std::vector<SourceModel> sources, LinkBend bend,
             std::span<const double> ridge, const SoftmaxLinks::Cells& cells, int threads)
      : frame_(frame),
        sources_(std::move(sources)),
        ridge_(ridge.begin(), ridge.end()),
        cells_(cells),
        threads_(threads),
        weights_(sources_[0].dimension() - 1),
        terms_(sources_.size()) {
    const BendPrior prior(sources_, bend);
    shared_sd_ = prior.shared_sd;
    own_sd_ = prior.own_sd;
  }

  [[nodiscard]] std::size_t classes() const { return sources_.size(); }
  [[nodiscard]] Index size() const {
    return shared_sd_.size() + static_cast<Index>(classes()) * own_sd_.size();
  }

  // (q): the coordinates g_k = (w_k, n_k) of class k.
  [[nodiscard]] Vector coordinates(const VectorXd& x, std::size_t k) const {
    Vector g = sources_[k].prior.mean;
    if (shared_sd_.size() > 0) g.head(weights_) += shared_sd_.cwiseProduct(x.head(weights_));
    if (own_sd_.size() > 0) g += own_sd_.cwiseProduct(x.segment(own_place(k), own_sd_.size()));
    return g;
  }

  // The x nearest to the coordinates g_k (q, C), by the prior.
  [[nodiscard]] VectorXd from_coordinates(const Matrix& g) const {
    VectorXd x = VectorXd::Zero(size());
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

  // The objective and its gradient; keeps the Hessians of the classes for `solve`.
  double evaluate(const VectorXd& x, VectorXd& gradient) {
    std::vector<Vector> kappa(classes());
    std::vector<std::shared_ptr<const LossTable>> tables(classes());
    parallel_for(classes(), threads_, [&](std::size_t k) {
      kappa[k] = sources_[k].map->value(coordinates(x, k));
      tables[k] = tabulate_link(frame_.ranges[k], sources_[k], kappa[k]);
    });
    const std::vector<WeightedRows> points = cells_(std::move(tables), loss_);
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

  // Factors the Hessians of the last evaluation: I + that of each class by itself, the shared part eliminated
  // last.
  void factor() {
    const Index q = own_sd_.size();
    own_factor_.clear();
    cross_.assign(q > 0 ? classes() : 0, {});
    Matrix schur = Matrix::Identity(shared_sd_.size(), shared_sd_.size());
    for (std::size_t k = 0; k < classes(); ++k) {
      const Matrix& h = terms_[k].hessian;
      if (shared_sd_.size() > 0)
        schur += shared_sd_.asDiagonal() * h.topLeftCorner(weights_, weights_) * shared_sd_.asDiagonal();
      if (q == 0) continue;
      Matrix m = own_sd_.asDiagonal() * h * own_sd_.asDiagonal();
      m.diagonal().array() += 1;
      own_factor_.emplace_back(m);
      if (shared_sd_.size() == 0) continue;
      cross_[k] = own_sd_.asDiagonal() * h.leftCols(weights_) * shared_sd_.asDiagonal();  // (q, weights)
      schur -= cross_[k].transpose() * own_factor_[k].solve(cross_[k]);
    }
    if (shared_sd_.size() > 0) schur_ = Cholesky(schur);
  }

  // The inverse of that Hessian times r.
  [[nodiscard]] VectorXd solve(const VectorXd& r) const {
    VectorXd result(r.size());
    VectorXd shared = r.head(shared_sd_.size());
    for (std::size_t k = 0; k < cross_.size() && shared.size() > 0; ++k)
      shared -= cross_[k].transpose() * own_factor_[k].solve(Vector(r.segment(own_place(k), own_sd_.size())));
    if (shared.size() > 0) shared = schur_.solve(shared);
    result.head(shared.size()) = shared;
    for (std::size_t k = 0; k < own_factor_.size(); ++k) {
      VectorXd own = r.segment(own_place(k), own_sd_.size());
      if (shared.size() > 0) own -= cross_[k] * shared;
      result.segment(own_place(k), own_sd_.size()) = own_factor_[k].solve(own);
    }
    return result;
  }

  // (q, q): a root of the covariance of g_k under that Hessian.
  [[nodiscard]] Matrix covariance_root(std::size_t k) const {
    const Matrix root = covariance_parts(k);
    const SymmetricEigen eigen(root * root.transpose());
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  }

  // Without links and rows.
  [[nodiscard]] LinkPrecision precision() const {
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

  [[nodiscard]] double loss() const { return loss_; }
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  [[nodiscard]] Index own_place(std::size_t k) const {
    return shared_sd_.size() + static_cast<Index>(k) * own_sd_.size();
  }

  // (q, any): the same by what it is made of, the shared part and the class's own.
  [[nodiscard]] Matrix covariance_parts(std::size_t k) const {
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

  [[nodiscard]] ClassTerm term(const VectorXd& x, std::size_t k, const Vector& kappa,
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
    const Vector penalised = ridge_[k] * frame_.square_slope[k] * kappa;
    sums.linear += penalised;
    sums.gram += ridge_[k] * frame_.square_slope[k];
    const Matrix jacobian = sources_[k].map->jacobian(coordinates(x, k));
    return {jacobian.transpose() * sums.linear, jacobian.transpose() * sums.gram * jacobian,
            0.5 * kappa.dot(penalised)};
  }

  const LinkFrame& frame_;
  std::vector<SourceModel> sources_;  // (C)
  std::vector<double> ridge_;         // (C)
  const SoftmaxLinks::Cells& cells_;
  int threads_;
  Index weights_;              // coordinates of f
  Vector shared_sd_, own_sd_;  // prior standard deviations; empty: there is no such part
  std::vector<ClassTerm> terms_;
  std::vector<Cholesky> own_factor_;  // (C)
  std::vector<Matrix> cross_;         // (C): (q, weights)
  Cholesky schur_;
  double loss_ = 0;
  int evaluations_ = 0;
};

// L-BFGS from x to where the Newton decrement is within rounding of the objective.
double minimise(JointLinks& links, VectorXd& x) {
  constexpr int most_steps = 60;
  constexpr double tolerance = 1e-10;
  LbfgsHistory history(12);
  VectorXd gradient;
  double value = links.evaluate(x, gradient);
  for (int step = 0; step < most_steps; ++step) {
    links.factor();
    const VectorXd direction = -history.apply(gradient, [&](const VectorXd& q) { return links.solve(q); });
    const double slope = gradient.dot(direction);
    if (!(slope < -tolerance * (1 + std::abs(value)))) break;
    // The first of the steps 1, 1/2, 1/4, ... with a sufficient decrease.
    constexpr int most_halvings = 12;
    double length = 1;
    VectorXd at_gradient;
    double at = links.evaluate(x + direction, at_gradient);
    for (int i = 0; i < most_halvings && !(at <= value + 1e-4 * length * slope); ++i)
      at = links.evaluate(x + (length /= 2) * direction, at_gradient);
    if (!(at < value)) {
      value = links.evaluate(x, gradient);
      break;
    }
    history.add(length * direction, at_gradient - gradient);
    x += length * direction;
    gradient = at_gradient;
    value = at;
  }
  links.factor();
  return value;
}

}  // namespace

const std::shared_ptr<const LossTable>& identity_table() {
  static const auto table =
      std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
        return LossNode{m, 1};
      }));
  return table;
}

std::shared_ptr<const LossTable> link_table(const ClassLink& link) {
  return link.is_identity() ? identity_table() : tabulate_link(link.range(), link.source(), link.kappa());
}

SoftmaxLinks::SoftmaxLinks(const LinkHyper& hyper)
    : hyper_(hyper), family_([&] {
        LinkHyper both = hyper;
        both.v = hyper.v + hyper.shared;
        return both;
      }()) {}

LinkFrame SoftmaxLinks::frame(std::span<const ScoreRange> ranges,
                              std::span<const WeightedRows> points) const {
  constexpr double room = 1.02;
  constexpr double information = 2;
  LinkFrame frame;
  std::vector<double> middle(ranges.size());
  double below = 0;
  double above = 0;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    double sum = 0;
    double weight = 0;
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      if (points[k].y[i] != information) continue;
      sum += points[k].weight[i] * points[k].x[i];
      weight += points[k].weight[i];
    }
    middle[k] = weight > 0 ? sum / weight : ranges[k].middle();
    below = std::max(below, middle[k] - ranges[k].lower);
    above = std::max(above, ranges[k].upper - middle[k]);
  }
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    frame.ranges.push_back({middle[k] - room * below, middle[k] + room * above});
    LinkRows rows;
    rows.half = frame.ranges[k].half();
    double weight = 0;
    for (std::size_t i = 0; i < points[k].size(); ++i) {
      if (points[k].y[i] != information) continue;
      rows.t.push_back((points[k].x[i] - frame.ranges[k].middle()) / rows.half);
      rows.share.push_back(points[k].weight[i]);
      weight += points[k].weight[i];
    }
    for (double& share : rows.share) share /= weight;
    frame.square_slope.push_back(square_slope(family_.source(family_.theta(frame.ranges[k])), rows));
    frame.rows.push_back(std::move(rows));
  }
  return frame;
}

SoftmaxLinkFit SoftmaxLinks::fit(const LinkFrame& frame, std::span<const double> ridge,
                                 std::span<const ClassLink> previous, const Cells& cells, int threads) const {
  const std::size_t classes = frame.ranges.size();
  std::vector<Vector> theta;
  std::vector<SourceModel> sources;
  for (const ScoreRange& range : frame.ranges) {
    theta.push_back(family_.theta(range));
    sources.push_back(family_.source(theta.back()));
  }
  Matrix g(sources[0].dimension(), static_cast<Index>(classes));
  for (std::size_t k = 0; k < classes; ++k)
    g.col(static_cast<Index>(k)) = family_.start(sources[k], frame.ranges[k], previous[k]);
  JointLinks joint(frame, sources, {hyper_.v, hyper_.shared}, ridge, cells, threads);
  VectorXd x = joint.from_coordinates(g);
  SoftmaxLinkFit fit;
  fit.objective = -minimise(joint, x);
  fit.loss = joint.loss();
  fit.evaluations = joint.evaluations();
  for (std::size_t k = 0; k < classes; ++k) {
    const auto posterior =
        std::make_shared<GaussianPosterior>(joint.coordinates(x, k), joint.covariance_root(k));
    LinkFacts facts;
    const Vector kappa = posterior->point_coefficients(*sources[k].map);
    facts.slope = std::sqrt(std::max(kappa.dot(frame.square_slope[k] * kappa), 0.0));
    facts.newton_iterations = fit.evaluations;
    const LinkRows& rows = frame.rows[k];
    const Vector nu = sources[k].features->values(rows.t, kappa, 1);
    for (std::size_t i = 0; i < rows.t.size(); ++i) {
      facts.mean_nu += rows.share[i] * nu[static_cast<Index>(i)];
      facts.mean_margin += rows.share[i] * (frame.ranges[k].middle() + rows.t[i] * rows.half);
    }
    fit.links.emplace_back(frame.ranges[k], theta[k], sources[k], posterior, facts);
  }
  fit.precision = joint.precision();
  fit.precision.links = fit.links;
  return fit;
}

}  // namespace linkgistic
