#include "calibration/score_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/limits.hpp"
#include "numeric/log_odds.hpp"
#include "text/print_number.hpp"
#include "text/row_error.hpp"

namespace linkgistic {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

// What the scores are, of rows that a fit can use.
ScoreKind checked_kind(const ScoreCheckAnswer& rows, ScoreKind kind) {
  if (rows.rows == 0) throw InputError("there are no rows");
  if (kind == ScoreKind::automatic)
    kind = rows.no_probability.row == FirstRow::none ? ScoreKind::probability : ScoreKind::decision;
  const FirstRow& score = kind == ScoreKind::probability ? rows.no_probability : rows.no_number;
  const std::uint64_t first = std::min({score.row, rows.bad_label.row, rows.bad_weight.row});
  if (first == FirstRow::none) {
    if (!rows.weighs) throw InputError("no row has a positive weight");
    return kind;
  }
  if (first == score.row) check_score(score.value, kind, first);
  const std::string row = " of row " + std::to_string(first + 1) + " is ";
  if (first == rows.bad_label.row)
    throw InputError("the label" + row + shortest(rows.bad_label.value) + ": it must be 0 or 1");
  throw InputError("the weight" + row + shortest(rows.bad_weight.value) + ": " + weight_rule);
}

// The distance between the scores that a quarter and three quarters of the weight lie below.
double interquartile(const ScoreCounts& c) {
  double total = 0;
  for (std::size_t i = 0; i < c.size(); ++i) total += c.weight(i);
  double sum = 0, quarter = 0;
  bool found = false;
  for (std::size_t i = 0; i < c.size(); ++i) {
    sum += c.weight(i);
    if (!found && sum >= total / 4) {
      quarter = c.value[i];
      found = true;
    }
    if (sum >= 3 * total / 4) {
      const double distance = c.value[i] - quarter;
      return std::isfinite(distance) ? distance : 0;
    }
  }
  return 0;
}

// How far rounding may carry a score s: some hundred units in the last place of the terms it is a sum of; of
// a probability p, which has an error of some units of its own and s = log(p/(1-p)), 1/(1-p) = 1 + e^s times
// that.
class Rounding {
 public:
  Rounding(double spread, ScoreKind kind) : spread_(spread), probability_(kind == ScoreKind::probability) {}
  [[nodiscard]] double at(double s) const {
    double error = 0x1p-44 * std::max(std::abs(s), spread_);
    if (probability_) error += 0x1p-48 * (1 + std::exp(s));
    return spread_ > 0 ? std::min(error, 1e-3 * spread_) : error;
  }

 private:
  double spread_;
  bool probability_;
};

// The counts of an engine on its finest grid with at most 2^20 cells: exact while distinct scores are few.
ScoreCounts grid_counts(ScoreEngine& engine, ScoreKind kind) {
  constexpr std::uint64_t most_cells = std::uint64_t{1} << 20;
  constexpr std::uint32_t bits_at_once = 4;
  // Probabilities are counted as log odds.
  CountsRequest request{0, most_cells, kind == ScoreKind::probability};
  CountsAnswer answer = engine.ask(request);
  for (; answer.too_many; answer = engine.ask(request)) request.drop += bits_at_once;
  ScoreCounts counts;
  counts.rows = answer.rows;
  counts.value.reserve(answer.cell.size());
  for (const std::uint64_t cell : answer.cell) counts.value.push_back(request.score(cell));
  counts.negative = std::move(answer.negative);
  counts.positive = std::move(answer.positive);
  return counts;
}

// One entry for each distinct score; infinite ones stay infinite. Scores that differ from their neighbour
// only by rounding are merged: a forest's votes summed in another order, or equal rows in another place of a
// matrix product.
ScoreCounts distinct_counts(ScoreCounts counts, ScoreKind kind) {
  const Rounding rounding(interquartile(counts), kind);
  std::size_t distinct = 0;
  for (std::size_t i = 0; i < counts.size(); ++distinct) {
    const double first = counts.value[i];
    double last = first;
    double weight[2] = {0, 0};
    for (; i < counts.size(); ++i) {
      const double s = counts.value[i];
      if (s != last && !(std::isfinite(last) && s - last <= rounding.at(last))) break;
      last = s;
      weight[0] += counts.negative[i];
      weight[1] += counts.positive[i];
    }
    counts.value[distinct] = first == last ? first : first / 2 + last / 2;
    counts.negative[distinct] = weight[0];
    counts.positive[distinct] = weight[1];
  }
  for (auto* column : {&counts.value, &counts.negative, &counts.positive}) column->resize(distinct);
  return counts;
}

// Whether (-s, 1 - y) comes before (s, y) in the lexicographic order of (s, weight 0, weight 1).
bool mirror_first(const ScoreCounts& c) {
  for (std::size_t i = 0, j = c.size(); i < c.size(); ++i) {
    --j;
    if (c.value[i] != -c.value[j]) return -c.value[j] < c.value[i];
    if (c.negative[i] != c.positive[j]) return c.positive[j] < c.negative[i];
    if (c.positive[i] != c.negative[j]) return c.negative[j] < c.positive[i];
  }
  return false;
}

void set_scale(ScoreCounts& c) {
  ScoreScale& scale = c.scale;
  scale.lower_infinite = c.value.front() == -std::numeric_limits<double>::infinity();
  scale.upper_infinite = c.value.back() == std::numeric_limits<double>::infinity();
  const auto finite = [](double s) { return std::isfinite(s); };
  const auto first = std::find_if(c.value.begin(), c.value.end(), finite);
  if (first == c.value.end()) return;
  scale.lower = *first;
  scale.upper = *std::find_if(c.value.rbegin(), c.value.rend(), finite);
  const double size = std::max(std::abs(scale.lower), std::abs(scale.upper));
  if (size > 0) scale.unit = std::ldexp(1.0, std::max(std::ilogb(size), -1000));
}

// The warp divides differences of normal quantiles, below 80, by distances of neighbours: with a range of at
// most so many times the least distance no quotient overflows, and no distance is subnormal in units of the
// range.
constexpr double most_range = 1e305;

// Throws an InputError where finite scores are so far apart that the others cannot be told from each other
// next to them.
void check_range(const ScoreCounts& c) {
  const auto finite = [](double s) { return std::isfinite(s); };
  const auto first = std::find_if(c.value.begin(), c.value.end(), finite);
  const auto last = std::find_if(first, c.value.end(), [&](double s) { return !finite(s); });
  double least = largest;
  for (auto at = first; at != last && at + 1 != last; ++at) least = std::min(least, at[1] - at[0]);
  if (first == last || last[-1] / most_range - *first / most_range <= least) return;
  const double far = std::abs(*first) > std::abs(last[-1]) ? *first : last[-1];
  throw InputError("the score " + shortest(far) + " is too far from the others, which lie as close as " +
                   shortest(least) + ": the range of all finite scores can be at most " +
                   shortest(most_range) + " times the least distance of two");
}

}  // namespace

void check_score(double score, ScoreKind kind, std::size_t row, std::size_t column) {
  if (std::isnan(score)) throw RowError("the score", row, " is not a number", column);
  if (kind == ScoreKind::probability && !(score >= 0 && score <= 1)) {
    throw RowError("the score", row, " is " + shortest(score) + ": a probability must lie between 0 and 1",
                   column);
  }
}

double ScoreScale::margin() const {
  const double range = (upper / 2 - lower / 2) / 5;
  return range > 0 ? range : unit;
}

double ScoreScale::at(double score) const {
  double s = kind == ScoreKind::probability ? bounded_log_odds(score) : score;
  // m z/(m + z): slope 1 at z = 0, the limit m at infinity.
  const double m = margin();
  if (upper_infinite && s > upper) s = upper + (std::isinf(s) ? m : m / (1 + m / (s - upper)));
  if (lower_infinite && s < lower) s = lower - (std::isinf(s) ? m : m / (1 + m / (lower - s)));
  s = std::clamp(std::clamp(s, -largest, largest) / unit, -largest, largest);
  return mirrored ? -s : s;
}

double ScoreScale::claim(double value) const { return std::clamp(value * unit, -largest, largest); }

ScoreCounts count_scores(ScoreEngine& engine, ScoreKind kind) {
  kind = checked_kind(engine.ask(ScoreCheckRequest{}), kind);
  ScoreCounts counts = distinct_counts(grid_counts(engine, kind), kind);
  check_range(counts);
  counts.scale.kind = kind;
  set_scale(counts);
  // The counted values are log odds already.
  ScoreScale plain = counts.scale;
  plain.kind = ScoreKind::log_odds;
  for (double& s : counts.value) s = plain.at(s);
  if (mirror_first(counts)) {
    counts.scale.mirrored = true;
    std::reverse(counts.value.begin(), counts.value.end());
    std::reverse(counts.negative.begin(), counts.negative.end());
    std::reverse(counts.positive.begin(), counts.positive.end());
    counts.negative.swap(counts.positive);
    for (double& s : counts.value) s = -s;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) counts.total += counts.weight(i);
  if (!std::isfinite(counts.total)) throw InputError("the weights overflow: their sum is infinite");
  return counts;
}

}  // namespace linkgistic
