// EM of Linkgistic regression for one-vs-rest classes that share every pass over the rows.
//
//   J(beta, nu) = sum_n w_n log p(y_n | nu(beta'z_n)) + log prior(nu) - (l2/2) s(nu)^2 |beta|^2
// a class, s the root mean square of nu' over the rows, each by the curvature of its loss. From logistic
// regression on,
//   E-step, a class at a time: margins m_n = beta'z_n, compressed; Laplace posterior of nu about max_nu J
//   M-step, all classes:       max_beta J
// and an E-step at the end. nu and beta share one scale. A ridge on beta alone is escaped by shrinking beta
// and steepening nu, after which nothing holds the fit back; with s^2 it is in units of nu, where that
// changes nothing. The scale is then free to drift, away from where the prior has nu; so after every E-step
// beta is multiplied and nu's argument divided by s, which makes s = 1.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "classification/link_fit.hpp"
#include "solver/linear_solver.hpp"

namespace linkgistic {

struct EmOptions {
  double l2 = 1;
  int em_iterations = 4;             // M-steps at most
  int samples = 0;                   // of the posterior in the M-step's loss; 0 takes the mode
  double tolerance = 1e-4;           // stop when the objective changes by less, relative to its size
  bool end_when_worse = false;       // stop after the first step that lowers the objective
  double gradient_tolerance = 1e-4;  // of logistic regression, and of M-steps ten times that
  int max_passes = 500;              // of one solve
  std::shared_ptr<const BaseLoss> base = BaseLoss::log();
  std::uint64_t seed = 0;
  int threads = 0;
  std::function<bool()> stop;
  std::function<void(int)> on_pass;  // of logistic regression and M-steps
};

/// The state after an E-step.
struct EmRecord {
  double objective = 0;  // sum over classes of log evidence, penalty included
  double mean_loss = 0;  // a row and class, at the mode
  int passes = 0;        // of the M-step (logistic regression) before it
  double seconds_e = 0, seconds_m = 0;
};

struct EmResult {
  std::vector<double> beta;      // (C, D + 1), intercept first
  std::vector<ClassLink> links;  // (C)
  std::vector<float> margins;    // (C, N)
  std::vector<ClassFit> solves;  // of the last solve that was kept
  std::vector<EmRecord> trace;   // after logistic regression and its E-step, then after each EM step
  bool converged = false;
  bool interrupted = false;
};

/// EM between two steps: the state it goes on from, and the best one so far.
struct EmLoop {
  EmResult best, state;
  int steps = 0;  // M-steps done
  bool finished = false;
  /// The greatest of all steps, which is that of `best`.
  [[nodiscard]] double best_objective() const;
};

/// Where EM begins, if not with its first step, and who keeps its state after every step.
struct EmResume {
  std::optional<EmLoop> begin;
  std::function<void(const EmLoop&)> save;
};

/// Moves margins and beta, and the links with them, to a slope s = 1 and equal means of nu and m.
void move_to_unit_slope(EmResult& state);

/// The rows and classes of one problem, with the solver that goes from fit to fit.
class LinkgisticEm {
 public:
  /// `positive` has the label of each class. The data must outlive this object.
  LinkgisticEm(const LabelledView& data, std::vector<std::int32_t> positive, const EmOptions& options);

  /// Logistic regression (the generalised linear model with the base's link) from `start` (empty: 0), every
  /// link the identity.
  EmResult logistic(double l2, std::span<const double> start = {});
  /// EM from a logistic regression. `on_step` is told the state after each E-step.
  EmResult run(const EmResult& logistic, const LinkFamily& family, double l2,
               const std::function<void(const EmResult&)>& on_step = {}, const EmResume& resume = {});

  /// The links of `state` from these margins (C, N) of the rows, with the penalties -(ridge/2) s^2, into it
  /// and the last record of its trace.
  void e_step(const LinkFamily& family, std::span<const float> margins, std::span<const double> ridge,
              EmResult& state) const;
  /// beta of `state` under its links, with a record in its trace; number `step` has samples of its own.
  void m_step(double l2, int step, EmResult& state);
  /// What the solver keeps from solve to solve.
  [[nodiscard]] SolverMemory memory() const { return solver_.memory(); }
  void restore(const SolverMemory& memory) { solver_.restore(memory); }
  /// (C): |beta|^2 without the intercepts.
  [[nodiscard]] std::vector<double> squares(const EmResult& state) const;

 private:
  void constant_where_none(LinearSolution& solution) const;
  void set_limits(double l2, bool m_step);

  LabelledView data_;
  std::vector<std::int32_t> positive_;
  EmOptions options_;
  LinearSolver solver_;
};

/// The loop itself: `link` is the E-step, `solve` the M-step with its number. A step is saved, then told.
EmResult iterate(const EmResult& logistic, const EmOptions& options,
                 const std::function<void(EmResult&)>& link, const std::function<void(int, EmResult&)>& solve,
                 const std::function<void(const EmResult&)>& on_step, const EmResume& resume);

}  // namespace linkgistic
