#include "engine/verbs/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

RangeAnswer empty_answer(const RangeRequest& r) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {std::vector<double>(r.groups, infinity), std::vector<double>(r.groups, -infinity)};
}

void add_row(const RangeRequest& r, const ScoredRow& row, RangeAnswer& to) {
  if (!(row.weight > 0)) return;
  for (std::size_t p = 0; p < r.group.size(); ++p) {
    if (!row.in(r.scores.problems[p])) continue;
    const double score = row.scores[p];
    if (!std::isfinite(score))
      throw InputError("the score of row " + std::to_string(row.number + 1) + " is not finite");
    to.lower[r.group[p]] = std::min(to.lower[r.group[p]], score);
    to.upper[r.group[p]] = std::max(to.upper[r.group[p]], score);
  }
}

void merge(RangeAnswer& left, const RangeAnswer& right) {
  for (std::size_t g = 0; g < left.lower.size(); ++g) {
    left.lower[g] = std::min(left.lower[g], right.lower[g]);
    left.upper[g] = std::max(left.upper[g], right.upper[g]);
  }
}

CellsAnswer empty_answer(const CellsRequest& r) {
  return {std::vector<CellMoments>(std::size_t{2} * r.of.groups * r.cells)};
}

CellsAdder::CellsAdder(const CellsRequest& request) : request_(request) {
  for (std::size_t g = 0; g < request.of.groups; ++g)
    grids_.emplace_back(request.range.lower[g], request.range.upper[g], request.cells);
}

void CellsAdder::operator()(const ScoredRow& row, CellsAnswer& to) const {
  if (!(row.weight > 0)) return;
  for (std::size_t p = 0; p < request_.of.group.size(); ++p) {
    const ScoreProblem& problem = request_.of.scores.problems[p];
    if (!row.in(problem)) continue;
    const std::size_t g = request_.of.group[p];
    grids_[g].add(row.scores[p], row.weight, row.label == problem.label ? 1 : 0,
                  to.moments.data() + 2 * g * request_.cells);
  }
}

WeightedRows weighted_rows(const CellsAnswer& answer, const CellsRequest& request, std::size_t group) {
  const CellGrid grid(request.range.lower[group], request.range.upper[group], request.cells);
  return grid.rows(
      std::span(answer.moments).subspan(2 * group * request.cells, std::size_t{2} * request.cells));
}

}  // namespace linkgistic
