#include "classification/em.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "numeric/parallel.hpp"
#include "numeric/stopwatch.hpp"
#include "solver/scaled_rows.hpp"

namespace linkgistic {
namespace {

// The options of the solver: in a softmax all classes are one problem.
SolverOptions solver_options(const EmOptions& options, std::size_t classes) {
  SolverOptions solver = static_cast<const SolverOptions&>(options);
  solver.coupled = options.softmax ? classes : 1;
  return solver;
}

// A pointer to a table that the caller keeps alive.
std::shared_ptr<const LossTable> borrowed(const LossTable& table) {
  return {std::shared_ptr<const void>(), &table};
}

// Weighted sums over compressed rows of -log p(y | nu) and of 1.
std::pair<double, double> compressed_loss(const BaseLoss& base, const ClassLink& link,
                                          const WeightedRows& rows) {
  const LinkValues values = link.at(rows.x, 1);
  double loss = 0;
  double weight = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    loss += rows.weight[i] * base.log_loss(rows.y[i] > 0, values.nu[i]);
    weight += rows.weight[i];
  }
  return {loss, weight};
}

}  // namespace

std::vector<double> EmResult::squares() const {
  const std::size_t width = beta.size() / links.size();
  std::vector<double> result(links.size());
  for (std::size_t k = 0; k < links.size(); ++k)
    for (std::size_t j = 1; j < width; ++j) result[k] += beta[k * width + j] * beta[k * width + j];
  return result;
}

bool is_flat(const ScoreRange& range) {
  const double least = std::max(1e-6, 1e-4 * std::abs(range.middle()));
  return !(range.half() > least && range.half() < 1e4);
}

LinkgisticEm::LinkgisticEm(RowEngine& engine, ColumnScale scale, std::vector<std::int32_t> positive,
                           const EmOptions& options)
    : engine_(engine),
      scale_(std::move(scale)),
      positive_(std::move(positive)),
      options_(options),
      first_table_(options.softmax ? identity_table() : borrowed(options_.base->table())),
      solver_(engine, scale_, solver_options(options, positive_.size())) {}

std::shared_ptr<const LossTable> LinkgisticEm::table_of(const ClassLink& link, int samples,
                                                        std::uint64_t seed) const {
  if (link.is_identity()) return first_table_;
  if (options_.softmax) return link_table(link);
  return std::make_shared<const LossTable>(link.loss_table(*options_.base, samples, seed));
}

// The best constant for classes that have not made a step from zero.
void LinkgisticEm::constant_where_none(EmResult& fit, bool from_zero) const {
  if (!from_zero || !fit.interrupted) return;
  const std::size_t labels = engine_.shape().labels;
  std::vector<Selection> selections;
  for (std::size_t k = 0; k < positive_.size(); ++k) selections.push_back(own(fit.selection, k));
  const std::vector<double> all = selection_weights(engine_, std::move(selections), labels);
  const std::size_t width = fit.beta.size() / positive_.size();
  for (std::size_t k = 0; k < positive_.size(); ++k) {
    ClassFit& one = fit.solves[k];
    if (one.iterations > 0) continue;
    const auto weights = std::span(all).subspan(k * labels, labels);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double own = weights[static_cast<std::size_t>(positive_[k])];
    if (!(own > 0 && own < total)) continue;
    const double share = own / total;
    const double nu = options_.softmax ? std::log(share) : options_.base->nu_of(share);
    fit.beta[k * width] = nu;
    fit.ranges[k] = {nu, nu};
    one.loss = options_.softmax ? -own * nu
                                : own * options_.base->log_loss(true, nu) +
                                      (total - own) * options_.base->log_loss(false, nu);
    one.objective = one.loss;
  }
}

// `tables` (C), or (fits, C). Without a ridge there may be no minimum, and the length of the weights depends
// on where the solver ends; so all solves end by one rule.
void LinkgisticEm::solve(std::span<EmResult* const> fits,
                         const std::vector<std::shared_ptr<const LossTable>>& tables, bool m_step,
                         int most_passes) {
  const Stopwatch clock;
  const std::size_t classes = positive_.size();
  std::vector<LinearProblem> problems;
  std::vector<double> start;
  bool ridge = true;
  // Classes of a softmax move together, and slowly: their M-steps are not ended early.
  const double looser = m_step && !options_.softmax ? 10 : 1;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    ridge = ridge && fits[i]->l2 > 0;
    start.insert(start.end(), fits[i]->beta.begin(), fits[i]->beta.end());
    for (std::size_t k = 0; k < classes; ++k) {
      const double least = fits[i]->l2 > 0 ? looser * fits[i]->least_tolerance : 0;
      problems.push_back({positive_[k], tables[(i * classes + k) % tables.size()], fits[i]->l2,
                          own(fits[i]->selection, k), least});
    }
  }
  if (ridge) {
    solver_.set_limits(looser * options_.gradient_tolerance, most_passes);
  } else {
    solver_.set_limits(1e-4, std::min(most_passes, m_step ? 50 : 200));
  }
  const LinearSolution solution = solver_.solve(problems, start);
  const std::size_t width = solution.beta.size() / problems.size();
  for (std::size_t i = 0; i < fits.size(); ++i) {
    EmResult& fit = *fits[i];
    const auto from = solution.beta.begin() + static_cast<std::ptrdiff_t>(i * classes * width);
    fit.beta.assign(from, from + static_cast<std::ptrdiff_t>(classes * width));
    const auto solved = solution.classes.begin() + static_cast<std::ptrdiff_t>(i * classes);
    fit.solves.assign(solved, solved + static_cast<std::ptrdiff_t>(classes));
    fit.ranges.clear();
    for (const ClassFit& c : fit.solves) fit.ranges.push_back({c.lower, c.upper});
    fit.interrupted = solution.interrupted();
    EmRecord record;
    record.passes = solution.passes;
    record.seconds_m = clock.seconds();
    fit.trace.push_back(record);
  }
}

// What is added to the coefficients of all classes of a softmax changes no probability; the ridge is least
// where their mean is 0.
void LinkgisticEm::centre(EmResult& fit) const {
  const std::size_t count = classes();
  const std::size_t width = fit.beta.size() / count;
  for (std::size_t j = 0; j < width; ++j) {
    double mean = 0;
    for (std::size_t k = 0; k < count; ++k) mean += fit.beta[k * width + j] / static_cast<double>(count);
    for (std::size_t k = 0; k < count; ++k) fit.beta[k * width + j] -= mean;
    if (j > 0) continue;
    for (ScoreRange& range : fit.ranges) range = {range.lower - mean, range.upper - mean};
  }
}

void LinkgisticEm::logistic(std::span<EmResult* const> fits) {
  const bool from_zero = fits.front()->beta.empty();
  for (EmResult* fit : fits) fit->trace.clear();
  solve(fits, {first_table_}, false, options_.max_passes);
  for (EmResult* fit : fits)
    if (options_.softmax) centre(*fit);
  std::vector<Selection> selections;
  const std::size_t groups = options_.pairs ? positive_.size() : 1;  // of rows a fit
  for (const EmResult* fit : fits)
    for (std::size_t k = 0; k < groups; ++k) selections.push_back(own(fit->selection, k));
  const std::size_t labels = engine_.shape().labels;
  const std::vector<double> weights = selection_weights(engine_, selections, labels);
  for (std::size_t i = 0; i < fits.size(); ++i) {
    EmResult& fit = *fits[i];
    constant_where_none(fit, from_zero);
    double weight = 0;
    for (std::size_t l = 0; l < groups * labels; ++l) weight += weights[i * groups * labels + l];
    EmRecord& record = fit.trace.back();
    fit.stop = EmStop::converged;
    // One against one, a row is in as many pairs as there are other classes.
    fit.weight = options_.pairs ? weight / static_cast<double>(labels - 1) : weight;
    if (!options_.softmax && !options_.pairs) weight *= static_cast<double>(positive_.size());
    for (const ClassFit& c : fit.solves) {
      record.objective -= c.objective;
      record.mean_loss += c.loss / weight;
      if (c.stop != SolverStop::converged) fit.stop = EmStop::iteration_limit;
    }
    fit.links.assign(positive_.size(), {});
  }
}

EmResult LinkgisticEm::logistic(double l2) {
  EmResult fit;
  fit.l2 = l2;
  EmResult* one = &fit;
  logistic(std::span(&one, 1));
  return fit;
}

ScoreRequest LinkgisticEm::scores_of(std::span<const Scored> scored) const {
  const ScaledRows rows(engine_, scale_);
  ScoreRequest request;
  request.tables = {first_table_};
  request.coupled = options_.softmax ? static_cast<std::uint32_t>(classes()) : 1;
  for (const Scored& s : scored) {
    for (std::size_t k = 0; k < classes(); ++k)
      request.problems.push_back({positive_[k], 0, own(s.selection, k)});
    const std::vector<double> raw = rows.to_raw(*s.beta);
    request.beta.insert(request.beta.end(), raw.begin(), raw.end());
  }
  return request;
}

// The scores of each class, over its own range.
CellsRequest LinkgisticEm::cells_request(const LinkFamily& family, std::span<const Scored> scored) const {
  CellsRequest request;
  request.of.scores = scores_of(scored);
  request.of.groups = static_cast<std::uint32_t>(classes());
  for (std::size_t p = 0; p < request.of.scores.problems.size(); ++p)
    request.of.group.push_back(static_cast<std::uint32_t>(p % classes()));
  request.cells = static_cast<std::uint32_t>(family.cells());
  return request;
}

void LinkgisticEm::e_step(const LinkFamily& family, std::span<const Scored> scored,
                          std::vector<ScoreRange> ranges, std::span<const double> ridge,
                          EmResult& state) const {
  const Stopwatch clock;
  const std::size_t classes = positive_.size();
  CellsRequest request = cells_request(family, scored);
  if (ranges.empty()) {
    request.range = engine_.ask(request.of);
    for (std::size_t k = 0; k < classes; ++k)
      ranges.push_back({request.range.lower[k], request.range.upper[k]});
  }
  request.range = {};
  for (const ScoreRange& range : ranges) {
    request.range.lower.push_back(range.lower);
    request.range.upper.push_back(range.upper);
  }
  if (options_.softmax) {
    softmax_e_step(family, std::move(request), ridge, state);
    state.trace.back().seconds_e = clock.seconds();
    return;
  }
  const CellsAnswer cells = engine_.ask(request);
  std::vector<double> objective(classes), loss(classes);
  parallel_for(classes, options_.threads, [&](std::size_t k) {
    const WeightedRows few = weighted_rows(cells, request, k);
    const ScoreRange& range = ranges[k];
    const bool flat = is_flat(range);
    state.links[k] = flat ? ClassLink() : family.fit(few, range, ridge[k], state.links[k], options_.recall);
    const auto [sum, weight] = compressed_loss(*options_.base, state.links[k], few);
    loss[k] = weight > 0 ? sum / weight : 0;  // a pair may have no row that is held out
    objective[k] = flat ? -sum : state.links[k].facts().log_evidence;
  });
  EmRecord& record = state.trace.back();
  record.objective = record.mean_loss = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    record.objective += objective[k];
    record.mean_loss += loss[k] / static_cast<double>(classes);
  }
  record.seconds_e = clock.seconds();
}

void move_to_unit_slope(EmResult& state) {
  const std::size_t classes = state.links.size();
  const std::size_t width = state.beta.size() / classes;
  for (std::size_t k = 0; k < classes; ++k) {
    const LinkFacts facts = state.links[k].facts();
    // A link that is nearly constant has no slope to scale by.
    const double slope = std::clamp(facts.slope, 1e-3, 1e3);
    const double shift = facts.mean_nu - slope * facts.mean_margin;
    state.links[k] = state.links[k].moved(slope, shift);
    const auto beta = std::span(state.beta).subspan(k * width, width);
    for (double& b : beta) b *= slope;
    beta[0] += shift;
    state.ranges[k] = {slope * state.ranges[k].lower + shift, slope * state.ranges[k].upper + shift};
  }
}

void LinkgisticEm::m_step(int step, std::span<EmResult* const> states, int most_passes) {
  const std::size_t classes = positive_.size();
  std::vector<std::shared_ptr<const LossTable>> tables(states.size() * classes);
  parallel_for(tables.size(), options_.threads, [&](std::size_t i) {
    const std::size_t k = i % classes;
    const auto draw = static_cast<std::uint64_t>(step) * 65536 + k;
    tables[i] = table_of(states[i / classes]->links[k], options_.samples, options_.seed + draw);
  });
  solve(states, tables, true, std::min(most_passes, options_.max_passes));
}

std::vector<EmResult> LinkgisticEm::run(std::vector<EmResult> logistic, const LinkFamily& family,
                                        int em_iterations,
                                        const std::function<void(const EmResult&)>& on_step) {
  const auto link = [&](EmResult& state) {
    std::vector<double> ridge = state.squares();
    for (double& r : ridge) r *= state.l2;
    const Scored own{state.selection, &state.beta};
    e_step(family, std::span(&own, 1), state.ranges, ridge, state);
    move_to_unit_slope(state);
  };
  // Links and coefficients of a softmax creep along together: a few passes between two E-steps go further
  // than a minimum each time.
  constexpr int passes_between = 20;
  const int most_passes = options_.softmax ? passes_between : options_.max_passes;
  const auto solve = [&](int step, std::span<EmResult* const> states) { m_step(step, states, most_passes); };
  EmOptions options = options_;
  options.em_iterations = em_iterations;
  std::vector<EmResult> fits = iterate(std::move(logistic), options, link, solve, on_step);
  for (EmResult& fit : fits) {
    if (!options_.softmax || !fit.converged() || fit.trace.size() < 2) continue;
    for (ClassFit& c : fit.solves) c.stop = SolverStop::converged;  // by EM's objective
  }
  return fits;
}

namespace {

// EM of one fit between two steps.
struct EmLoop {
  static constexpr std::ptrdiff_t steps_without_rise = 3;
  // With bends of its own choice EM may have to go through a valley before it rises.
  static constexpr std::ptrdiff_t steps_to_give_up = 7;
  // E-steps are approximate, so that EM of few rows often ends in a ripple. Half a nat is a ratio of
  // evidences of 1.6, by which no link is preferred; and over as many steps again it gains a tenth of that at
  // most.
  static constexpr double ripple = 0.5, gain = 0.05;  // nats
  static constexpr std::ptrdiff_t ripple_steps = 3;   // EM goes to and fro between two or three points
  EmResult best, state;
  bool finished = false;

  [[nodiscard]] double best_objective() const {
    double most = state.trace.front().objective;
    for (const EmRecord& r : state.trace) most = std::max(most, r.objective);
    return most;
  }
  [[nodiscard]] std::ptrdiff_t steps_since_best() const {
    const auto less = [](const EmRecord& a, const EmRecord& b) { return a.objective < b.objective; };
    return state.trace.end() - 1 - std::max_element(state.trace.begin(), state.trace.end(), less);
  }
  // Whether the last steps stay together and lead no further.
  [[nodiscard]] bool ripples() const {
    const auto& trace = state.trace;
    if (std::ssize(trace) <= 2 * ripple_steps) return false;
    const auto less = [](const EmRecord& a, const EmRecord& b) { return a.objective < b.objective; };
    const auto least = std::min_element(trace.end() - 2 * ripple_steps, trace.end(), less);
    const auto before = std::max_element(trace.begin(), trace.end() - ripple_steps, less);
    const double most = best_objective();
    return most - least->objective <= ripple && most - before->objective <= gain;
  }
  // After the E-step of M-step number `steps`, before which the best objective was `best_before`.
  void judge(const EmOptions& options, int steps, double best_before) {
    const EmRecord& last = state.trace.back();
    if (!std::isfinite(last.objective)) {
      best.stop = EmStop::no_rise;
      finished = true;
      return;
    }
    const double before = state.trace[state.trace.size() - 2].objective;
    const double change = last.objective - before;
    if (last.objective >= best_before) best = state;
    best.trace = state.trace;
    const double size = state.weight > 0 ? std::min(std::abs(before), state.weight) : std::abs(before);
    const bool settled = !state.bend || state.bend->settled;
    const bool converged = settled && std::abs(change) <= options.tolerance * size;
    const bool no_more = steps >= options.em_iterations;
    const bool no_rise = steps_since_best() >= steps_without_rise;
    finished = converged || no_more || (options.end_when_worse && change < 0) ||
               (state.bend && state.bend->settled && steps_since_best() >= steps_to_give_up);
    // With links of held-out scores the objective need not rise.
    const bool settles = converged || (settled && finished && ripples());
    best.stop = settles ? EmStop::converged : no_rise ? EmStop::no_rise : EmStop::iteration_limit;
  }
};

}  // namespace

std::vector<EmResult> iterate(std::vector<EmResult> logistic, const EmOptions& options,
                              const std::function<void(EmResult&)>& link,
                              const std::function<void(int, std::span<EmResult* const>)>& solve,
                              const std::function<void(const EmResult&)>& on_step) {
  std::vector<EmLoop> loops(logistic.size());
  for (std::size_t i = 0; i < loops.size(); ++i) {
    EmLoop& loop = loops[i];
    loop.state = std::move(logistic[i]);
    const EmStop of_logistic = std::exchange(loop.state.stop, EmStop::iteration_limit);
    link(loop.state);
    const auto& links = loop.state.links;
    const bool straight =
        std::all_of(links.begin(), links.end(), [](const ClassLink& l) { return l.is_identity(); });
    loop.finished = options.em_iterations == 0 || straight;
    // Scores that are all the same leave nothing to search for, as does a link for given scores.
    if (loop.finished) loop.state.stop = of_logistic;
    loop.best = loop.state;
    if (on_step) on_step(loop.state);
  }
  bool interrupted = false;
  for (int step = 1; !interrupted; ++step) {
    std::vector<EmLoop*> moving;
    std::vector<EmResult*> states;
    std::vector<double> best_before;
    for (EmLoop& loop : loops) {
      if (loop.finished) continue;
      moving.push_back(&loop);
      states.push_back(&loop.state);
      best_before.push_back(loop.best_objective());
    }
    if (moving.empty()) break;
    solve(step, states);
    interrupted = std::any_of(states.begin(), states.end(), [](const EmResult* s) { return s->interrupted; });
    if (interrupted) break;
    bool open = false;
    for (std::size_t i = 0; i < moving.size(); ++i) {
      link(*states[i]);
      moving[i]->judge(options, step, best_before[i]);
      if (on_step) on_step(*states[i]);
      open = open || !moving[i]->finished;
    }
    interrupted = open && options.stop && options.stop();
  }
  std::vector<EmResult> best;
  for (EmLoop& loop : loops) {
    loop.best.interrupted = loop.best.interrupted || (interrupted && !loop.finished);
    best.push_back(std::move(loop.best));
  }
  return best;
}

}  // namespace linkgistic
