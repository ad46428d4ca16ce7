#include "classification/joint_posterior.hpp"

#include <algorithm>
#include <cmath>

#include <linkgistic/error.hpp>

#include "numeric/decompositions.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// Derivatives of nu in g at nodes of the range: (q, nodes).
Matrix tangents(const ClassLink& link, std::size_t cells) {
  const SourceModel& source = link.source();
  const Matrix jacobian = source.map->jacobian(link.posterior().estimate());
  Matrix result(jacobian.cols(), static_cast<Index>(cells) + 1);
  Vector phi(source.features->size());
  for (Index i = 0; i < result.cols(); ++i) {
    source.features->evaluate(-1 + 2.0 * static_cast<double>(i) / static_cast<double>(cells), phi);
    result.col(i) = jacobian.transpose() * phi;
  }
  return result;
}

std::size_t harmonics_of(const ClassLink& link) {
  return static_cast<std::size_t>(link.posterior().estimate().size()) / 2;
}

OverlapRequest overlap_request(const LinkPrecision& precision, int threads) {
  OverlapRequest request{precision.rows, std::vector<ScoreFunctions>(precision.links.size())};
  parallel_for(precision.links.size(), threads, [&](std::size_t k) {
    const ClassLink& link = precision.links[k];
    const std::size_t cells = ClassLink::table_cells(harmonics_of(link));
    const Matrix psi = tangents(link, cells);
    const ScoreRange& range = link.range();
    request.functions[k] = {range.lower,
                            2 * range.half() / static_cast<double>(cells),
                            static_cast<std::uint32_t>(psi.rows()),
                            {psi.data(), psi.data() + psi.size()}};
  });
  return request;
}

}  // namespace

Matrix joint_hessian(RowEngine& engine, const LinkPrecision& precision, int threads) {
  const auto classes = static_cast<Index>(precision.links.size());
  const Index q = precision.hessian[0].rows();
  const Index all = classes * q;
  if (all > most_joint_coordinates) return {};
  const OverlapAnswer overlap = engine.ask(overlap_request(precision, threads));
  Matrix hessian = Matrix::Zero(all, all);
  hessian.triangularView<Eigen::Upper>() = -Eigen::Map<const Matrix>(overlap.sum.data(), all, all);
  hessian.triangularView<Eigen::StrictlyLower>() = hessian.transpose();
  for (Index k = 0; k < classes; ++k)
    hessian.block(k * q, k * q, q, q) = precision.hessian[static_cast<std::size_t>(k)];
  return hessian;
}

std::vector<Matrix> joint_roots(const LinkPrecision& precision) {
  const Index all = precision.joint.rows();
  if (all == 0) return {};
  const auto classes = static_cast<Index>(precision.links.size());
  const Index q = all / classes;
  // g = mode + spread x, x ~ N(0, I) a priori.
  const Index shared = precision.shared_sd.size();
  const Index own = precision.own_sd.size();
  Matrix spread = Matrix::Zero(all, shared + classes * own);
  for (Index k = 0; k < classes; ++k) {
    if (shared > 0) spread.block(k * q, 0, shared, shared).diagonal() = precision.shared_sd;
    if (own > 0) spread.block(k * q, shared + k * own, own, own).diagonal() = precision.own_sd;
  }
  Matrix joint = spread.transpose() * precision.joint * spread;
  joint.diagonal().array() += 1;
  const Cholesky factor(joint);
  if (!factor.positive()) return {};
  const Matrix root = factor.solve_lower(Matrix(spread.transpose())).transpose();  // (all, any)
  // The directions that have all but a millionth of the variance.
  const SymmetricEigen eigen(root * root.transpose());
  const Vector variance = eigen.eigenvalues().cwiseMax(0.0);
  const double negligible = 1e-6 * variance.sum();
  Index first = 0;
  for (double left = 0; first + 1 < all && left + variance[first] < negligible; ++first)
    left += variance[first];
  const Index kept = all - first;
  const Matrix few = eigen.eigenvectors().rightCols(kept) * variance.tail(kept).cwiseSqrt().asDiagonal();
  std::vector<Matrix> roots;
  for (Index k = 0; k < classes; ++k) roots.emplace_back(few.middleRows(k * q, q));
  return roots;
}

ProbabilitySpread::ProbabilitySpread(std::span<const ClassLink> links) {
  for (const ClassLink& link : links) {
    Table& table = tables_.emplace_back();
    if (link.is_identity()) continue;
    const auto& posterior = dynamic_cast<const GaussianPosterior&>(link.posterior());
    const std::size_t cells = ClassLink::table_cells(harmonics_of(link)) / 4;
    table.lower = link.range().lower;
    table.step = 2 * link.range().half() / static_cast<double>(cells);
    table.values = posterior.factor().transpose() * tangents(link, cells);
    if (columns_ != 0 && columns_ != posterior.factor().cols())
      throw InputError("the posteriors of links differ in their number of directions");
    columns_ = posterior.factor().cols();
  }
}

Vector ProbabilitySpread::Table::at(double score) const {
  const double place = (score - lower) / step;
  const Index node =
      std::clamp<Index>(static_cast<Index>(std::floor(std::clamp(place, -1.0, 1e9))), 0, values.cols() - 2);
  return values.col(node) + (place - static_cast<double>(node)) * (values.col(node + 1) - values.col(node));
}

void ProbabilitySpread::operator()(std::span<const double> scores, std::span<const double> p,
                                   std::span<double> sd) const {
  Matrix nu(columns_, static_cast<Index>(scores.size()));  // what e moves nu_k by
  Vector mean = Vector::Zero(columns_);
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const auto column = static_cast<Index>(k);
    if (tables_[k].values.size() == 0) {
      nu.col(column).setZero();
    } else {
      nu.col(column) = tables_[k].at(scores[k]);
    }
    mean += p[k] * nu.col(column);
  }
  // The differential of log(p_k / (1 - p_k)) is (dnu_k - sum_l p_l dnu_l)/(1 - p_k).
  for (std::size_t k = 0; k < scores.size(); ++k)
    sd[k] = (nu.col(static_cast<Index>(k)) - mean).norm() / std::max(1 - p[k], 1e-12);
}

std::vector<double> ProbabilitySpread::of_link(std::size_t k, std::span<const double> scores) const {
  std::vector<double> sd(scores.size());
  if (tables_[k].values.size() == 0) return sd;
  Vector level = Vector::Zero(columns_);
  for (const Table& table : tables_)
    if (table.values.size() > 0) level += table.at(table.middle()) / static_cast<double>(tables_.size());
  for (std::size_t i = 0; i < sd.size(); ++i) sd[i] = (tables_[k].at(scores[i]) - level).norm();
  return sd;
}

}  // namespace linkgistic
