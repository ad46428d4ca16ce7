#include "classification/weight_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "engine/scaled_features.hpp"
#include "numeric/decompositions.hpp"
#include "numeric/logistic.hpp"
#include "solver/scaled_rows.hpp"
#include "source/places.hpp"
#include "source/source_curve.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t least_cells = 512;

std::size_t cells_of(const LinkPlace& link) {
  return std::max(least_cells, ClassLink::table_cells(static_cast<std::size_t>(link.size()) / 2));
}

ScoreRequest scores_of(const WeightProblem& problem) {
  ScoreRequest request;
  request.tables = {{std::shared_ptr<const void>(), &problem.base.table()}};
  request.problems = {{problem.positive, 0, {}}};
  request.beta = ScaledRows(problem.engine, problem.scale).to_raw(problem.beta);
  return request;
}

// Seven digits of each number: what a model file keeps.
void shorten(Matrix& m) {
  for (double& x : m.reshaped()) {
    if (!(std::abs(x) > 1e-200)) {  // its digits would overflow
      x = 0;
      continue;
    }
    const double unit = std::pow(10.0, 6 - std::floor(std::log10(std::abs(x))));
    x = std::round(x * unit) / unit;
  }
}

}  // namespace

LinkTangents link_tangents(const LinkPlace& link, std::span<const double> scores) {
  const auto n = static_cast<Index>(scores.size());
  if (link.size() == 0) return {Eigen::Map<const Vector>(scores.data(), n), Vector::Ones(n), Matrix(0, n)};
  std::vector<double> t(scores.size());
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = (scores[i] - link.range.middle()) / link.range.half();
  const Vector kappa = link.source.map->value(link.g);
  const SourceCurve::Points points = SourceCurve(link.source.features, kappa).at(t, 1);
  const Matrix phi = feature_columns(*link.source.features, Places(t), 0, t.size());
  return {points.value, points.slope / link.range.half(),
          link.source.map->jacobian(link.g).transpose() * phi};
}

InformationRequest information_request(const WeightProblem& problem) {
  return {scores_of(problem), problem.scale, {}};
}

std::vector<double> score_nodes(const WeightProblem& problem, InformationRequest& request,
                                const LinkPlace& link) {
  const RangeAnswer range = problem.engine.ask(RangeRequest{request.scores, {0}, 1});
  const std::size_t cells = cells_of(link);
  ScoreFunctions f{range.lower[0], 1, 1, {}};
  if (range.upper[0] > range.lower[0])
    f.step = (range.upper[0] - range.lower[0]) / static_cast<double>(cells);
  std::vector<double> nodes(cells + 1);
  for (std::size_t i = 0; i <= cells; ++i) nodes[i] = f.lower + f.step * static_cast<double>(i);
  request.functions = {std::move(f)};
  return nodes;
}

Matrix information_matrix(const WeightProblem& problem, const InformationRequest& request) {
  const InformationAnswer answer = problem.engine.ask(request);
  const auto size = static_cast<Index>(request.width());
  return Eigen::Map<const Matrix>(answer.sum.data(), size, size).selfadjointView<Eigen::Upper>();
}

Matrix joint_information(const WeightProblem& problem, const LinkPlace& link) {
  InformationRequest request = information_request(problem);
  const LinkTangents at = link_tangents(link, score_nodes(problem, request, link));
  ScoreFunctions& f = request.functions[0];
  f.count = static_cast<std::uint32_t>(link.size() + 1);
  for (Index i = 0; i < at.nu.size(); ++i) {
    const BaseLoss::LogOdds t = problem.base.at(at.nu[i]);
    const double root = std::sqrt(sigmoid(t.value) * sigmoid(-t.value)) * std::abs(t.slope);
    f.values.push_back(root * at.slope[i]);
    for (Index k = 0; k < link.size(); ++k) f.values.push_back(root * at.psi(k, i));
  }
  request.functions.push_back(request.functions[0]);
  return information_matrix(problem, request);
}

std::optional<WeightPosterior> weight_posterior(const WeightProblem& problem, LinkPlace link,
                                                std::span<const BendWeight> bends,
                                                const RidgeSpread& ridges) {
  const Matrix information = joint_information(problem, link);
  const auto width = static_cast<Index>(problem.beta.size());
  const Index size = information.rows();
  Matrix covariance = Matrix::Zero(size, size);
  for (const BendWeight& bend : bends) {
    // In coordinates of g that are N(0, 1) a priori.
    Vector unit = Vector::Ones(size);
    unit.tail(link.size()) = bend.prior_sd;
    Matrix precision = unit.asDiagonal() * information * unit.asDiagonal();
    precision.diagonal().segment(1, width - 1).array() += problem.l2;
    precision.diagonal().tail(link.size()).array() += 1;
    const Cholesky factor(precision);
    if (!factor.positive()) return std::nullopt;
    const Matrix root = factor.solve_lower(Matrix(unit.asDiagonal()));
    covariance += bend.weight * root.transpose() * root;
  }
  for (std::size_t k = 0; k < ridges.weight.size(); ++k) {
    const Eigen::Map<const Vector> move(ridges.move[k].data(), width);
    covariance.topLeftCorner(width, width) += ridges.weight[k] * move * move.transpose();
  }
  if (!covariance.allFinite()) return std::nullopt;
  // Coordinates that the prior clamps have no variance.
  covariance.diagonal().array() += 1e-14 * covariance.diagonal().maxCoeff();
  const Cholesky factor(covariance);
  if (!factor.positive()) return std::nullopt;
  WeightPosterior posterior{std::move(link), factor.lower()};
  shorten(posterior.root);
  return posterior;
}

WeightSpread::WeightSpread(const WeightPosterior& posterior) {
  const LinkPlace& link = posterior.link;
  const Index width = posterior.root.rows() - link.size();
  weights_ = posterior.root.topLeftCorner(width, width).transpose();
  if (link.size() == 0) return;
  const std::size_t cells = cells_of(link) / 4;
  lower_ = link.range.lower;
  step_ = 2 * link.range.half() / static_cast<double>(cells);
  std::vector<double> nodes(cells + 1);
  for (std::size_t i = 0; i <= cells; ++i) nodes[i] = lower_ + step_ * static_cast<double>(i);
  const LinkTangents at = link_tangents(link, nodes);
  tangents_.resize(posterior.root.cols() + 1, at.psi.cols());
  tangents_.topRows(posterior.root.cols()) = posterior.root.bottomRows(link.size()).transpose() * at.psi;
  tangents_.bottomRows(1) = at.slope.transpose();
}

void WeightSpread::operator()(const RowMatrix& rows, const ColumnScale& scale, std::size_t first,
                              std::span<const double> scores, std::span<double> sd) const {
  const auto count = static_cast<Index>(sd.size());
  Matrix z(weights_.cols(), count);
  for (Index i = 0; i < count; ++i)
    write_row(rows, first + static_cast<std::size_t>(i), scale, z.col(i).data());
  Vector moved;
  z = weights_.triangularView<Eigen::Upper>() * z;
  for (Index i = 0; i < count; ++i) {
    double& result = sd[static_cast<std::size_t>(i)];
    if (tangents_.size() == 0) {
      result = z.col(i).norm();
      continue;
    }
    const double place = (scores[static_cast<std::size_t>(i)] - lower_) / step_;
    const auto node = std::clamp<Index>(static_cast<Index>(std::floor(std::clamp(place, -1.0, 1e9))), 0,
                                        tangents_.cols() - 2);
    const double beyond = place - static_cast<double>(node);
    const auto left = tangents_.col(node);
    const auto right = tangents_.col(node + 1);
    const Index r = tangents_.rows() - 1;
    const double slope = left[r] + std::clamp(beyond, 0.0, 1.0) * (right[r] - left[r]);
    moved = left.head(r) + beyond * (right.head(r) - left.head(r));
    moved.head(z.rows()) += slope * z.col(i);
    result = moved.norm();
  }
}

}  // namespace linkgistic
