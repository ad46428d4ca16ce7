#include "engine/request_check.hpp"

#include <algorithm>
#include <cmath>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw InputError(std::string("a request cannot be answered: ") + what);
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

class Check {
 public:
  Check(const RowsShape& shape, std::size_t parts) : shape_(shape), parts_(parts) {}

  void operator()(const SummaryRequest& r) const {
    for (const Selection& s : r.selections) check(s);
    require(
        r.selections.empty() || (r.labels >= shape_.labels && r.labels <= most_numbers / r.selections.size()),
        "its number of labels");
    require(r.pivot.empty() || r.pivot.size() == shape_.columns, "the size of its pivot");
  }
  void operator()(const ScoreRequest& r) const {
    require(r.coupled >= 1 && r.problems.size() % r.coupled == 0, "its sets of problems");
    require(r.coupled <= std::max<std::size_t>(r.problems.size(), 1), "the size of its sets");
    require(r.beta.size() == r.problems.size() * (shape_.columns + 1) && all_finite(r.beta),
            "its coefficients");
    for (const auto& table : r.tables)
      require(table != nullptr && table->is_whole(), "a table of its losses");
    for (const ScoreProblem& problem : r.problems) {
      require(problem.table >= 0 && static_cast<std::size_t>(problem.table) < r.tables.size(),
              "a problem's loss");
      check(problem.selection);
    }
  }
  void operator()(const LineRequest& r) const {
    (*this)(r.from);
    require(r.end.size() == r.from.beta.size() && all_finite(r.end), "its ends");
    require(r.from.sets() > 0 && r.steps.size() % r.from.sets() == 0 && all_finite(r.steps), "its steps");
  }
  void operator()(const RangeRequest& r) const {
    (*this)(r.scores);
    require(r.group.size() == r.scores.problems.size() && r.groups <= r.group.size(), "its groups");
    for (const std::uint32_t g : r.group) require(g < r.groups, "a problem's group");
  }
  void operator()(const CellsRequest& r) const {
    (*this)(r.of);
    require(r.range.lower.size() == r.of.groups && r.range.upper.size() == r.of.groups, "its ranges");
    for (std::size_t g = 0; g < r.of.groups; ++g) {
      require(!std::isnan(r.range.lower[g]) && !std::isnan(r.range.upper[g]), "a range");
      require(!(r.range.lower[g] < r.range.upper[g]) || std::isfinite(r.range.upper[g] - r.range.lower[g]),
              "a range");
    }
    require(r.cells > 0 && r.cells <= most_numbers / (3 * std::size_t{r.of.groups} + 1), "its cells");
  }
  void operator()(const SampleRequest& r) const { check_directed(r); }
  void operator()(const GramRequest& r) const { check_directed(r); }
  void operator()(const HeldOutRequest& r) const {
    (*this)(r.scores);
    require(r.candidate.size() == r.scores.sets() && r.candidates <= r.candidate.size(), "its candidates");
    for (const std::uint32_t c : r.candidate) require(c < r.candidates, "a set's candidate");
  }
  void operator()(const OverlapRequest& r) const {
    (*this)(r.of);
    require(r.of.scores.coupled > 1 && r.of.groups == r.of.scores.coupled, "its groups");
    require(r.functions.size() == r.of.groups, "its functions");
    for (const ScoreFunctions& f : r.functions) check(f);
    require(r.size() <= most_width, "the number of its functions");
  }
  void operator()(const InformationRequest& r) const {
    (*this)(r.scores);
    require(r.scores.problems.size() == 1, "its problems");
    check(r.scale);
    require(r.functions.size() == 2 && r.functions[0].count == r.functions[1].count, "its functions");
    for (const ScoreFunctions& f : r.functions) check(f);
    require(r.width() <= shape_.columns + most_width, "the number of its functions");
  }

 private:
  static constexpr std::size_t most_numbers = std::size_t{1} << 26, most_width = std::size_t{1} << 14;

  void check(const Selection& s) const {
    require(s.rows >= Selection::Rows::all && s.rows <= Selection::Rows::unheld, "a selection of rows");
    const bool of_part = s.rows == Selection::Rows::train || s.rows == Selection::Rows::held_out;
    require(!of_part || parts_ == 0 || (s.part >= 0 && static_cast<std::size_t>(s.part) < parts_),
            "a part of the rows");
  }
  void check(const ColumnScale& s) const {
    require(s.shift.empty() || s.shift.size() == shape_.columns, "the shift of columns");
    require(s.scale.empty() || s.scale.size() == shape_.columns, "the scale of columns");
  }
  static void check(const ScoreFunctions& f) {
    require(f.count > 0 && f.values.size() >= 2 * std::size_t{f.count} && f.values.size() % f.count == 0,
            "a function of scores");
    require(std::isfinite(f.lower) && std::isfinite(f.step) && f.step > 0, "a function's nodes");
  }
  template <class R>
  void check_directed(const R& r) const {
    (*this)(r.scores);
    require(r.scores.sets() == 1 && r.direction < r.scores.directions(), "its direction");
    check(r.scale);
  }

  const RowsShape& shape_;
  std::size_t parts_;
};

}  // namespace

void check_request(const Request& request, const RowsShape& shape, std::size_t parts) {
  std::visit(Check(shape, parts), request);
}

}  // namespace linkgistic
