// Linear scores under any tabulated loss: minimises, for many problems p at once,
//   F_p(beta) = sum_n w_n l_p(beta_0 + beta'z_n) + (ridge_p / 2) |beta|^2, the intercept beta_0 not
//   penalised,
// over the rows that take part in the problem. With LossTable::logistic() it is one-vs-rest logistic
// regression. Coupled problems are minimised together, as the classes of a softmax over their links:
//   F(beta) = sum_n w_n [log sum_k exp nu_k(m_nk) - nu_y(m_ny)] + sum_k (ridge_k / 2) |beta_k|^2,
// with links nu_k(m) = m multinomial logistic regression. A ridge may pull each coefficient by its own
// strength towards a value of its own. The solver sees sums of an engine, never rows.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/row_engine.hpp"

namespace linkgistic {

enum class SolverMethod {
  /// newton where its factors cost less than the passes they save. Problems without a ridge: L-BFGS over a
  /// multiple of the identity. Starting at zero, it keeps weights that few rows support small; a factor or a
  /// diagonal would let them diverge first.
  automatic,
  newton,  ///< L-BFGS over a factored Hessian of a sample of the rows: Newton's method when that is all rows
  lbfgs    ///< L-BFGS over a diagonal
};

struct SolverOptions {
  /// A problem has converged when max_j |dF/dbeta_j| / size_j <= gradient_tolerance sum_n w_n |l'_n|, where
  /// size_j^2 is the mean square of feature j plus 4 ridge / sum_n w_n: the largest mean of residual times
  /// feature, relative to the mean residual, whatever the units of the features. Without a ridge, automatic:
  /// when max_j |dF/dbeta_j| <= gradient_tolerance sum_n w_n, a gradient a row.
  double gradient_tolerance = 1e-4;
  int max_passes = 500;      ///< over the data, at least 1
  std::size_t history = 10;  ///< pairs of L-BFGS
  SolverMethod method = SolverMethod::automatic;
  int threads = 0;  ///< 0: all
  /// Problems to a set, which stand together and look at the same rows; above 1 they are one softmax, and
  /// their tables have their links (ScoreRequest).
  std::size_t coupled = 1;
  /// Called after every pass with its number; may throw to stop.
  std::function<void(int)> on_pass;
  /// Polled after every pass; true ends the solve at the points reached.
  std::function<bool()> stop;
};

enum class SolverStop {
  converged,
  pass_limit,   ///< max_passes was reached
  no_progress,  ///< no step lowers the objective by more than rounding
  interrupted,  ///< SolverOptions::stop said so
  /// Without a ridge: a plane separates the rows, so that longer weights always lower the loss. The weights
  /// get the length at which the mean loss of a row is separated_loss.
  separated
};

/// The mean loss of a row at which weights that separate the rows stop: right labels have a probability of
/// about .999.
inline constexpr double separated_loss = 1e-3;

std::string_view to_string(SolverStop stop);

/// sum_j (strength_j / 2) (beta_j - centre_j)^2, the intercept among them: (D + 1) each.
struct Pull {
  std::vector<double> strength, centre;
};

struct LinearProblem {
  std::int32_t label = 1;  ///< the positive one
  std::shared_ptr<const LossTable> table;
  double ridge = 0;  ///< at least 0
  Selection selection = {};
  double least_tolerance = 0;  ///< the gradient tolerance is at least this
  /// In place of the ridge, which then says only that there is one.
  std::shared_ptr<const Pull> pull = nullptr;

  /// The strength of the ridge on coefficient j of D + 1, and the value that it pulls to.
  [[nodiscard]] double strength(std::size_t j) const {
    return pull != nullptr ? pull->strength[j] : j == 0 ? 0.0 : ridge;
  }
  [[nodiscard]] double centre(std::size_t j) const { return pull != nullptr ? pull->centre[j] : 0.0; }
};

/// How one problem ended.
struct ClassFit {
  double loss = 0;              ///< sum of weighted losses; that of a softmax stands at its first class
  double objective = 0;         ///< loss + penalty, likewise
  double gradient_ratio = 0;    ///< what gradient_tolerance is compared with
  double lower = 1, upper = 0;  ///< range of the scores of the rows that count
  int iterations = 0;
  SolverStop stop = SolverStop::pass_limit;
};

struct LinearSolution {
  std::vector<double> beta;       ///< (P, D + 1), intercept first, in the scaled features
  std::vector<ClassFit> classes;  ///< (P)
  int passes = 0;
  [[nodiscard]] bool interrupted() const;
};

/// Keeps what does not depend on the loss (feature sizes, factors) from one solve to the next, as EM needs.
/// The engine must outlive it.
class LinearSolver {
 public:
  /// `scale` makes features of the engine's raw values.
  LinearSolver(RowEngine& engine, ColumnScale scale, const SolverOptions& options);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  /// `start` is (P, D + 1), or empty for zero. A problem with the label and rows of an earlier solve starts
  /// with its factor.
  LinearSolution solve(std::span<const LinearProblem> problems, std::span<const double> start = {});

  /// Replaces the limits of the options in the solves from now on.
  void set_limits(double gradient_tolerance, int max_passes);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace linkgistic
