// Linear scores under any tabulated loss: minimises, for every class k at once,
//   F_k(beta) = sum_n w_n l_k(beta_0 + beta'z_n) + (ridge_k / 2) |beta|^2, the intercept beta_0 not
//   penalised.
// With LossTable::logistic() it is one-vs-rest logistic regression.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/fused_pass.hpp"
#include "solver/class_factors.hpp"

namespace linkgistic {

enum class SolverMethod {
  /// newton where its factors cost less than the passes they save. Classes without a ridge: L-BFGS over a
  /// multiple of the identity, which from zero leaves the weights that few rows ask for short; a factor or a
  /// diagonal would take them to infinity first.
  automatic,
  newton,  ///< L-BFGS over a factored Hessian of a sample of the rows: Newton's method when that is all rows
  lbfgs    ///< L-BFGS over a diagonal
};

struct SolverOptions {
  /// A class has converged when max_j |dF/dbeta_j| / size_j <= gradient_tolerance sum_n w_n |l'_n|, where
  /// size_j^2 is the mean square of feature j plus 4 ridge / sum_n w_n: the largest mean of residual times
  /// feature, relative to the mean residual, whatever the units of the features. Without a ridge, automatic:
  /// when max_j |dF/dbeta_j| <= gradient_tolerance sum_n w_n, a gradient a row.
  double gradient_tolerance = 1e-4;
  int max_passes = 500;      ///< over the data, at least 1
  std::size_t history = 10;  ///< pairs of L-BFGS
  SolverMethod method = SolverMethod::automatic;
  int threads = 0;  ///< 0: all
  /// Called after every pass with its number; may throw to stop.
  std::function<void(int)> on_pass;
  /// Asked after every pass; true ends the solve at the points reached.
  std::function<bool()> stop;
};

enum class SolverStop {
  converged,
  pass_limit,   ///< max_passes was reached
  no_progress,  ///< no step lowers the objective by more than rounding
  interrupted,  ///< SolverOptions::stop said so
  /// Without a ridge: a plane has every row on its own side, so that longer weights lower the loss for ever.
  /// They end at the length where the mean loss of a row is 0.001.
  separated
};

std::string_view to_string(SolverStop stop);

struct ClassFit {
  double loss = 0;            ///< sum of weighted losses
  double objective = 0;       ///< loss + penalty
  double gradient_ratio = 0;  ///< what gradient_tolerance is compared with
  int iterations = 0;
  SolverStop stop = SolverStop::pass_limit;
};

struct LinearSolution {
  std::vector<double> beta;       ///< (C, D + 1), intercept first, in the features of the view
  std::vector<float> margins;     ///< (C, N) at beta
  std::vector<ClassFit> classes;  ///< (C)
  int passes = 0;
  [[nodiscard]] bool interrupted() const;
};

/// Keeps what does not depend on the loss (feature sizes, the sample, factors) from one solve to the next, as
/// EM needs. The data must outlive it.
class LinearSolver {
 public:
  LinearSolver(const LabelledView& data, const SolverOptions& options);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  /// `ridge` (C) >= 0; `start` (C, D + 1), or empty for zero. Factors of an earlier solve are used again when
  /// the number of classes is the same.
  LinearSolution solve(std::span<const PassClass> classes, std::span<const double> ridge,
                       std::span<const double> start = {});

  /// Of the solves from now on, in place of the options'.
  void set_limits(double gradient_tolerance, int max_passes);

  /// With its memory another solver of the same data and options goes on as this one would.
  [[nodiscard]] SolverMemory memory() const;
  void restore(const SolverMemory& memory);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace linkgistic
