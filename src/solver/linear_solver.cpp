// Linear scores under any tabulated loss, all problems sharing each pass over the data.
//
// Every set of problems has its own L-BFGS iteration, over the factors of its problems, and requests
// one trial point per round; one pass answers all. The full step is tried first, so that an
// iteration usually costs one pass. If it fails, the line search uses that scores are linear in the step: one
// request answers for eight steps of every problem that searches.
#include "solver/linear_solver.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"
#include "solver/problem_state.hpp"

namespace linkgistic {
namespace {

Eigen::Map<const VectorXd> as_vector(const double* values, std::size_t size) {
  return {values, static_cast<Eigen::Index>(size)};
}

}  // namespace

std::string_view to_string(SolverStop stop) {
  constexpr std::string_view words[] = {"converged", "pass limit", "no further progress", "interrupted",
                                        "separated"};
  return words[static_cast<std::size_t>(stop)];
}

class LinearSolver::Impl {
 public:
  Impl(RowEngine& engine, ColumnScale scale, const SolverOptions& options)
      : rows_(engine, std::move(scale)),
        options_(options),
        width_(rows_.width()),
        sizes_(rows_.feature_sizes()),
        factors_(rows_, options.coupled, options.threads) {
    set_limits(options.gradient_tolerance, options.max_passes);
    newton_ = options.method == SolverMethod::newton ||
              (options.method == SolverMethod::automatic && factors_.pay());
  }

  LinearSolution solve(std::span<const LinearProblem> problems, std::span<const double> start);

  void set_limits(double gradient_tolerance, int max_passes) {
    if (!(gradient_tolerance > 0)) {
      throw UsageError("gradient_tolerance is " + std::to_string(gradient_tolerance) + ", must be positive");
    }
    if (max_passes < 1) {
      throw UsageError("max_passes is " + std::to_string(max_passes) + ", must be at least 1");
    }
    options_.gradient_tolerance = gradient_tolerance;
    options_.max_passes = max_passes;
  }

 private:
  using States = std::vector<SetState>;

  void weigh(States& states);
  void round(States& states, std::span<const std::size_t> active);
  void process(SetState& state, const Evaluated& at);
  void accept(SetState& state, const VectorXd& x, const Evaluated& at, const VectorXd& gradient);
  void restart(SetState& state) const;
  void search_lines(States& states, std::span<const std::size_t> active);
  void end_separated(SetState& state);
  void refresh_factors(States& states, std::span<const std::size_t> active);
  void choose_direction(SetState& state) const;

  // d2F/dbeta_j^2 of problem k where every row has the curvature 1/4.
  [[nodiscard]] double diagonal_curvature(const SetState& state, std::size_t k, std::size_t j) const {
    return 0.25 * state.weight * sizes_[j] * sizes_[j] + state.problems[k].strength(j);
  }

  // A bound of |d2F/dbeta2| where every row has the curvature 1/4.
  [[nodiscard]] double greatest_curvature(const SetState& state) const {
    double squares = 0;
    for (const double size : sizes_) squares += size * size;
    return 0.25 * state.weight * squares;
  }

  ScaledRows rows_;
  SolverOptions options_;
  std::size_t width_;
  std::vector<double> sizes_;
  bool newton_ = false;
  Factors factors_;
  std::vector<std::pair<Selection, double>> weights_;  // of the selections seen so far
};

LinearSolution LinearSolver::Impl::solve(std::span<const LinearProblem> problems,
                                         std::span<const double> start) {
  if (!start.empty() && start.size() != problems.size() * width_) {
    throw InputError("solver: problems x (columns + 1) start values are expected");
  }
  const std::size_t coupled = options_.coupled;
  for (const LinearProblem& p : problems)
    if (!(p.ridge >= 0)) throw UsageError("l2 is " + std::to_string(p.ridge) + ", must be at least 0");
  States states;
  for (std::size_t k = 0; k < problems.size(); k += coupled) {
    const auto set = problems.subspan(k, coupled);
    SetState& state = states.emplace_back(set, options_.history);
    state.plain = options_.method == SolverMethod::automatic &&
                  !std::all_of(set.begin(), set.end(), [](const LinearProblem& p) { return p.ridge > 0; });
    const std::size_t size = coupled * width_;
    state.strength.resize(static_cast<Eigen::Index>(size));
    state.centre.resize(static_cast<Eigen::Index>(size));
    for (std::size_t i = 0; i < size; ++i) {
      state.strength[static_cast<Eigen::Index>(i)] = set[i / width_].strength(i % width_);
      state.centre[static_cast<Eigen::Index>(i)] = set[i / width_].centre(i % width_);
    }
    state.x = start.empty() ? VectorXd(VectorXd::Zero(static_cast<Eigen::Index>(size)))
                            : VectorXd(as_vector(start.data() + k * width_, size));
  }
  weigh(states);
  if (newton_ && start.empty() && !states.empty() && !states.front().plain) factors_.share_first(problems);
  LinearSolution fit;
  std::vector<std::size_t> active(states.size());
  for (std::size_t k = 0; k < active.size(); ++k) active[k] = k;
  while (fit.passes < options_.max_passes && !active.empty()) {
    round(states, active);
    ++fit.passes;
    if (options_.on_pass) options_.on_pass(fit.passes);
    std::erase_if(active, [&](std::size_t k) { return states[k].done; });
    if (options_.stop && options_.stop()) {
      for (const std::size_t k : active) states[k].stop = SolverStop::interrupted;
      break;
    }
  }
  for (SetState& state : states) {
    fit.beta.insert(fit.beta.end(), state.x.begin(), state.x.end());
    for (ClassFit& one : state.fits) {
      one.iterations = state.iterations;
      one.stop = state.stop;
      fit.classes.push_back(one);
    }
  }
  return fit;
}

void LinearSolver::Impl::weigh(States& states) {
  std::vector<Selection> unknown;
  const auto known = [&](const Selection& s) {
    return std::find_if(weights_.begin(), weights_.end(), [&](const auto& w) { return w.first == s; });
  };
  for (const SetState& state : states) {
    const Selection& s = state.selection();
    if (known(s) == weights_.end() && std::find(unknown.begin(), unknown.end(), s) == unknown.end())
      unknown.push_back(s);
  }
  if (!unknown.empty()) {
    const std::size_t labels = rows_.engine().shape().labels;
    const std::vector<double> weights = selection_weights(rows_.engine(), unknown, labels);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      double sum = 0;
      for (std::size_t l = 0; l < labels; ++l) sum += weights[i * labels + l];
      weights_.emplace_back(unknown[i], sum);
    }
  }
  for (SetState& state : states) state.weight = known(state.selection())->second;
}

void LinearSolver::Impl::round(States& states, std::span<const std::size_t> active) {
  Batch batch;
  for (const std::size_t k : active) batch.add(states[k].problems, states[k].trial());
  PassRequest request;
  static_cast<ScoreRequest&>(request) = batch.request();
  const PassResult pass = rows_.pass(std::move(request));
  // Short vectors take less time than it takes to wake a second thread.
  const int threads = active.size() * options_.coupled * width_ > 4096 ? options_.threads : 1;
  parallel_for(active.size(), threads, [&](std::size_t i) {
    const std::size_t count = options_.coupled;
    process(states[active[i]],
            {pass, i * count, count, as_vector(pass.gradient.data() + i * count * width_, count * width_)});
  });
  for (const std::size_t k : active)
    if (states[k].stop == SolverStop::separated) end_separated(states[k]);
  search_lines(states, active);
  refresh_factors(states, active);
  parallel_for(active.size(), threads, [&](std::size_t i) {
    SetState& state = states[active[i]];
    if (state.needs_direction) choose_direction(state);
  });
}

void LinearSolver::Impl::process(SetState& state, const Evaluated& at) {
  const VectorXd trial = state.trial();
  const VectorXd gradient = at.loss_gradient + state.penalty_gradient(trial);
  if (state.started) {
    // t is in units of the step.
    const LinePoint begin{0, state.objective, state.step * state.gradient.dot(state.direction)};
    const LinePoint end{1, at.loss() + state.penalty(trial), state.step * gradient.dot(state.direction)};
    constexpr LineSearchOptions loose{1e-4, 0.9, 3e-7};
    if (state.step_is_final) {
      if (!(end.value <= begin.value + loose.rounding * std::abs(begin.value))) return restart(state);
    } else if (!satisfies_wolfe(begin, end, loose)) {
      state.search.emplace(begin, end);
      return;
    }
    state.history.add(trial - state.x, gradient - state.gradient);
    ++state.iterations;
  }
  accept(state, trial, at, gradient);
  state.needs_direction = !state.done;
}

// The step has failed: try once more without the history, then give up.
void LinearSolver::Impl::restart(SetState& state) const {
  if (state.history.empty()) return state.end(SolverStop::no_progress);
  state.history.clear();
  state.needs_direction = true;
}

void LinearSolver::Impl::accept(SetState& state, const VectorXd& x, const Evaluated& at,
                                const VectorXd& gradient) {
  state.started = true;
  state.x = x;
  state.gradient = gradient;
  state.objective = at.loss() + state.penalty(x);
  double largest = 0;
  for (std::size_t i = 0; i < state.problems.size() * width_; ++i) {
    const double size =
        state.plain ? 1
                    : std::sqrt(diagonal_curvature(state, i / width_, i % width_) / (0.25 * state.weight));
    if (size > 0) largest = std::max(largest, std::abs(gradient[static_cast<Eigen::Index>(i)]) / size);
  }
  const double scale = state.plain ? state.weight : at.residual_size();
  const double ratio = scale > 0 ? largest / scale : 0;
  for (std::size_t k = 0; k < state.fits.size(); ++k) {
    ClassFit& fit = state.fits[k];
    fit.loss = k == 0 ? at.loss() : 0;
    fit.objective = k == 0 ? state.objective : 0;
    fit.lower = at.pass.lower[at.first + k];
    fit.upper = at.pass.upper[at.first + k];
    fit.gradient_ratio = ratio;
  }
  const double tolerance = std::max(options_.gradient_tolerance, state.problems[0].least_tolerance);
  if (!(ratio > tolerance)) {
    state.end(SolverStop::converged);
  } else if (!(state.problems[0].ridge > 0) && at.pass.least_signed[at.first] > 0 &&
             at.loss() <= separated_loss * state.weight) {
    state.end(SolverStop::separated);
  }
}

// The c < 1 at which weights c times as long have the mean loss separated_loss, by nine-fold section of the
// line from zero.
void LinearSolver::Impl::end_separated(SetState& state) {
  Batch batch;
  batch.add(state.problems, VectorXd::Zero(state.x.size()));
  LineRequest request;
  request.from = batch.request();
  request.end = rows_.to_raw(std::span(state.x.data(), static_cast<std::size_t>(state.x.size())));
  double lower = 0;
  double upper = 1;
  constexpr int sections = 13;  // 9^13 > 2^40
  for (int round = 0; round < sections; ++round) {
    request.steps.clear();
    for (int i = 1; i <= 8; ++i) request.steps.push_back(lower + (upper - lower) * i / 9);
    const LineAnswer answer = rows_.engine().ask(request);
    for (std::size_t i = 0; i < request.steps.size(); ++i) {
      if (answer.value[i] > separated_loss * state.weight) {
        lower = request.steps[i];
      } else {
        upper = request.steps[i];
        break;
      }
    }
  }
  state.objective = separated_loss * state.weight;
  state.fits[0].loss = state.fits[0].objective = state.objective;
  state.x *= upper;
  for (ClassFit& fit : state.fits) {
    fit.lower *= upper;
    fit.upper *= upper;
  }
}

void LinearSolver::Impl::search_lines(States& states, std::span<const std::size_t> active) {
  constexpr int most_rounds = 5;
  constexpr LineSearchOptions options;
  std::vector<SetState*> searching;
  for (const std::size_t k : active)
    if (states[k].search) searching.push_back(&states[k]);
  std::vector<SetState*> open = searching;
  for (int round = 0; round < most_rounds && !open.empty(); ++round) {
    LineRequest request;
    Batch batch;
    for (SetState* state : open) {
      batch.add(state->problems, state->x);
      const VectorXd trial = state->trial();
      request.end.insert(request.end.end(), trial.begin(), trial.end());
      const std::vector<double> steps = state->search->steps();
      request.steps.insert(request.steps.end(), steps.begin(), steps.end());
    }
    request.from = batch.request();
    request.from.beta = rows_.to_raw(request.from.beta);
    request.end = rows_.to_raw(request.end);
    const LineAnswer answer = rows_.engine().ask(request);
    for (std::size_t i = 0; i < open.size(); ++i) {
      SetState& state = *open[i];
      const VectorXd d = state.step * state.direction;
      const double xd = state.penalty_gradient(state.x).dot(d);
      const double dd = state.strength.dot(d.cwiseAbs2());
      std::vector<LinePoint> points;
      for (std::size_t j = i * request.per_set(); j < (i + 1) * request.per_set(); ++j) {
        const double t = request.steps[j];
        points.push_back({t, answer.value[j] + state.penalty(state.x) + t * xd + 0.5 * t * t * dd,
                          answer.slope[j] + xd + t * dd});
      }
      state.search->narrow(points, options);
    }
    std::erase_if(open, [](const SetState* state) { return !state->search->open; });
  }
  for (SetState* state : searching) {
    const std::optional<double> step = state->search->step();
    state->search.reset();
    if (step) {
      state->step *= *step;
      state->step_is_final = true;
    } else {
      restart(*state);
    }
  }
}

void LinearSolver::Impl::refresh_factors(States& states, std::span<const std::size_t> active) {
  if (!newton_) return;
  std::vector<Factors::Wanted> wanted;
  std::vector<Factors::Set> sets;
  std::vector<SetState*> without;
  for (const std::size_t k : active) {
    SetState& state = states[k];
    if (!state.needs_direction || state.plain) continue;
    if (!factors_.has(state.problems) || state.factor_age >= factors_.refresh_after()) {
      wanted.push_back({state.problems, std::span(state.x.data(), static_cast<std::size_t>(state.x.size())),
                        static_cast<std::uint64_t>(state.iterations)});
      state.factor_age = 0;
      state.factors.reset();
    }
    ++state.factor_age;
    if (state.factors) continue;
    sets.push_back(state.problems);
    without.push_back(&state);
  }
  factors_.make(wanted);
  const std::vector<SetPreconditioner> made = factors_.get(sets);
  for (std::size_t i = 0; i < without.size(); ++i) without[i]->factors = made[i];
}

void LinearSolver::Impl::choose_direction(SetState& state) const {
  state.needs_direction = false;
  state.step = 1;
  state.step_is_final = false;
  if (newton_ && !state.plain) {
    state.direction = -state.history.apply(
        state.gradient, [&](const VectorXd& q) { return state.factors->solve(q, options_.threads); });
  } else {
    // H0 = diag(1 / (mean curvature W size_j^2 + ridge)), the curvature 1/4 to begin with, then scaled to the
    // last pair.
    VectorXd inverse(state.x.size());
    for (std::size_t i = 0; i < state.problems.size() * width_; ++i) {
      const double curvature =
          state.plain ? greatest_curvature(state) : diagonal_curvature(state, i / width_, i % width_);
      inverse[static_cast<Eigen::Index>(i)] = curvature > 0 ? 1 / curvature : 0.0;
    }
    inverse *= state.history.scale(inverse);
    state.direction = -state.history.apply(
        state.gradient, [&](const VectorXd& q) { return VectorXd(q.cwiseProduct(inverse)); });
  }
  if (!(state.direction.dot(state.gradient) < 0)) {
    state.history.clear();
    state.direction = -state.gradient / (state.gradient.norm() + 1e-300);
  }
}

LinearSolver::LinearSolver(RowEngine& engine, ColumnScale scale, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(engine, std::move(scale), options)) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

void LinearSolver::set_limits(double gradient_tolerance, int max_passes) {
  impl_->set_limits(gradient_tolerance, max_passes);
}

bool LinearSolution::interrupted() const {
  return std::any_of(classes.begin(), classes.end(),
                     [](const ClassFit& c) { return c.stop == SolverStop::interrupted; });
}

LinearSolution LinearSolver::solve(std::span<const LinearProblem> problems, std::span<const double> start) {
  return impl_->solve(problems, start);
}

}  // namespace linkgistic
