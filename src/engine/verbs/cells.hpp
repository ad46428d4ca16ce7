// range: least and greatest score of a group's rows. cells: moments 0 to 3 of the scores in each cell of that
// range, for each kind of weight: of problems alone the rows of label 0 and of label 1, of a softmax w y_k,
// w p_k and w p_k (1 - p_k), which the derivatives of its loss in the links are made of. The problems of one
// group share its sums: each row counts by the problems that look at it, so a score may come from the fit
// that left the row out.
#pragma once

#include "engine/compression.hpp"
#include "engine/verbs/row_loss.hpp"

namespace linkgistic {

struct RangeAnswer {
  std::vector<double> lower, upper;  // (groups); lower > upper where no row counts

  auto fields() { return std::tie(lower, upper); }
};

struct RangeRequest {
  using Answer = RangeAnswer;
  ScoreRequest scores;
  std::vector<std::uint32_t> group;  // (P)
  std::uint32_t groups = 0;

  auto fields() { return std::tie(scores, group, groups); }
};

RangeAnswer empty_answer(const RangeRequest& r);
/// An InputError for the score of a row, whose number counts from 0.
[[noreturn]] void throw_not_finite(std::uint64_t row);
void add_row(const RangeRequest& r, const ScoredRow& row, RangeAnswer& to);
void merge(RangeAnswer& left, const RangeAnswer& right);

struct CellsAnswer {
  std::vector<CellMoments> moments;  // (groups, cells, kinds)
  double loss = 0;                   // of a softmax: the sum of w_n times -log p(y_n)

  auto fields() { return std::tie(moments, loss); }
};

struct CellsRequest {
  using Answer = CellsAnswer;
  RangeRequest of;
  RangeAnswer range;
  std::uint32_t cells = 0;

  [[nodiscard]] std::size_t kinds() const { return of.scores.coupled == 1 ? 2 : 3; }

  auto fields() { return std::tie(of, range, cells); }
};

CellsAnswer empty_answer(const CellsRequest& r);
/// Adds rows one after the other; the request must outlive it.
class CellsAdder {
 public:
  explicit CellsAdder(const CellsRequest& request);
  void operator()(const ScoredRow& row, CellsAnswer& to);

 private:
  void add_softmax(const ScoredRow& row, std::size_t set, CellsAnswer& to);

  const CellsRequest& request_;
  RowLoss loss_;
  std::vector<CellGrid> grids_;  // (groups)
};
inline CellsAdder row_adder(const CellsRequest& r) { return CellsAdder(r); }

/// The points that stand for a group's rows: at most two a cell and kind, y the kind.
WeightedRows weighted_rows(const CellsAnswer& answer, const CellsRequest& request, std::size_t group);

}  // namespace linkgistic
