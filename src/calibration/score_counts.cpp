#include "calibration/score_counts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <linkgistic/error.hpp>

#include "text/print_number.hpp"

namespace linkgistic {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

void check_lengths(std::size_t scores, std::size_t labels, std::size_t weights) {
  const auto same = [&](const char* what, std::size_t n) {
    if (n != scores) {
      throw InputError(std::to_string(n) + " " + what + " for " + std::to_string(scores) + " scores");
    }
  };
  if (scores == 0) throw InputError("there are no rows");
  same("labels", labels);
  if (weights > 0) same("weights", weights);
}

ScoreKind detect(std::span<const double> scores, ScoreKind kind) {
  if (kind != ScoreKind::automatic) return kind;
  const bool all = std::all_of(scores.begin(), scores.end(), [](double s) { return s >= 0 && s <= 1; });
  return all ? ScoreKind::probability : ScoreKind::decision;
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
ScoreCounts grid_counts(ScoreEngine& engine) {
  constexpr std::uint64_t most_cells = std::uint64_t{1} << 20;
  constexpr std::uint32_t bits_at_once = 4;
  CountsRequest request{0, most_cells};
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
      if (s != last && !(s - last <= rounding.at(last))) break;
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

}  // namespace

double bounded_log_odds(double p) {
  static const double edge = std::log(1e12);
  constexpr double limit = 746;  // of the least positive number, one further
  double l = p == 0 ? -limit : p == 1 ? limit : std::log(p) - std::log1p(-p);
  if (std::abs(l) > edge) l = std::copysign(edge + std::log1p(std::abs(l) - edge), l);
  return l;
}

void check_score(double score, ScoreKind kind, std::size_t row) {
  if (std::isnan(score)) throw InputError("the score of row " + std::to_string(row + 1) + " is not a number");
  if (kind == ScoreKind::probability && !(score >= 0 && score <= 1)) {
    throw InputError("the score of row " + std::to_string(row + 1) + " is " + shortest(score) +
                     ": a probability must lie between 0 and 1");
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

ScoreCounts count_scores(std::span<const double> scores, std::span<const std::uint8_t> labels,
                         std::span<const double> weights, ScoreKind kind, int threads,
                         const ScoreEngineFactory& make_engine) {
  check_lengths(scores.size(), labels.size(), weights.size());
  kind = detect(scores, kind);
  bool weighs = false;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    check_score(scores[n], kind, n);
    if (labels[n] > 1) {
      throw InputError("the label of row " + std::to_string(n + 1) + " is " + std::to_string(labels[n]) +
                       ": it must be 0 or 1");
    }
    const double w = weights.empty() ? 1.0 : weights[n];
    if (!(w >= 0 && std::isfinite(w))) {
      throw InputError("the weight of row " + std::to_string(n + 1) + " is " + shortest(w) +
                       ": it must be finite and not negative");
    }
    weighs = weighs || w > 0;
  }
  if (!weighs) throw InputError("no row has a positive weight");
  // Probabilities are counted as log odds.
  std::vector<double> log_odds;
  if (kind == ScoreKind::probability) {
    log_odds.reserve(scores.size());
    for (const double p : scores) log_odds.push_back(bounded_log_odds(p));
    scores = log_odds;
  }
  const auto engine = make_engine({scores, labels, weights}, threads);
  ScoreCounts counts = distinct_counts(grid_counts(*engine), kind);
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
