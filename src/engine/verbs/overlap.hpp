// overlap: sum over the rows of w_n u_n u_n', where u_n has the values p_nk psi_ki(m_nk) of functions psi of
// the scores, class after class of a softmax. It ties the classes: with psi_ki = dnu_k/dg_ki, the Hessian of
// -log p(y) in the coordinates g is that of each class by itself on the diagonal and minus this beside it.
#pragma once

#include "engine/verbs/cells.hpp"
#include "numeric/outer_products.hpp"

namespace linkgistic {

/// Functions of a score: node i is at lower + i step. They are straight between nodes, and constant beyond.
struct ScoreFunctions {
  double lower = 0, step = 1;
  std::uint32_t count = 0;
  std::vector<double> values;  // (nodes, count)

  auto fields() { return std::tie(lower, step, count, values); }
};

/// factor f_i(score) of all functions, to the places from `to` on.
void add_values(const ScoreFunctions& f, double score, double factor, double* to);

struct OverlapAnswer {
  std::vector<double> sum;  // (R, R) by columns, the upper triangle of it; R functions of all groups

  auto fields() { return std::tie(sum); }
};

struct OverlapRequest {
  using Answer = OverlapAnswer;
  RangeRequest of;                        // coupled problems, a set one of each group
  std::vector<ScoreFunctions> functions;  // (groups)

  [[nodiscard]] std::size_t size() const;  // R
  auto fields() { return std::tie(of, functions); }
};

OverlapAnswer empty_answer(const OverlapRequest& r);

/// Adds rows, many at a time: `finish` adds the last ones. The request must outlive it.
class OverlapAdder {
 public:
  explicit OverlapAdder(const OverlapRequest& request);
  void operator()(const ScoredRow& row, const OverlapAnswer&);
  void finish(OverlapAnswer& to) { sum_.take(to.sum); }

 private:
  const OverlapRequest& request_;
  RowLoss loss_;
  std::vector<std::size_t> place_;  // (groups): of the first function among all
  OuterProductSum sum_;             // of w_n^(1/2) u_n
};
inline OverlapAdder row_adder(const OverlapRequest& r) { return OverlapAdder(r); }

}  // namespace linkgistic
