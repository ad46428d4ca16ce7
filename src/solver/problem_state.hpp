// Where the solver stands with each of its problems, and the requests of several problems as one.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "numeric/lbfgs_history.hpp"
#include "solver/batch_line_search.hpp"
#include "solver/linear_solver.hpp"
#include "solver/preconditioner.hpp"

namespace linkgistic {

using Eigen::VectorXd;

/// The state of one problem: its current point and the step it tries.
struct ProblemState {
  ProblemState(const LinearProblem& p, std::size_t history_size) : problem(p), history(history_size) {}

  LinearProblem problem;
  double weight = 0;  // of its rows
  VectorXd x;         // (D + 1)
  VectorXd gradient;
  double objective = 0;
  VectorXd direction;
  double step = 0;
  bool plain = false;          // L-BFGS over a multiple of the identity
  bool started = false;        // the point has been evaluated
  bool step_is_final = false;  // the line search has chosen it
  bool done = false;
  bool needs_direction = false;
  std::optional<LineBracket> search;
  int factor_age = 0;  // iterations with the present factor
  std::shared_ptr<const Preconditioner> factor;
  LbfgsHistory history;
  ClassFit fit;

  [[nodiscard]] VectorXd trial() const { return started ? VectorXd(x + step * direction) : x; }
  [[nodiscard]] double penalty(const VectorXd& at) const {
    return 0.5 * problem.ridge * at.tail(at.size() - 1).squaredNorm();
  }
};

/// The sums of a pass for one problem at its trial point.
struct Evaluated {
  double loss, residual_size, lower, upper, least_signed;
  Eigen::Map<const VectorXd> loss_gradient;
};

/// The requests of several problems as one; tables that problems share are sent once.
class Batch {
 public:
  void add(const LinearProblem& problem, const VectorXd& beta) {
    auto it = std::find(request_.tables.begin(), request_.tables.end(), problem.table);
    if (it == request_.tables.end()) it = request_.tables.insert(it, problem.table);
    request_.problems.push_back(
        {problem.label, static_cast<std::int32_t>(it - request_.tables.begin()), problem.selection});
    request_.beta.insert(request_.beta.end(), beta.begin(), beta.end());
  }
  [[nodiscard]] const ScoreRequest& request() const { return request_; }

 private:
  ScoreRequest request_;
};

}  // namespace linkgistic
