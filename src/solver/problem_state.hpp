// Where the solver stands with each set of its problems, and the requests of several sets as one.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "numeric/lbfgs_history.hpp"
#include "solver/batch_line_search.hpp"
#include "solver/linear_solver.hpp"
#include "solver/preconditioner.hpp"

namespace linkgistic {

using Eigen::VectorXd;

/// The state of one set of problems: its current point and the step it tries.
struct SetState {
  SetState(std::span<const LinearProblem> set, std::size_t history_size)
      : problems(set), history(history_size), fits(set.size()) {}

  std::span<const LinearProblem> problems;
  double weight = 0;  // of its rows
  VectorXd x;         // (problems, D + 1)
  VectorXd strength;  // of the ridge on each
  VectorXd centre;    // what it pulls each to
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
  int factor_age = 0;  // iterations with the present factors
  std::optional<SetPreconditioner> factors;
  LbfgsHistory history;
  int iterations = 0;
  SolverStop stop = SolverStop::pass_limit;
  std::vector<ClassFit> fits;

  [[nodiscard]] const Selection& selection() const { return problems[0].selection; }
  [[nodiscard]] VectorXd trial() const { return started ? VectorXd(x + step * direction) : x; }
  [[nodiscard]] Eigen::Index width() const { return x.size() / static_cast<Eigen::Index>(problems.size()); }
  /// The gradient of the penalty at a point.
  [[nodiscard]] VectorXd penalty_gradient(const VectorXd& at) const {
    return strength.cwiseProduct(at - centre);
  }
  [[nodiscard]] double penalty(const VectorXd& at) const {
    return 0.5 * (at - centre).dot(penalty_gradient(at));
  }
  void end(SolverStop why) {
    stop = why;
    done = true;
  }
};

/// The sums of a pass for one set at its trial point.
struct Evaluated {
  const PassResult& pass;
  std::size_t first;  // problem
  std::size_t count;
  Eigen::Map<const VectorXd> loss_gradient;

  [[nodiscard]] double loss() const { return pass.loss[first]; }
  /// The mean over its problems.
  [[nodiscard]] double residual_size() const {
    double sum = 0;
    for (std::size_t k = first; k < first + count; ++k) sum += pass.residual_size[k];
    return sum / static_cast<double>(count);
  }
};

/// The requests of several sets as one; tables that problems share are sent once.
class Batch {
 public:
  void add(std::span<const LinearProblem> set, const VectorXd& beta) {
    for (const LinearProblem& problem : set) {
      auto it = std::find(request_.tables.begin(), request_.tables.end(), problem.table);
      if (it == request_.tables.end()) it = request_.tables.insert(it, problem.table);
      request_.problems.push_back(
          {problem.label, static_cast<std::int32_t>(it - request_.tables.begin()), problem.selection});
    }
    request_.beta.insert(request_.beta.end(), beta.begin(), beta.end());
    request_.coupled = static_cast<std::uint32_t>(set.size());
  }
  [[nodiscard]] const ScoreRequest& request() const { return request_; }

 private:
  ScoreRequest request_;
};

}  // namespace linkgistic
