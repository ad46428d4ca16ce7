// The links of a softmax at given scores, all classes at once. On the offset prior of each class,
//   f_k = sqrt(1 - v) + f_0 + delta_k,  nu_k = n_k + integral of f_k^2,
// the classes share f_0, of size v_0, and have delta_k, of size v_d, to themselves; v = v_0 + v_d. The mode
// is that of
//   sum_n w_n [nu_y(m_ny) - log sum_k exp nu_k(m_nk)] - sum_k (ridge_k / 2) s_k^2 + log prior,
// s_k the root mean square slope of nu_k. Rows enter by their moments in cells of the scores, so a step costs
// one request. It is found by L-BFGS over the Hessian of each class by itself; classes are tied by the prior
// of f_0, which that Hessian contains, and by the softmax, which L-BFGS learns.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "classification/joint_links.hpp"
#include "engine/verbs/cells.hpp"

namespace linkgistic {

/// nu_k of a class as a table that the engine looks up; that of the identity where it is null.
std::shared_ptr<const LossTable> link_table(const ClassLink& link);
const std::shared_ptr<const LossTable>& identity_table();

/// A search for the mode of all links: the coordinates of their hyper-parameters, the objective, and a point.
struct LinkSearch {
  std::vector<Vector> theta;  // (C)
  JointLinks joint;
  Vector x;
};

struct SoftmaxLinkFit {
  std::vector<ClassLink> links;  // (C)
  double loss = 0;               // sum of weighted -log p
  double objective = 0;          // log joint density without the constants
  int evaluations = 0;
  LinkPrecision precision;  // but for its rows and its joint Hessian
};

class SoftmaxLinks {
 public:
  /// hyper.v is v_d, hyper.shared is v_0; not both may be 0.
  explicit SoftmaxLinks(const LinkHyper& hyper);

  /// The frame of scores with these ranges, from the points that stand for their rows (weighted_rows), where
  /// every row counts by the information p (1 - p) of its class.
  [[nodiscard]] LinkFrame frame(std::span<const ScoreRange> ranges,
                                std::span<const WeightedRows> points) const;

  /// Where a search begins: at `previous`, (C) links in the same frame or identities. The frame must outlive
  /// it.
  [[nodiscard]] LinkSearch search(const LinkFrame& frame, std::span<const double> ridge,
                                  std::span<const ClassLink> previous, LinkSums sums, int threads) const;
  /// (C): the links at its x, where the objective was evaluated and factored last.
  [[nodiscard]] std::vector<ClassLink> links(const LinkSearch& search, const LinkFrame& frame,
                                             int threads) const;

  /// The mode, as near as `tolerance` (DescentOptions) says.
  [[nodiscard]] SoftmaxLinkFit fit(const LinkFrame& frame, std::span<const double> ridge,
                                   std::span<const ClassLink> previous, const LinkSums& sums,
                                   double tolerance, int threads) const;

 private:
  LinkHyper hyper_;
  LinkFamily family_;  // with v = v_0 + v_d
};

}  // namespace linkgistic
