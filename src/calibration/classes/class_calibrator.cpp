#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/classes/fitted.hpp"
#include "calibration/fitted.hpp"
#include "calibration/score_counts.hpp"
#include "numeric/hash.hpp"
#include "numeric/log_odds.hpp"
#include "numeric/logistic.hpp"
#include "numeric/progress_monitor.hpp"
#include "numeric/quantile.hpp"
#include "numeric/random.hpp"
#include "numeric/stopwatch.hpp"

namespace linkgistic {
namespace {

struct ClassRows {
  std::vector<double> log_odds;  // (N, C)
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  std::size_t classes = 0;
  [[nodiscard]] std::size_t size() const { return labels.size(); }
};

// The rows of a part, or all others.
ClassRows part_of(const ClassRows& rows, std::span<const int> part, int which, bool inside) {
  ClassRows result;
  result.classes = rows.classes;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    if ((part[n] == which) != inside) continue;
    const auto begin = rows.log_odds.begin() + static_cast<std::ptrdiff_t>(n * rows.classes);
    result.log_odds.insert(result.log_odds.end(), begin, begin + static_cast<std::ptrdiff_t>(rows.classes));
    result.labels.push_back(rows.labels[n]);
    if (!rows.weights.empty()) result.weights.push_back(rows.weights[n]);
  }
  return result;
}

// before: called before every map, after: after it.
template <class Before, class After>
std::vector<FittedMonotoneCalibrator> fit_maps(const ClassRows& rows, CalibratorOptions options,
                                               ClassMaps maps, Before&& before, After&& after) {
  options.score_kind = ScoreKind::log_odds;
  const std::uint64_t seed = options.seed;
  std::vector<FittedMonotoneCalibrator> result;
  std::vector<double> score, weight;
  std::vector<std::uint8_t> label;
  for (std::size_t c = 0; c < rows.classes; ++c) {
    for (std::size_t n = 0; n < rows.size(); ++n) {
      score.push_back(rows.log_odds[n * rows.classes + c]);
      label.push_back(static_cast<std::size_t>(rows.labels[n]) == c ? 1 : 0);
      if (!rows.weights.empty()) weight.push_back(rows.weights[n]);
    }
    if (maps == ClassMaps::shared && c + 1 < rows.classes) continue;
    before();
    options.seed = seed + result.size();  // the draws of different maps are independent
    result.push_back(MonotoneCalibrator(options).fit(score, label, weight));
    after();
    score.clear();
    label.clear();
    weight.clear();
  }
  return result;
}

double total_loss(const ClassRows& rows, std::span<const double> p) {
  double sum = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const double w = rows.weights.empty() ? 1.0 : rows.weights[n];
    sum -= w * std::log(p[n * rows.classes + static_cast<std::size_t>(rows.labels[n])]);
  }
  return sum;
}

// The part that a row of log odds belongs to. It is random, but equal rows have the same part, wherever and
// however often they occur, even if rounding has moved them. For this, log odds are counted in steps of 1/64
// of their size, and the ends of the steps lie away from 0 and other likely numbers.
int part_of_row(std::span<const double> log_odds, const ClassCalibratorOptions& options) {
  Hash hash;
  for (const double l : log_odds) {
    const double step = std::floor(64 * std::asinh(0x1p40 * std::clamp(l, -1e290, 1e290)) + 0.3217);
    hash.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(step)));
  }
  const auto folds = static_cast<std::uint64_t>(options.folds);
  return static_cast<int>(RandomStream(options.seed, hash.value()).below(folds));
}

// Cross-validated log loss per row of one_vs_rest and of shared maps, over the parts that were finished
// before a stop; 0 if there are none.
std::pair<double, double> cross_validate(const ClassRows& rows, const ClassCalibratorOptions& options,
                                         ProgressMonitor& monitor) {
  std::vector<int> part(rows.size());
  for (std::size_t n = 0; n < part.size(); ++n)
    part[n] = part_of_row(std::span(rows.log_odds).subspan(n * rows.classes, rows.classes), options);
  double loss[2] = {0, 0};
  double total = 0;
  for (int k = 0; k < options.folds; ++k) {
    const ClassRows train = part_of(rows, part, k, false), test = part_of(rows, part, k, true);
    if (train.size() == 0 || test.size() == 0) continue;
    const std::size_t tried = static_cast<std::size_t>(options.folds) * (rows.classes + 1);
    double of_part[2] = {0, 0};
    try {
      for (const int m : {0, 1}) {
        const auto maps = fit_maps(
            train, options.map, m == 0 ? ClassMaps::one_vs_rest : ClassMaps::shared,
            [&] {
              if (monitor.ask_stop()) throw Interrupted();
            },
            [&] { monitor.advance("maps tried", tried, 0); });
        of_part[m] = total_loss(test, class_probabilities(maps, test.log_odds, rows.classes));
      }
    } catch (const Interrupted&) {
      break;
    }
    for (const int m : {0, 1}) loss[m] += of_part[m];
    for (std::size_t n = 0; n < test.size(); ++n) total += test.weights.empty() ? 1.0 : test.weights[n];
  }
  if (total == 0) return {0, 0};
  return {loss[0] / total, loss[1] / total};
}

// Rows of positive weight, checked.
ClassRows check_rows(std::span<const double> log_odds, std::span<const std::int32_t> labels,
                     std::span<const double> weights, std::size_t classes) {
  if (labels.empty()) throw InputError("there are no rows");
  if (!weights.empty() && weights.size() != labels.size()) {
    throw InputError(std::to_string(weights.size()) + " weights for " + std::to_string(labels.size()) +
                     " rows");
  }
  ClassRows rows;
  rows.classes = classes;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const std::string row = " of row " + std::to_string(n + 1);
    if (labels[n] < 0 || static_cast<std::size_t>(labels[n]) >= classes) {
      throw InputError("the label" + row + " is class number " + std::to_string(labels[n]) + " of " +
                       std::to_string(classes));
    }
    const double w = weights.empty() ? 1.0 : weights[n];
    if (!(w >= 0 && std::isfinite(w))) {
      throw InputError("the weight" + row + " must be finite and not negative");
    }
    if (w == 0) continue;
    const auto begin = log_odds.begin() + static_cast<std::ptrdiff_t>(n * classes);
    rows.log_odds.insert(rows.log_odds.end(), begin, begin + static_cast<std::ptrdiff_t>(classes));
    rows.labels.push_back(labels[n]);
    if (!weights.empty()) rows.weights.push_back(w);
  }
  if (rows.size() == 0) throw InputError("no row has a positive weight");
  return rows;
}

}  // namespace

std::vector<double> class_log_odds(std::span<const double> scores, std::size_t classes, ScoreKind kind) {
  std::vector<double> result(scores.size());
  for (std::size_t first = 0; first + classes <= scores.size(); first += classes) {
    const std::size_t row = first / classes;
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      check_score(scores[first + c], kind, row);
      if (std::isinf(scores[first + c])) {
        throw InputError("a score of row " + std::to_string(row + 1) + " is infinite");
      }
      sum += scores[first + c];
    }
    if (kind == ScoreKind::probability && !(sum > 0)) {
      throw InputError("the probabilities of row " + std::to_string(row + 1) + " are all 0");
    }
    for (std::size_t c = 0; c < classes; ++c) {
      if (kind == ScoreKind::probability) {
        result[first + c] = bounded_log_odds(std::min(scores[first + c] / sum, 1.0));
        continue;
      }
      double others = -std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < classes; ++j) {
        if (j != c) others = log_add(others, scores[first + j]);
      }
      result[first + c] = scores[first + c] - others;
    }
  }
  return result;
}

std::vector<double> class_probabilities(std::span<const FittedMonotoneCalibrator> calibrators,
                                        std::span<const double> log_odds, std::size_t classes) {
  const std::size_t rows = log_odds.size() / classes;
  std::vector<double> result;
  if (calibrators.size() == 1) {
    result = calibrators[0].log_odds(log_odds);
  } else {
    result.resize(log_odds.size());
    std::vector<double> column(rows);
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t n = 0; n < rows; ++n) column[n] = log_odds[n * classes + c];
      const std::vector<double> l = calibrators[c].log_odds(column);
      for (std::size_t n = 0; n < rows; ++n) result[n * classes + c] = l[n];
    }
  }
  // p_c = sigmoid(l_c)/sum, from logarithms: none is 0.
  for (std::size_t n = 0; n < rows; ++n) {
    double* l = result.data() + n * classes;
    double best = -std::numeric_limits<double>::infinity(), sum = 0;
    for (std::size_t c = 0; c < classes; ++c) best = std::max(best, l[c] = -softplus(-l[c]));
    for (std::size_t c = 0; c < classes; ++c) {
      sum += l[c] = std::max(std::exp(l[c] - best), std::numeric_limits<double>::min());
    }
    for (std::size_t c = 0; c < classes; ++c) l[c] /= sum;
  }
  return result;
}

ClassCalibrator::ClassCalibrator(ClassCalibratorOptions options) : options_(std::move(options)) {
  options_.validate();
}

FittedClassCalibrator ClassCalibrator::fit(std::span<const double> scores,
                                           std::span<const std::int32_t> labels,
                                           std::vector<std::string> class_names,
                                           std::span<const double> weights) const {
  const std::size_t classes = class_names.size();
  if (classes < 2) throw InputError("there must be at least two classes");
  if (scores.size() != labels.size() * classes) {
    throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(labels.size()) +
                     " rows of " + std::to_string(classes) + " classes");
  }
  ProgressMonitor monitor(options_.stop, options_.on_progress);
  const Stopwatch clock;
  auto state = std::make_shared<FittedClassCalibratorState>();
  ClassCalibratorSummary& summary = state->summary;
  summary.score_kind = options_.map.score_kind;
  if (summary.score_kind == ScoreKind::automatic) {
    const bool all = std::all_of(scores.begin(), scores.end(), [](double s) { return s >= 0 && s <= 1; });
    summary.score_kind = all ? ScoreKind::probability : ScoreKind::log_odds;
  }
  const ClassRows rows =
      check_rows(class_log_odds(scores, classes, summary.score_kind), labels, weights, classes);
  summary.rows = rows.size();
  summary.maps = options_.maps;
  if (options_.maps == ClassMaps::automatic) {
    std::tie(summary.one_vs_rest_loss, summary.shared_loss) = cross_validate(rows, options_, monitor);
    summary.maps =
        summary.one_vs_rest_loss < summary.shared_loss ? ClassMaps::one_vs_rest : ClassMaps::shared;
  }
  summary.interrupted = monitor.stopped();
  if (summary.interrupted) {
    summary.warnings.push_back(
        "interrupted: the choice between one map for all classes and one for each rests on " +
        std::string(summary.shared_loss > 0 ? "a part of the cross-validation"
                                            : "nothing, it is one for all"));
  }
  state->options = options_;
  state->options.stop = nullptr;
  state->options.on_progress = nullptr;
  state->calibrators = fit_maps(
      rows, options_.map, summary.maps,
      [&] {
        if (!summary.interrupted && monitor.ask_stop()) throw Interrupted();
      },
      [&] { monitor.advance("maps", summary.maps == ClassMaps::shared ? 1 : classes, 0); });
  state->class_names = std::move(class_names);
  for (const auto& c : state->calibrators) summary.calibrators.push_back(c.summary());
  summary.seconds = clock.seconds();
  return FittedClassCalibrator(state);
}

FittedClassCalibrator::FittedClassCalibrator(std::shared_ptr<const FittedClassCalibratorState> state)
    : state_(std::move(state)) {}

CalibratedClasses FittedClassCalibrator::predict(std::span<const double> scores,
                                                 std::optional<double> interval) const {
  const std::size_t classes = state_->class_names.size();
  if (interval) (void)central_levels(*interval);  // checks it
  if (scores.size() % classes != 0) {
    throw InputError(std::to_string(scores.size()) + " scores do not fill rows of " +
                     std::to_string(classes));
  }
  CalibratedClasses result;
  const std::vector<double> log_odds = claimed_log_odds(scores);
  result.probability = class_probabilities(state_->calibrators, log_odds, classes);
  if (interval) set_class_bands(state_->calibrators, log_odds, classes, *interval, result);
  for (std::size_t first = 0; first < scores.size(); first += classes) {
    const auto begin = result.probability.begin() + static_cast<std::ptrdiff_t>(first);
    result.label.push_back(static_cast<std::size_t>(
        std::max_element(begin, begin + static_cast<std::ptrdiff_t>(classes)) - begin));
  }
  return result;
}

std::vector<double> FittedClassCalibrator::uncalibrated(std::span<const double> scores) const {
  std::vector<double> p = claimed_log_odds(scores);
  for (double& value : p) value = sigmoid(value);
  return p;
}

std::vector<double> FittedClassCalibrator::claimed_log_odds(std::span<const double> scores) const {
  return class_log_odds(scores, state_->class_names.size(), state_->summary.score_kind);
}

const FittedMonotoneCalibrator& FittedClassCalibrator::map(std::size_t c) const {
  return state_->calibrators.size() == 1 ? state_->calibrators.front() : state_->calibrators.at(c);
}

const std::vector<std::string>& FittedClassCalibrator::class_names() const { return state_->class_names; }
const ClassCalibratorSummary& FittedClassCalibrator::summary() const { return state_->summary; }
const ClassCalibratorOptions& FittedClassCalibrator::options() const { return state_->options; }

std::string FittedClassCalibrator::posterior() const {
  const PosteriorQuality* worst = nullptr;
  std::size_t of = 0;
  const auto& maps = state_->calibrators;
  for (std::size_t c = 0; c < maps.size(); ++c) {
    const PosteriorQuality& quality = maps[c].state().draws->get(maps[c].state()).posterior.quality;
    if (worst != nullptr && quality.trouble <= worst->trouble) continue;
    worst = &quality;
    of = c;
  }
  return (maps.size() > 1 ? "worst for " + state_->class_names[of] + ": " : std::string()) + worst->words;
}

std::vector<std::string> FittedClassCalibrator::warnings() const {
  std::vector<std::string> all = state_->summary.warnings;
  for (std::size_t c = 0; c < state_->calibrators.size(); ++c) {
    const std::string of =
        state_->calibrators.size() > 1 ? "class " + state_->class_names[c] + ": " : std::string();
    for (const std::string& warning : state_->calibrators[c].warnings()) all.push_back(of + warning);
  }
  return all;
}

const std::map<std::string, std::string>& FittedClassCalibrator::columns() const { return state_->columns; }

FittedClassCalibrator FittedClassCalibrator::with_columns(std::map<std::string, std::string> columns) const {
  auto state = std::make_shared<FittedClassCalibratorState>(*state_);
  state->columns = std::move(columns);
  return FittedClassCalibrator(state);
}

}  // namespace linkgistic
