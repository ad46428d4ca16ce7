#include "classification/em.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

SolverOptions solver_options(const EmOptions& options) {
  SolverOptions solver;
  solver.gradient_tolerance = options.gradient_tolerance;
  solver.max_passes = options.max_passes;
  solver.threads = options.threads;
  solver.stop = options.stop;
  solver.on_pass = options.on_pass;
  return solver;
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

LinkgisticEm::LinkgisticEm(const LabelledView& data, std::vector<std::int32_t> positive,
                           const EmOptions& options)
    : data_(data),
      positive_(std::move(positive)),
      options_(options),
      solver_(data, solver_options(options)) {}

// The best constant for classes that have not made a step from zero.
void LinkgisticEm::constant_where_none(LinearSolution& solution) const {
  const std::size_t rows = data_.rows();
  const std::size_t width = data_.columns() + 1;
  for (std::size_t k = 0; k < positive_.size(); ++k) {
    ClassFit& fit = solution.classes[k];
    if (fit.iterations > 0) continue;
    double weight[2] = {};
    for (std::size_t n = 0; n < rows; ++n) {
      weight[data_.labels[n] == positive_[k] ? 1 : 0] +=
          data_.weights.empty() ? 1.0 : static_cast<double>(data_.weights[n]);
    }
    if (!(weight[0] > 0 && weight[1] > 0)) continue;
    const double nu = options_.base->nu_of(weight[1] / (weight[0] + weight[1]));
    solution.beta[k * width] = nu;
    std::fill_n(solution.margins.begin() + static_cast<std::ptrdiff_t>(k * rows), rows,
                static_cast<float>(nu));
    fit.loss = fit.objective =
        weight[1] * options_.base->log_loss(true, nu) + weight[0] * options_.base->log_loss(false, nu);
  }
}

// Without a ridge the weights are as long as the solver leaves them, so all solves end by one rule; and there
// may be no minimum to reach.
void LinkgisticEm::set_limits(double l2, bool m_step) {
  if (l2 > 0) {
    solver_.set_limits((m_step ? 10 : 1) * options_.gradient_tolerance, options_.max_passes);
  } else {
    solver_.set_limits(1e-4, std::min(options_.max_passes, m_step ? 50 : 200));
  }
}

EmResult LinkgisticEm::logistic(double l2, std::span<const double> start) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<PassClass> classes;
  for (const std::int32_t label : positive_) classes.push_back({label, &options_.base->table()});
  const std::vector<double> ridge(classes.size(), l2);
  set_limits(l2, false);
  LinearSolution solution = solver_.solve(classes, ridge, start);
  if (solution.interrupted() && start.empty()) constant_where_none(solution);
  EmResult result;
  EmRecord record;
  double weight = 0;
  for (std::size_t n = 0; n < data_.rows(); ++n)
    weight += data_.weights.empty() ? 1.0 : static_cast<double>(data_.weights[n]);
  for (const ClassFit& c : solution.classes) {
    record.objective -= c.objective;
    record.mean_loss += c.loss / (weight * static_cast<double>(classes.size()));
  }
  record.passes = solution.passes;
  record.seconds_m = seconds_since(begin);
  result.interrupted = solution.interrupted();
  result.converged = true;
  for (const ClassFit& c : solution.classes)
    result.converged = result.converged && c.stop == SolverStop::converged;
  result.beta = std::move(solution.beta);
  result.margins = std::move(solution.margins);
  result.solves = std::move(solution.classes);
  result.links.resize(classes.size());
  result.trace = {record};
  return result;
}

std::vector<double> LinkgisticEm::squares(const EmResult& state) const {
  const std::size_t width = data_.columns() + 1;
  std::vector<double> result(positive_.size());
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (std::size_t j = 1; j < width; ++j)
      result[k] += state.beta[k * width + j] * state.beta[k * width + j];
  }
  return result;
}

void LinkgisticEm::e_step(const LinkFamily& family, std::span<const float> margins,
                          std::span<const double> ridge, EmResult& state) const {
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t rows = data_.rows();
  const std::size_t classes = positive_.size();
  std::vector<double> objective(classes), loss(classes);
  const int inner = classes > 1 ? 1 : options_.threads;
  parallel_for(classes, classes > 1 ? options_.threads : 1, [&](std::size_t k) {
    const auto own = margins.subspan(k * rows, rows);
    const ScoreRange range = score_range(own, data_.weights, inner);
    const WeightedRows few =
        compress_rows(own, data_.labels, positive_[k], data_.weights, range, family.cells(), inner);
    // Margins that are all alike (no feature tells anything) leave nothing to learn a link from, nor do those
    // that go to infinity, of classes that a plane almost separates without a ridge.
    const double least = std::max(1e-6, 1e-4 * std::abs(range.middle()));
    const bool flat = !(range.half() > least && range.half() < 1e4);
    state.links[k] = flat ? ClassLink() : family.fit(few, range, ridge[k], state.links[k]);
    const auto [sum, weight] = compressed_loss(*options_.base, state.links[k], few);
    loss[k] = sum / weight;
    objective[k] = flat ? -sum : state.links[k].facts().log_evidence;
  });
  EmRecord& record = state.trace.back();
  record.objective = record.mean_loss = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    record.objective += objective[k];
    record.mean_loss += loss[k] / static_cast<double>(classes);
  }
  record.seconds_e = seconds_since(begin);
}

void move_to_unit_slope(EmResult& state) {
  const std::size_t classes = state.links.size();
  const std::size_t width = state.beta.size() / classes;
  const std::size_t rows = state.margins.size() / classes;
  for (std::size_t k = 0; k < classes; ++k) {
    const LinkFacts facts = state.links[k].facts();
    // A link that is nearly constant has no slope to go by.
    const double slope = std::clamp(facts.slope, 1e-3, 1e3);
    const double shift = facts.mean_nu - slope * facts.mean_margin;
    state.links[k] = state.links[k].moved(slope, shift);
    const auto beta = std::span(state.beta).subspan(k * width, width);
    for (double& b : beta) b *= slope;
    beta[0] += shift;
    for (float& m : std::span(state.margins).subspan(k * rows, rows)) {
      m = static_cast<float>(slope * static_cast<double>(m) + shift);
    }
  }
}

void LinkgisticEm::m_step(double l2, int step, EmResult& state) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<LossTable> tables(positive_.size());
  parallel_for(tables.size(), options_.threads, [&](std::size_t k) {
    const auto draw = static_cast<std::uint64_t>(step) * 65536 + k;
    tables[k] = state.links[k].loss_table(*options_.base, options_.samples, options_.seed + draw);
  });
  std::vector<PassClass> classes;
  for (std::size_t k = 0; k < tables.size(); ++k) classes.push_back({positive_[k], &tables[k]});
  set_limits(l2, true);
  LinearSolution solution = solver_.solve(classes, std::vector<double>(classes.size(), l2), state.beta);
  state.interrupted = solution.interrupted();
  state.beta = std::move(solution.beta);
  state.margins = std::move(solution.margins);
  state.solves = std::move(solution.classes);
  EmRecord record;
  record.passes = solution.passes;
  record.seconds_m = seconds_since(begin);
  state.trace.push_back(record);
}

EmResult LinkgisticEm::run(const EmResult& logistic, const LinkFamily& family, double l2,
                           const std::function<void(const EmResult&)>& on_step, const EmResume& resume) {
  const auto link = [&](EmResult& state) {
    std::vector<double> ridge = squares(state);
    for (double& r : ridge) r *= l2;
    e_step(family, state.margins, ridge, state);
    move_to_unit_slope(state);
  };
  const auto solve = [&](int step, EmResult& state) { m_step(l2, step, state); };
  return iterate(logistic, options_, link, solve, on_step, resume);
}

namespace {

std::ptrdiff_t steps_since_best(const std::vector<EmRecord>& trace) {
  const auto less = [](const EmRecord& a, const EmRecord& b) { return a.objective < b.objective; };
  return trace.end() - 1 - std::max_element(trace.begin(), trace.end(), less);
}

}  // namespace

double EmLoop::best_objective() const {
  double most = state.trace.front().objective;
  for (const EmRecord& r : state.trace) most = std::max(most, r.objective);
  return most;
}

EmResult iterate(const EmResult& logistic, const EmOptions& options,
                 const std::function<void(EmResult&)>& link, const std::function<void(int, EmResult&)>& solve,
                 const std::function<void(const EmResult&)>& on_step, const EmResume& resume) {
  EmLoop loop;
  const auto end_step = [&] {
    if (resume.save) resume.save(loop);
    if (on_step) on_step(loop.state);
  };
  if (resume.begin) {
    loop = *resume.begin;
  } else {
    loop.state = logistic;
    loop.state.converged = false;
    link(loop.state);
    loop.best = loop.state;
    const auto& links = loop.state.links;
    loop.finished =
        options.em_iterations == 0 ||
        std::all_of(links.begin(), links.end(), [](const ClassLink& l) { return l.is_identity(); });
    end_step();
  }
  EmResult& state = loop.state;
  while (!loop.finished && !loop.best.interrupted) {
    const double best_objective = loop.best_objective();
    solve(loop.steps + 1, state);
    if (state.interrupted) {
      loop.best.interrupted = true;
      break;
    }
    ++loop.steps;
    const double before = state.trace[state.trace.size() - 2].objective;
    link(state);
    const double change = state.trace.back().objective - before;
    if (state.trace.back().objective >= best_objective) loop.best = state;
    loop.best.trace = state.trace;
    loop.best.converged = std::abs(change) <= options.tolerance * std::abs(before);
    const bool last = loop.steps >= options.em_iterations;
    loop.finished = loop.best.converged || last || (options.end_when_worse && change < 0);
    // Links of held-out scores have no objective that must rise: what moves about below its best has no more
    // to gain.
    if (last && steps_since_best(state.trace) >= 3) loop.best.converged = true;
    end_step();
    if (!loop.finished) loop.best.interrupted = options.stop && options.stop();
  }
  return loop.best;
}

}  // namespace linkgistic
