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
  /// visit(k, i): the coefficients i .. i + D - 1 of problem k, without its intercept.
  template <class Visit>
  void each_penalised(const Visit& visit) const {
    for (std::size_t k = 0; k < problems.size(); ++k) visit(k, static_cast<Eigen::Index>(k) * width() + 1);
  }
  /// sum_k ridge_k a_k . b_k.
  [[nodiscard]] double ridge_product(const VectorXd& a, const VectorXd& b) const {
    double sum = 0;
    each_penalised([&](std::size_t k, Eigen::Index i) {
      sum += problems[k].ridge * a.segment(i, width() - 1).dot(b.segment(i, width() - 1));
    });
    return sum;
  }
  [[nodiscard]] double penalty(const VectorXd& at) const { return 0.5 * ridge_product(at, at); }
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
