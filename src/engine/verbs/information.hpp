// information: sum over rows of w_n x_n x_n', x_n = (a(m_n) z_n, b(m_n)), z_n the scaled features with the
// intercept and a, b functions of the score, others for each label: with a = I^(1/2) nu' and b = I^(1/2)
// dnu/dg the information about coefficients and link together, with a = l' nu' and b = l' dnu/dg the sum of
// the squared gradients. All rows, in double precision.
#pragma once

#include <algorithm>

#include "engine/verbs/overlap.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

struct InformationAnswer {
  std::vector<double> sum;  // (D + 1 + q, D + 1 + q) by columns, the upper triangle of it

  auto fields() { return std::tie(sum); }
};

struct InformationRequest {
  using Answer = InformationAnswer;
  ScoreRequest scores;  // of one problem
  ColumnScale scale;
  std::vector<ScoreFunctions> functions;  // of label 0 and of label 1: a, then b_1 .. b_q

  [[nodiscard]] std::size_t width() const { return scores.beta.size() + functions[0].count - 1; }
  auto fields() { return std::tie(scores, scale, functions); }
};

inline InformationAnswer empty_answer(const InformationRequest& r) {
  return {std::vector<double>(r.width() * r.width())};
}

/// Adds rows, many at a time; the request must outlive it.
class InformationAdder {
 public:
  explicit InformationAdder(const InformationRequest& request);
  /// z has D + 1 numbers, the first of them 1.
  void operator()(const ScoredRow& row, const double* z);
  /// The sum over all rows that were added.
  InformationAnswer answer();

 private:
  const InformationRequest& request_;
  OuterProductSum sum_;  // of w_n^(1/2) x_n
  std::vector<double> values_;
};

}  // namespace linkgistic
