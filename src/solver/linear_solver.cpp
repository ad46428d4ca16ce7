// Linear scores under any tabulated loss, all classes sharing each pass over the data.
//
// Every class is an L-BFGS iteration of its own that asks for one trial point a round; one fused pass answers
// all. The full step is tried first, so that an iteration usually costs one pass. When it fails, margins at
// both ends of the step are at hand and margins are linear in the step: the line search is done on them
// without reading the data.
#include "solver/linear_solver.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/lbfgs_history.hpp"
#include "numeric/line_search.hpp"
#include "numeric/parallel.hpp"
#include "solver/separation.hpp"

namespace linkgistic {
namespace {

using Eigen::VectorXd;

Eigen::Map<const VectorXd> as_vector(const double* values, std::size_t size) {
  return {values, static_cast<Eigen::Index>(size)};
}

// One class on its way: the point it stands at, the step it tries.
struct ClassState {
  explicit ClassState(std::size_t history_size) : history(history_size) {}

  PassClass problem;
  double ridge = 0;
  VectorXd x;  // (D + 1)
  VectorXd gradient;
  double objective = 0;
  VectorXd direction;
  double step = 0;
  bool plain = false;          // L-BFGS over a multiple of the identity
  bool started = false;        // the point has been evaluated
  bool step_is_final = false;  // the line search has chosen it
  bool done = false;
  int factor_age = 0;          // iterations with the present factor
  std::vector<float> margins;  // (N) at x
  LbfgsHistory history;
  ClassFit fit;

  [[nodiscard]] VectorXd trial() const { return started ? VectorXd(x + step * direction) : x; }
  [[nodiscard]] double penalty(const VectorXd& at) const {
    return 0.5 * ridge * at.tail(at.size() - 1).squaredNorm();
  }
};

}  // namespace

std::string_view to_string(SolverStop stop) {
  switch (stop) {
    case SolverStop::converged:
      return "converged";
    case SolverStop::pass_limit:
      return "pass limit";
    case SolverStop::no_progress:
      return "no further progress";
    case SolverStop::separated:
      return "separated";
    case SolverStop::interrupted:
      return "interrupted";
  }
  return "";
}

class LinearSolver::Impl {
 public:
  Impl(const LabelledView& data, const SolverOptions& options)
      : data_(data),
        options_(options),
        width_(data.columns() + 1),
        sizes_(feature_sizes(data, options.threads)),
        factors_(data) {
    set_limits(options.gradient_tolerance, options.max_passes);
    if (data_.column_blocks == nullptr && ColumnBlocks::pay_for(data.view->rows)) {
      column_blocks_.emplace(std::get<CsrRows>(data.view->rows.storage()), options.threads);
      data_.column_blocks = &*column_blocks_;
    }
    for (std::size_t n = 0; n < data.rows(); ++n) {
      total_weight_ += data.weights.empty() ? 1.0 : static_cast<double>(data.weights[n]);
    }
    newton_ = options.method == SolverMethod::newton ||
              (options.method == SolverMethod::automatic && factors_.pay());
  }

  LinearSolution solve(std::span<const PassClass> classes, std::span<const double> ridge,
                       std::span<const double> start);

  [[nodiscard]] const SolverMemory& memory() const { return factors_.memory(); }
  void restore(const SolverMemory& memory) { factors_.restore(memory, options_.threads); }

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
  void round(std::vector<ClassState>& states, std::span<const std::size_t> active);
  void process(std::size_t k, ClassState& state, double loss, double residual_size,
               Eigen::Map<const VectorXd> loss_gradient, std::span<const float> trial_margins, int threads);
  void accept(ClassState& state, const VectorXd& x, double loss, double residual_size,
              const VectorXd& gradient, std::span<const float> trial_margins) const;
  void choose_direction(std::size_t k, ClassState& state, int threads);
  void restart(std::size_t k, ClassState& state, int threads);
  bool search_line(ClassState& state, const LinePoint& begin, const LinePoint& end,
                   std::span<const float> trial_margins, int threads) const;

  // d2F/dbeta_j^2 where every row has the curvature 1/4.
  [[nodiscard]] double diagonal_curvature(const ClassState& state, std::size_t j) const {
    return 0.25 * total_weight_ * sizes_[j] * sizes_[j] + (j == 0 ? 0.0 : state.ridge);
  }

  // A bound of |d2F/dbeta2| where every row has the curvature 1/4.
  [[nodiscard]] double greatest_curvature() const {
    double squares = 0;
    for (const double size : sizes_) squares += size * size;
    return 0.25 * total_weight_ * squares;
  }

  std::optional<ColumnBlocks> column_blocks_;
  LabelledView data_;
  SolverOptions options_;
  std::size_t width_;
  std::vector<double> sizes_;
  double total_weight_ = 0;
  bool newton_ = false;
  ClassFactors factors_;
};

LinearSolution LinearSolver::Impl::solve(std::span<const PassClass> classes, std::span<const double> ridge,
                                         std::span<const double> start) {
  if (ridge.size() != classes.size() || (!start.empty() && start.size() != classes.size() * width_)) {
    throw InputError("solver: one ridge a class and classes x (columns + 1) start values are expected");
  }
  std::vector<ClassState> states;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (!(ridge[k] >= 0)) throw UsageError("l2 is " + std::to_string(ridge[k]) + ", must be at least 0");
    ClassState& state = states.emplace_back(options_.history);
    state.problem = classes[k];
    state.ridge = ridge[k];
    state.plain = options_.method == SolverMethod::automatic && !(ridge[k] > 0);
    state.x = start.empty() ? VectorXd(VectorXd::Zero(static_cast<Eigen::Index>(width_)))
                            : VectorXd(as_vector(start.data() + k * width_, width_));
  }
  if (factors_.size() != states.size()) {
    factors_.clear(states.size());
    if (newton_ && start.empty() && !states.empty() && !states.front().plain)
      factors_.share_first(states.front().problem, ridge, options_.threads);
  }
  LinearSolution fit;
  std::vector<std::size_t> active(classes.size());
  for (std::size_t k = 0; k < active.size(); ++k) active[k] = k;
  while (fit.passes < options_.max_passes && !active.empty()) {
    round(states, active);
    ++fit.passes;
    if (options_.on_pass) options_.on_pass(fit.passes);
    std::erase_if(active, [&](std::size_t k) { return states[k].done; });
    if (options_.stop && options_.stop()) {
      for (const std::size_t k : active) states[k].fit.stop = SolverStop::interrupted;
      break;
    }
  }
  for (ClassState& state : states) {
    fit.beta.insert(fit.beta.end(), state.x.begin(), state.x.end());
    fit.margins.insert(fit.margins.end(), state.margins.begin(), state.margins.end());
    fit.classes.push_back(state.fit);
  }
  return fit;
}

void LinearSolver::Impl::round(std::vector<ClassState>& states, std::span<const std::size_t> active) {
  std::vector<PassClass> problems;
  std::vector<double> beta;
  for (const std::size_t k : active) {
    problems.push_back(states[k].problem);
    const VectorXd trial = states[k].trial();
    beta.insert(beta.end(), trial.begin(), trial.end());
  }
  const std::size_t rows = data_.rows();
  std::vector<float> margins(active.size() * rows);
  const PassResult pass = fused_pass(data_, problems, beta, margins, options_.threads);
  const bool many = active.size() > 1;
  const auto handle = [&](std::size_t i) {
    process(active[i], states[active[i]], pass.loss[i], pass.residual_size[i],
            as_vector(pass.gradient.data() + i * width_, width_), std::span(margins).subspan(i * rows, rows),
            many ? 1 : options_.threads);
  };
  parallel_for(active.size(), many ? options_.threads : 1, handle);
}

void LinearSolver::Impl::process(std::size_t k, ClassState& state, double loss, double residual_size,
                                 Eigen::Map<const VectorXd> loss_gradient,
                                 std::span<const float> trial_margins, int threads) {
  const VectorXd trial = state.trial();
  VectorXd gradient = loss_gradient;
  gradient.tail(gradient.size() - 1) += state.ridge * trial.tail(trial.size() - 1);
  if (state.started) {
    const LinePoint begin{0, state.objective, state.gradient.dot(state.direction)};
    const LinePoint end{state.step, loss + state.penalty(trial), gradient.dot(state.direction)};
    constexpr LineSearchOptions loose{1e-4, 0.9, 3e-7, 0};
    if (state.step_is_final) {
      if (!(end.value <= begin.value + loose.rounding * std::abs(begin.value)))
        return restart(k, state, threads);
    } else if (!satisfies_wolfe(begin, end, loose)) {
      state.step_is_final = search_line(state, begin, end, trial_margins, threads);
      return state.step_is_final ? void() : restart(k, state, threads);
    }
    state.history.add(trial - state.x, gradient - state.gradient);
    ++state.fit.iterations;
  }
  accept(state, trial, loss, residual_size, gradient, trial_margins);
  if (!state.done) choose_direction(k, state, threads);
}

// The step has failed: try once more without the history, then give up.
void LinearSolver::Impl::restart(std::size_t k, ClassState& state, int threads) {
  if (state.history.empty()) {
    state.fit.stop = SolverStop::no_progress;
    state.done = true;
    return;
  }
  state.history.clear();
  choose_direction(k, state, threads);
}

void LinearSolver::Impl::accept(ClassState& state, const VectorXd& x, double loss, double residual_size,
                                const VectorXd& gradient, std::span<const float> trial_margins) const {
  state.started = true;
  state.x = x;
  state.gradient = gradient;
  state.objective = loss + state.penalty(x);
  state.margins.assign(trial_margins.begin(), trial_margins.end());
  double largest = 0;
  for (std::size_t j = 0; j < width_; ++j) {
    const double size = state.plain ? 1 : std::sqrt(diagonal_curvature(state, j) / (0.25 * total_weight_));
    if (size > 0) largest = std::max(largest, std::abs(gradient[static_cast<Eigen::Index>(j)]) / size);
  }
  const double scale = state.plain ? total_weight_ : residual_size;
  state.fit.loss = loss;
  state.fit.objective = state.objective;
  state.fit.gradient_ratio = scale > 0 ? largest / scale : 0;
  if (!(state.fit.gradient_ratio > options_.gradient_tolerance)) {
    state.fit.stop = SolverStop::converged;
    state.done = true;
  } else if (!(state.ridge > 0) && is_separated(data_, state.problem, state.margins, loss / total_weight_)) {
    const double length = separated_length(data_, state.problem, state.margins, total_weight_);
    state.fit.loss = state.fit.objective = state.objective = separated_loss * total_weight_;
    state.x *= length;
    for (float& m : state.margins) m = static_cast<float>(length * static_cast<double>(m));
    state.fit.stop = SolverStop::separated;
    state.done = true;
  }
}

void LinearSolver::Impl::choose_direction(std::size_t k, ClassState& state, int threads) {
  state.step = 1;
  state.step_is_final = false;
  if (newton_ && !state.plain) {
    if (!factors_.has(k) || state.factor_age >= factors_.refresh_after()) {
      const auto seed = static_cast<std::uint64_t>(state.fit.iterations);
      factors_.make(k, state.problem, state.margins, state.ridge, seed, threads);
      state.factor_age = 0;
    }
    ++state.factor_age;
    state.direction =
        -state.history.apply(state.gradient, [&](const VectorXd& q) { return factors_[k].solve(q); });
  } else {
    // H0 = diag(1 / (mean curvature W size_j^2 + ridge)), the curvature 1/4 to begin with, then scaled to the
    // last pair.
    VectorXd inverse(static_cast<Eigen::Index>(width_));
    for (std::size_t j = 0; j < width_; ++j) {
      const double curvature = state.plain ? greatest_curvature() : diagonal_curvature(state, j);
      inverse[static_cast<Eigen::Index>(j)] = curvature > 0 ? 1 / curvature : 0.0;
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

bool LinearSolver::Impl::search_line(ClassState& state, const LinePoint& begin, const LinePoint& end,
                                     std::span<const float> trial_margins, int threads) const {
  std::vector<float> direction(trial_margins.size());
  for (std::size_t n = 0; n < direction.size(); ++n) {
    direction[n] = (trial_margins[n] - state.margins[n]) / static_cast<float>(state.step);
  }
  const Eigen::Index columns = state.x.size() - 1;
  const double xd = state.x.tail(columns).dot(state.direction.tail(columns));
  const double dd = state.direction.tail(columns).squaredNorm();
  const auto line = [&](double t) {
    const LossNode node =
        loss_along(state.margins, direction, t, data_.labels, data_.weights, state.problem, threads);
    return LinePoint{t, node.value + state.penalty(state.x) + state.ridge * (t * xd + 0.5 * t * t * dd),
                     node.slope + state.ridge * (xd + t * dd)};
  };
  const auto found = wolfe_search(line, begin, end);
  if (found) state.step = found->t;
  return found.has_value();
}

LinearSolver::LinearSolver(const LabelledView& data, const SolverOptions& options)
    : impl_(std::make_unique<Impl>(data, options)) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

void LinearSolver::set_limits(double gradient_tolerance, int max_passes) {
  impl_->set_limits(gradient_tolerance, max_passes);
}

SolverMemory LinearSolver::memory() const { return impl_->memory(); }
void LinearSolver::restore(const SolverMemory& memory) { impl_->restore(memory); }

bool LinearSolution::interrupted() const {
  return std::any_of(classes.begin(), classes.end(),
                     [](const ClassFit& c) { return c.stop == SolverStop::interrupted; });
}

LinearSolution LinearSolver::solve(std::span<const PassClass> classes, std::span<const double> ridge,
                                   std::span<const double> start) {
  return impl_->solve(classes, ridge, start);
}

}  // namespace linkgistic
