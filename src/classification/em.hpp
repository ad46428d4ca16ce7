// EM of Linkgistic regression for classes that share every pass over the rows: one against the rest each, or
// all together in a softmax.
//
// One against the rest:
//   J(beta, nu) = sum_n w_n log p(y_n | nu(beta'z_n)) + log prior(nu) - (l2/2) s(nu)^2 |beta|^2
// a class, s the root mean square of nu' over the rows, each by the curvature of its loss. From logistic
// regression on,
//   E-step, a class at a time: scores m_n = beta'z_n, compressed; Laplace posterior of nu about max_nu J
//   M-step, all classes:       max_beta J
// and an E-step at the end. nu and beta share one scale. A ridge on beta alone could be avoided by shrinking
// beta and steepening nu, and would no longer restrain the fit. With s^2 the ridge is in units of nu, and
// such a change of scale has no effect on it. The scale could then drift away from where the prior expects
// nu. So after every E-step beta is multiplied by s and nu's argument divided by it, which makes s = 1.
//
// One against one, the scores are those of pairs of classes, each on its own rows.
//
// A softmax has one J for all classes (softmax_links.hpp); its E-step finds the mode of all links. How far
// they bend is chosen on the way (bend_evidence.hpp). The first M-steps come before the choice: beta is still
// that of straight links, and a bend that it has not adapted to shows little of its worth.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "classification/pairs.hpp"
#include "classification/softmax_links.hpp"
#include "solver/linear_solver.hpp"

namespace linkgistic {

/// With those of the solver: its gradient tolerance is that of logistic regression, and of M-steps ten times
/// that; a pass is one of either.
struct EmOptions : SolverOptions {
  int em_iterations = 4;  // M-steps at most
  int samples = 0;        // of the posterior in the M-step's loss; 0 takes the mode
  // Stop when the objective changes by less, relative to its size and to the weight of the rows: whichever is
  // smaller.
  double tolerance = 1e-4;
  bool end_when_worse = false;  // stop after the first step that lowers the objective
  bool softmax = false;         // the base is then the log loss
  /// One against one (pairs.hpp): the number of parts that the pairs' parts were made of.
  std::optional<std::size_t> pairs;
  std::shared_ptr<const BaseLoss> base = BaseLoss::log();
  std::uint64_t seed = 0;
  Recall recall;  // of links that were fitted before
};

/// How EM ended.
enum class EmStop {
  converged,  ///< the objective stands still, or moves to and fro by less than rows can tell
  no_rise,    ///< the last steps stay below the best one, or are not finite; the best one is kept
  iteration_limit
};

/// The state after an E-step.
struct EmRecord {
  double objective = 0;  // log evidence of the links, penalty included; the classes' sum but for a softmax
  double mean_loss = 0;  // a row and class (a row, of a softmax), at the mode
  int passes = 0;        // of the M-step (logistic regression) before it
  double seconds_e = 0, seconds_m = 0;
};

/// How far the links of a softmax bend, where EM chooses it.
struct BendSearch {
  LinkBend used;         // by the last E-step
  LinkBend next;         // by the next
  bool settled = false;  // the last E-step saw nothing better near it
};

/// A fit of all classes to some of the rows.
struct EmResult {
  Selection selection;  // the rows it is fitted to
  double l2 = 1;
  double least_tolerance = 0;                      // the solver's tolerance is at least this
  std::vector<double> beta;                        // (C, D + 1), intercept first
  std::vector<ClassLink> links;                    // (C)
  std::shared_ptr<const LinkFrame> frame;          // of a softmax's links, that of the last E-step
  std::shared_ptr<const LinkPrecision> precision;  // and how sure they are; null where none is learned
  std::optional<BendSearch> bend;                  // of a softmax; none: the family's sizes
  std::vector<ScoreRange> ranges;                  // (C) of the scores of its rows
  std::vector<ClassFit> solves;                    // of the last solve that was kept
  std::vector<EmRecord> trace;  // after logistic regression and its E-step, then after each EM step
  double weight = 0;            // of its rows
  EmStop stop = EmStop::iteration_limit;
  bool interrupted = false;

  [[nodiscard]] bool converged() const { return stop == EmStop::converged; }
  /// (C): |beta|^2 without the intercepts.
  [[nodiscard]] std::vector<double> squares() const;
};

/// Whether no link can be learned from scores in this range: they are all equal (no feature is informative),
/// or go to infinity (a plane almost separates the classes and there is no ridge).
bool is_flat(const ScoreRange& range);

/// Moves beta, ranges and links to a slope s = 1 and equal means of nu and m.
void move_to_unit_slope(EmResult& state);

/// The classes of one data set, with the solver that goes from fit to fit.
class LinkgisticEm {
 public:
  /// `positive` has the label of each class. The engine must outlive this object.
  LinkgisticEm(RowEngine& engine, ColumnScale scale, std::vector<std::int32_t> positive,
               const EmOptions& options);

  [[nodiscard]] const EmOptions& options() const { return options_; }
  [[nodiscard]] std::size_t classes() const { return positive_.size(); }
  [[nodiscard]] RowEngine& engine() const { return engine_; }
  [[nodiscard]] const ColumnScale& scale() const { return scale_; }

  /// Logistic regression (the generalised linear model with the base's link) of all fits in the same passes,
  /// each to its own rows with its own ridge, every link the identity. All begin at their beta, or all at
  /// zero: it is empty.
  void logistic(std::span<EmResult* const> fits);
  EmResult logistic(double l2);

  /// EM from logistic regressions, in the same passes. `on_step` receives a state after each E-step.
  std::vector<EmResult> run(std::vector<EmResult> logistic, const LinkFamily& family, int em_iterations,
                            const std::function<void(const EmResult&)>& on_step = {});

  /// Scores under `beta` (C, D + 1) of the rows that are selected.
  struct Scored {
    Selection selection;
    const std::vector<double>* beta;
  };
  /// The links of `state` from these scores, with the penalties -(ridge/2) s^2, into it and the last record
  /// of its trace. `ranges` (C) are those of the scores; if empty, they are requested.
  void e_step(const LinkFamily& family, std::span<const Scored> scored, std::vector<ScoreRange> ranges,
              std::span<const double> ridge, EmResult& state) const;
  /// beta of all states under their links, in the same passes, with a record in the trace of each; number
  /// `step` has samples of its own. At most the options' passes, and so many.
  void m_step(int step, std::span<EmResult* const> states, int most_passes = std::numeric_limits<int>::max());

  /// A request for the scores of states at rows that are selected, all classes of each.
  [[nodiscard]] ScoreRequest scores_of(std::span<const Scored> scored) const;
  /// The loss of a class under its link, or the link itself in a softmax, as tables of the engine.
  [[nodiscard]] std::shared_ptr<const LossTable> table_of(const ClassLink& link, int samples = 0,
                                                          std::uint64_t seed = 0) const;

 private:
  [[nodiscard]] const std::shared_ptr<const LossTable>& first_table() const { return first_table_; }
  [[nodiscard]] CellsRequest cells_request(const LinkFamily& family, std::span<const Scored> scored) const;
  // In softmax_e_step.cpp:
  [[nodiscard]] std::vector<WeightedRows> sums_at(CellsRequest& request,
                                                  std::vector<std::shared_ptr<const LossTable>> tables,
                                                  double& loss) const;
  [[nodiscard]] LinkFrame softmax_frame(const SoftmaxLinks& links, CellsRequest& request,
                                        const EmResult& state) const;
  void softmax_e_step(const LinkFamily& family, CellsRequest request, std::span<const double> ridge,
                      EmResult& state) const;
  /// The rows of score k among those selected.
  [[nodiscard]] Selection own(const Selection& selection, std::size_t k) const {
    return options_.pairs ? pair_selection(selection, k, *options_.pairs) : selection;
  }
  void constant_where_none(EmResult& fit, bool from_zero) const;
  void centre(EmResult& fit) const;
  void solve(std::span<EmResult* const> fits, const std::vector<std::shared_ptr<const LossTable>>& tables,
             bool m_step, int most_passes);

  RowEngine& engine_;
  ColumnScale scale_;
  std::vector<std::int32_t> positive_;
  EmOptions options_;
  std::shared_ptr<const LossTable> first_table_;  // of links that are the identity
  LinearSolver solver_;
};

/// The loop itself, of several fits in step: `link` is the E-step of one, `solve` the M-step of those that
/// still move, with its number.
std::vector<EmResult> iterate(std::vector<EmResult> logistic, const EmOptions& options,
                              const std::function<void(EmResult&)>& link,
                              const std::function<void(int, std::span<EmResult* const>)>& solve,
                              const std::function<void(const EmResult&)>& on_step);

}  // namespace linkgistic
