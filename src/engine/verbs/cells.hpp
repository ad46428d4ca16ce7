// range: least and greatest score of a group's rows. cells: moments 0 to 3 of the scores in each cell of that
// range, for either label. The problems of one group share its sums: each row counts by the problems that
// look at it, so a score may come from the fit that left the row out.
#pragma once

#include "engine/compression.hpp"
#include "engine/verbs/score_request.hpp"

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
void add_row(const RangeRequest& r, const ScoredRow& row, RangeAnswer& to);
void merge(RangeAnswer& left, const RangeAnswer& right);

struct CellsAnswer {
  std::vector<CellMoments> moments;  // (groups, cells, labels 0 and 1)

  auto fields() { return std::tie(moments); }
};

struct CellsRequest {
  using Answer = CellsAnswer;
  RangeRequest of;
  RangeAnswer range;
  std::uint32_t cells = 0;

  auto fields() { return std::tie(of, range, cells); }
};

CellsAnswer empty_answer(const CellsRequest& r);
/// Adds rows one after the other; the request must outlive it.
class CellsAdder {
 public:
  explicit CellsAdder(const CellsRequest& request);
  void operator()(const ScoredRow& row, CellsAnswer& to) const;

 private:
  const CellsRequest& request_;
  std::vector<CellGrid> grids_;  // (groups)
};
inline CellsAdder row_adder(const CellsRequest& r) { return CellsAdder(r); }

/// The rows that stand for a group's: at most two points a cell and label.
WeightedRows weighted_rows(const CellsAnswer& answer, const CellsRequest& request, std::size_t group);

}  // namespace linkgistic
