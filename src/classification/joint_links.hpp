// The objective of the links of a softmax over their whitened coordinates, at given scores
// (softmax_links.hpp), and its preconditioner: the Hessian of each class by itself.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "classification/bend_evidence.hpp"
#include "classification/link_fit.hpp"
#include "numeric/decompositions.hpp"

namespace linkgistic {

/// The coordinates of the links: t = (m - middle_k)/half, the same half for all classes, so that a bend that
/// they share has one scale; and G_k with s_k^2 = kappa' G_k kappa.
struct LinkFrame {
  std::vector<ScoreRange> ranges;    // (C)
  std::vector<Matrix> square_slope;  // (C)
  std::vector<LinkRows> rows;        // (C): t and share of the points that s_k is over
};

/// Answers with the sums over the rows (verb `cells`) at links, one table a class, and with their loss.
using LinkSums = std::function<std::vector<WeightedRows>(std::vector<std::shared_ptr<const LossTable>> tables,
                                                         double& loss)>;

/// nu on a grid of step 2^-k over its range, straight beyond it.
std::shared_ptr<const LossTable> tabulate_link(const ScoreRange& range, const SourceModel& source,
                                               const Vector& kappa);

/// The objective over x, all links together: f_0, then (delta_k, n_k) of each class. The frame must outlive
/// it.
class JointLinks {
 public:
  JointLinks(const LinkFrame& frame, std::vector<SourceModel> sources, LinkBend bend,
             std::span<const double> ridge, LinkSums sums, int threads);

  [[nodiscard]] std::size_t classes() const { return sources_.size(); }
  [[nodiscard]] Index size() const {
    return shared_sd_.size() + static_cast<Index>(classes()) * own_sd_.size();
  }
  [[nodiscard]] const SourceModel& source(std::size_t k) const { return sources_[k]; }

  /// (C): the strengths of the penalties (ridge_k / 2) s_k^2.
  void set_ridge(std::span<const double> ridge) { ridge_.assign(ridge.begin(), ridge.end()); }

  /// (q): the coordinates g_k = (w_k, n_k) of class k.
  [[nodiscard]] Vector coordinates(const Vector& x, std::size_t k) const;
  /// The x nearest to the coordinates g_k (q, C), by the prior.
  [[nodiscard]] Vector from_coordinates(const Matrix& g) const;

  /// The objective and its gradient; keeps the Hessians of the classes for `solve`.
  double evaluate(const Vector& x, Vector& gradient);
  /// Factors the Hessians of the last evaluation: I + that of each class by itself, the shared part
  /// eliminated last.
  void factor();
  /// The inverse of that Hessian times r.
  [[nodiscard]] Vector solve(const Vector& r) const;
  /// (q, q): a root of the covariance of g_k under that Hessian.
  [[nodiscard]] Matrix covariance_root(std::size_t k) const;

  // At the last evaluation:
  /// without links and rows,
  [[nodiscard]] LinkPrecision precision() const;
  /// the loss without penalties,
  [[nodiscard]] double loss() const { return loss_; }
  /// (C): s_k^2.
  [[nodiscard]] double square_slope(std::size_t k) const { return terms_[k].square_slope; }
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  // A class at some coordinates: its part of the gradient and of the Hessian, in g_k.
  struct ClassTerm {
    Vector gradient;  // (q)
    Matrix hessian;   // (q, q)
    double square_slope = 0, penalty = 0;
  };
  [[nodiscard]] Index own_place(std::size_t k) const {
    return shared_sd_.size() + static_cast<Index>(k) * own_sd_.size();
  }
  [[nodiscard]] Matrix covariance_parts(std::size_t k) const;
  [[nodiscard]] ClassTerm term(const Vector& x, std::size_t k, const Vector& kappa,
                               const WeightedRows& points) const;

  const LinkFrame& frame_;
  std::vector<SourceModel> sources_;  // (C)
  std::vector<double> ridge_;         // (C)
  LinkSums sums_;
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

}  // namespace linkgistic
