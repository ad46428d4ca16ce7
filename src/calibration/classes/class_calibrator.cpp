#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/classes/fitted.hpp"
#include "calibration/classes/stack.hpp"
#include "calibration/fitted.hpp"
#include "calibration/names.hpp"
#include "calibration/score_counts.hpp"
#include "numeric/log_odds.hpp"
#include "numeric/logistic.hpp"
#include "numeric/progress_monitor.hpp"
#include "numeric/quantile.hpp"
#include "numeric/stopwatch.hpp"
#include "text/row_error.hpp"

namespace linkgistic {
namespace {

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

// The scalings of the average: temperature, matrix, and one that is held less.
constexpr ClassScalingStrength average_scalings[] = {{false, false, 2}, {true, true, 2}, {true, true, 0.4}};

// Probabilities as log odds of each class against the others.
std::vector<double> as_log_odds(std::vector<double> p) {
  for (double& value : p) value = bounded_log_odds(value);
  return p;
}

// The probabilities that candidates gave labels they had not seen, part after part.
struct HeldOut {
  enum Candidate { one_vs_rest, shared, claims, temperature, matrix, loose_matrix, maps_on_matrix, count };
  std::array<std::vector<double>, count> p;
  std::vector<double> weight;

  [[nodiscard]] double loss(Candidate c) const {
    double sum = 0;
    double total = 0;
    for (std::size_t n = 0; n < weight.size(); ++n) {
      sum -= weight[n] * std::log(p[c][n]);
      total += weight[n];
    }
    return total > 0 ? sum / total : 0;
  }
};

// Rows to choose by: all, or so many of them.
ClassRows some_rows(const ClassRows& rows) {
  constexpr std::size_t most = 20'000;
  if (rows.size() <= most) return rows;
  const std::size_t step = (rows.size() + most - 1) / most;
  std::vector<int> kept(rows.size());
  for (std::size_t n = 0; n < rows.size(); ++n) kept[n] = n % step == 0 ? 1 : 0;
  return part_of(rows, kept, 1, true);
}

// Over the parts that were finished before a stop.
HeldOut cross_validate(const ClassRows& rows, const ClassCalibratorOptions& options,
                       ProgressMonitor& monitor) {
  HeldOut result;
  const std::vector<int> part = parts_of(rows, options);
  const bool average = options.method == ClassMethod::automatic;
  std::vector<int> all(static_cast<std::size_t>(options.folds));
  std::iota(all.begin(), all.end(), 0);
  std::vector<ClassScaling> scalings;
  if (average) scalings = fit_scalings(rows, part, all, average_scalings, options.map.threads);
  const std::size_t tried = static_cast<std::size_t>(options.folds) * ((average ? 2 : 1) * rows.classes + 1);
  const auto before = [&] {
    if (monitor.ask_stop()) throw Interrupted();
  };
  const auto after = [&] { monitor.advance("maps tried", tried, 0); };
  for (int k = 0; k < options.folds; ++k) {
    const ClassRows train = part_of(rows, part, k, false), test = part_of(rows, part, k, true);
    if (train.size() == 0 || test.size() == 0) continue;
    std::array<std::vector<double>, HeldOut::count> p;
    const auto keep = [&](HeldOut::Candidate c, std::span<const double> of_classes) {
      p[c] = of_labels(test, of_classes);
    };
    try {
      keep(HeldOut::one_vs_rest,
           class_probabilities(fit_maps(train, options.map, ClassMaps::one_vs_rest, before, after),
                               test.log_odds, rows.classes));
      keep(HeldOut::shared,
           class_probabilities(fit_maps(train, options.map, ClassMaps::shared, before, after), test.log_odds,
                               rows.classes));
      if (average) {
        keep(HeldOut::claims, ClassComponent{}.probabilities(test.log_odds, rows.classes));
        const auto of_part = std::span(scalings).subspan(3 * static_cast<std::size_t>(k), 3);
        for (std::size_t i = 0; i < of_part.size(); ++i)
          keep(static_cast<HeldOut::Candidate>(HeldOut::temperature + i),
               scaled(of_part[i], test.log_odds, rows.classes));
        const ClassScaling& matrix = of_part[1];
        ClassRows moved = train;
        moved.log_odds = as_log_odds(scaled(matrix, train.log_odds, rows.classes));
        ClassComponent bent{"", 1, matrix, {}};
        bent.maps = fit_maps(moved, options.map, ClassMaps::one_vs_rest, before, after);
        keep(HeldOut::maps_on_matrix, bent.probabilities(test.log_odds, rows.classes));
      }
    } catch (const Interrupted&) {
      break;
    }
    for (std::size_t c = 0; c < HeldOut::count; ++c)
      result.p[c].insert(result.p[c].end(), p[c].begin(), p[c].end());
    for (std::size_t n = 0; n < test.size(); ++n) result.weight.push_back(test.weight(n));
  }
  return result;
}

// The components besides the maps, with weights by `held_out` or, for one method alone, 1.
void add_components(const ClassRows& rows, const ClassCalibratorOptions& options, const HeldOut& held_out,
                    FittedClassCalibratorState& state) {
  if (options.method == ClassMethod::maps) return;
  const int everything[] = {-1};
  if (options.method != ClassMethod::automatic) {
    const ClassScalingStrength how{options.method != ClassMethod::temperature,
                                   options.method == ClassMethod::matrix, 2};
    state.maps_weight = 0;
    state.components = {{name_of(class_method_names(), options.method),
                         1,
                         fit_scalings(rows, {}, everything, std::span(&how, 1), options.map.threads).front(),
                         {}}};
    return;
  }
  if (held_out.weight.empty()) return;
  constexpr double rows_for_all = 5;
  constexpr double least_weight = 0.02;
  const bool shared = state.summary.maps == ClassMaps::shared;
  const std::vector<double> p[] = {held_out.p[shared ? HeldOut::shared : HeldOut::one_vs_rest],
                                   held_out.p[HeldOut::claims],
                                   held_out.p[HeldOut::temperature],
                                   held_out.p[HeldOut::matrix],
                                   held_out.p[HeldOut::loose_matrix],
                                   held_out.p[HeldOut::maps_on_matrix]};
  std::vector<double> w = stack_weights(p, held_out.weight, rows_for_all);
  double kept = w[0];
  for (std::size_t i = 1; i < w.size(); ++i) kept += w[i] = w[i] < least_weight ? 0 : w[i];
  for (double& value : w) value /= kept;
  state.maps_weight = w[0];
  const std::vector<ClassScaling> scalings =
      fit_scalings(rows, {}, everything, average_scalings, options.map.threads);
  if (w[1] > 0) state.components.push_back({"claims", w[1], {}, {}});
  const char* const names[] = {"temperature", "matrix", "loose matrix"};
  for (std::size_t i = 0; i < 3; ++i)
    if (w[2 + i] > 0) state.components.push_back({names[i], w[2 + i], scalings[i], {}});
  if (w[5] > 0) {
    ClassRows moved = rows;
    moved.log_odds = as_log_odds(scaled(scalings[1], rows.log_odds, rows.classes));
    state.components.push_back({"maps on matrix", w[5], scalings[1],
                                fit_maps(
                                    moved, options.map, ClassMaps::one_vs_rest, [] {}, [] {})});
  }
}

}  // namespace

std::vector<double> class_log_odds(std::span<const double> scores, std::size_t classes, ScoreKind kind) {
  std::vector<double> result(scores.size());
  for (std::size_t first = 0; first + classes <= scores.size(); first += classes) {
    const std::size_t row = first / classes;
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      check_score(scores[first + c], kind, row, c);
      if (std::isinf(scores[first + c])) {
        throw RowError("a score", row, " is infinite", c);
      }
      sum += scores[first + c];
    }
    if (kind == ScoreKind::probability && !(sum > 0)) {
      throw RowError("the probabilities", row, " are all 0");
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

std::vector<double> ClassComponent::probabilities(std::span<const double> log_odds,
                                                  std::size_t classes) const {
  if (!scaling) {
    std::vector<double> p(log_odds.begin(), log_odds.end());
    for (double& value : p) value = sigmoid(value);
    for (std::size_t first = 0; first < p.size(); first += classes) {
      double sum = std::numeric_limits<double>::min();
      for (std::size_t k = 0; k < classes; ++k) sum += p[first + k];
      for (std::size_t k = 0; k < classes; ++k) p[first + k] /= sum;
    }
    return p;
  }
  std::vector<double> p = scaled(*scaling, log_odds, classes);
  return maps.empty() ? p : class_probabilities(maps, as_log_odds(std::move(p)), classes);
}

std::vector<double> FittedClassCalibratorState::probabilities(std::span<const double> log_odds) const {
  const std::size_t classes = class_names.size();
  std::vector<double> p(log_odds.size());
  const auto add = [&](double weight, const std::vector<double>& one) {
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += weight * one[i];
  };
  if (maps_weight > 0) add(maps_weight, class_probabilities(calibrators, log_odds, classes));
  for (const ClassComponent& c : components) add(c.weight, c.probabilities(log_odds, classes));
  return p;
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
  summary.rows = static_cast<std::size_t>(
      weights.empty() ? static_cast<std::ptrdiff_t>(labels.size())
                      : std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; }));
  summary.maps = options_.maps;
  HeldOut held_out;
  if (options_.maps == ClassMaps::automatic || options_.method == ClassMethod::automatic)
    held_out = cross_validate(some_rows(rows), options_, monitor);
  if (options_.maps == ClassMaps::automatic) {
    summary.one_vs_rest_loss = held_out.loss(HeldOut::one_vs_rest);
    summary.shared_loss = held_out.loss(HeldOut::shared);
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
  add_components(rows, options_, held_out, *state);
  summary.weights = {{"maps", state->maps_weight}};
  for (const ClassComponent& c : state->components) summary.weights[c.name] = c.weight;
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
  result.probability = state_->probabilities(log_odds);
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
