// The posterior of all links of a softmax together: Laplace's Gaussian about their mode. The prior ties the
// classes by the part that they share, the rows by -w p_k p_l. And what follows for the probabilities.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "classification/class_link.hpp"
#include "engine/row_engine.hpp"

namespace linkgistic {

/// What an E-step knows of the precision of the coordinates g_k = (w_k, n_k) of its links at their mode.
struct LinkPrecision {
  // Prior standard deviations of f_0 (q - 1) and of delta_k and n_k (q); empty where there is no such part.
  Vector shared_sd, own_sd;
  double loss = 0;               // with the penalty, at the mode
  std::vector<Vector> gradient;  // (C): (q), its gradient in g_k
  std::vector<Matrix> hessian;   // (C): (q, q), its Hessian in g_k alone
  Matrix joint;                  // (C q, C q), its Hessian; empty where the coordinates are too many
  std::vector<ClassLink> links;  // (C)
  RangeRequest rows;             // the scores that they were learned from
};

/// The most coordinates of all links whose joint posterior is computed: its work is their number cubed.
inline constexpr Index most_joint_coordinates = 1024;

/// The Hessian of the loss in the coordinates of all links, by one request; empty where they are too many.
Matrix joint_hessian(RowEngine& engine, const LinkPrecision& precision, int threads);

/// (C): roots of the covariance of each g_k with one set of columns, g_k = mode_k + root_k e, e ~ N(0, I) the
/// same for all classes. Empty where the coordinates are too many.
std::vector<Matrix> joint_roots(const LinkPrecision& precision);

/// How sure the probabilities of a softmax are. The factors of its links' posteriors are joint_roots.
class ProbabilitySpread {
 public:
  explicit ProbabilitySpread(std::span<const ClassLink> links);

  /// (C) standard deviations of log(p_k / (1 - p_k)) to first order, of a row with these scores and
  /// probabilities (C).
  void operator()(std::span<const double> scores, std::span<const double> p, std::span<double> sd) const;
  /// Standard deviations of the link of class k at some scores, to first order, less the mean over all
  /// classes of their links at the middles of their scores: nu_k(s) - mean_l nu_l(m_l). What is added to all
  /// links changes no probability, so that rows do not tell it, and its prior is wide.
  [[nodiscard]] std::vector<double> of_link(std::size_t k, std::span<const double> scores) const;

 private:
  /// root_k' dnu_k/dg_k of a class at equally spaced scores, straight between and beyond them.
  struct Table {
    double lower = 0, step = 1;
    Matrix values;  // (columns, nodes)

    [[nodiscard]] Vector at(double score) const;
    [[nodiscard]] double middle() const { return lower + step * static_cast<double>(values.cols() - 1) / 2; }
  };
  std::vector<Table> tables_;  // (C); without values for a link that is the identity
  Index columns_ = 0;
};

}  // namespace linkgistic
