#include "engine/verbs/cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

#include "engine/verbs/same_size.hpp"

namespace linkgistic {

RangeAnswer empty_answer(const RangeRequest& r) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {std::vector<double>(r.groups, infinity), std::vector<double>(r.groups, -infinity)};
}

void throw_not_finite(std::uint64_t row) {
  throw InputError("the score of row " + std::to_string(row + 1) + " is not finite");
}

void add_row(const RangeRequest& r, const ScoredRow& row, RangeAnswer& to) {
  if (!(row.weight > 0)) return;
  for (std::size_t p = 0; p < r.group.size(); ++p) {
    if (!row.in(r.scores.problems[p])) continue;
    const double score = row.scores[p];
    if (!std::isfinite(score)) throw_not_finite(row.number);
    to.lower[r.group[p]] = std::min(to.lower[r.group[p]], score);
    to.upper[r.group[p]] = std::max(to.upper[r.group[p]], score);
  }
}

void merge(RangeAnswer& left, const RangeAnswer& right) {
  for (const auto* other : {&std::as_const(left).upper, &right.lower, &right.upper})
    check_same_size(left.lower.size(), other->size());
  for (std::size_t g = 0; g < left.lower.size(); ++g) {
    left.lower[g] = std::min(left.lower[g], right.lower[g]);
    left.upper[g] = std::max(left.upper[g], right.upper[g]);
  }
}

CellsAnswer empty_answer(const CellsRequest& r) {
  return {std::vector<CellMoments>(r.kinds() * r.of.groups * r.cells), 0};
}

CellsAdder::CellsAdder(const CellsRequest& request) : request_(request), loss_(request.of.scores) {
  for (std::size_t g = 0; g < request.of.groups; ++g)
    grids_.emplace_back(request.range.lower[g], request.range.upper[g], request.cells, request.kinds());
}

void CellsAdder::operator()(const ScoredRow& row, CellsAnswer& to) {
  if (!(row.weight > 0)) return;
  if (request_.of.scores.coupled > 1) {
    for (std::size_t s = 0; s < request_.of.scores.sets(); ++s)
      if (loss_.takes(s, row)) add_softmax(row, s, to);
    return;
  }
  for (std::size_t p = 0; p < request_.of.group.size(); ++p) {
    const ScoreProblem& problem = request_.of.scores.problems[p];
    if (!row.in(problem)) continue;
    const std::size_t g = request_.of.group[p];
    grids_[g].add(row.scores[p], row.weight, row.label == problem.label ? 1 : 0,
                  to.moments.data() + 2 * g * request_.cells);
  }
}

void CellsAdder::add_softmax(const ScoredRow& row, std::size_t set, CellsAnswer& to) {
  const auto scores = loss_.scores(set, row);
  to.loss += row.weight * loss_.value(set, row.label, scores);
  const auto p = loss_.probabilities();
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const std::size_t problem = set * scores.size() + k;
    const std::size_t g = request_.of.group[problem];
    CellMoments* moments = to.moments.data() + 3 * g * request_.cells;
    if (row.label == request_.of.scores.problems[problem].label)
      grids_[g].add(scores[k], row.weight, 0, moments);
    grids_[g].add(scores[k], row.weight * p[k], 1, moments);
    grids_[g].add(scores[k], row.weight * p[k] * (1 - p[k]), 2, moments);
  }
}

WeightedRows weighted_rows(const CellsAnswer& answer, const CellsRequest& request, std::size_t group) {
  const std::size_t size = request.kinds() * request.cells;
  const CellGrid grid(request.range.lower[group], request.range.upper[group], request.cells, request.kinds());
  return grid.rows(std::span(answer.moments).subspan(group * size, size));
}

}  // namespace linkgistic
