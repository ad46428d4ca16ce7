// Approximate inverse Hessians for the solver: the Hessian of a sample of the rows, factored.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/linear_solver.hpp"
#include "solver/scaled_rows.hpp"

namespace linkgistic {

/// sum over the sample of weight z z', intercept first, upper triangle: (D + 1, D + 1).
Eigen::MatrixXf hessian_of(const SampleAnswer& sample, std::size_t width, int threads);

/// H ~ P = L L'; solves P x = g.
class Preconditioner {
 public:
  /// `hessian` is the upper triangle; `ridge` is added except for the intercept, and as much of the diagonal
  /// as makes it positive definite in single precision.
  Preconditioner(Eigen::MatrixXf hessian, double ridge);

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& g) const;

 private:
  std::optional<Eigen::LLT<Eigen::MatrixXf>> factor_;
};

/// The factored Hessians of all problems, kept from one solve to the next, and what they cost.
class Factors {
 public:
  /// `coupled` as in SolverOptions.
  Factors(const ScaledRows& rows, std::size_t coupled, int threads);

  /// Whether they cost less than the passes they save; L-BFGS over a diagonal takes about a hundred more.
  [[nodiscard]] bool pay() const;
  /// Iterations until a Hessian is computed anew: about the cost of a factor in passes.
  [[nodiscard]] int refresh_after() const { return refresh_after_; }

  [[nodiscard]] bool has(const LinearProblem& problem) const { return factors_.contains(key_of(problem)); }
  /// The factors of problems that have a Hessian, each under its ridge.
  [[nodiscard]] std::vector<std::shared_ptr<const Preconditioner>> get(
      std::span<const LinearProblem* const> problems);

  /// The Hessians of a set that are needed at a point (coupled, D + 1) of the features: one a problem,
  /// without the blocks between classes.
  struct Wanted {
    std::span<const LinearProblem> set;
    std::span<const double> beta;
    std::uint64_t seed;
  };
  /// Computes the Hessians at these points, in a fixed order.
  void make(std::span<const Wanted> wanted);
  /// Gives every problem that has none the Hessian of the first at beta = 0, where problems differ by their
  /// ridge alone, as far as their losses have the same curvature there and their parts the same rows.
  void share_first(std::span<const LinearProblem> problems);

 private:
  struct Factor {
    std::shared_ptr<const Eigen::MatrixXf> hessian;
    double ridge = 0;
    std::shared_ptr<const Preconditioner> preconditioner;  // null until it is needed
  };
  using Key = std::tuple<std::int32_t, Selection::Rows, std::int32_t>;
  static Key key_of(const LinearProblem& problem) {
    return {problem.label, problem.selection.rows, problem.selection.part};
  }
  /// That of problem `member`, with the sum of its rows' curvatures.
  [[nodiscard]] std::shared_ptr<const Eigen::MatrixXf> hessian(const Wanted& wanted, std::size_t member,
                                                               double curvature) const;
  /// (wanted, coupled)
  [[nodiscard]] std::vector<double> curvatures(std::span<const Wanted> wanted) const;

  const ScaledRows& rows_;
  std::size_t coupled_;
  int threads_;
  double cost_;  // of one, in passes of one problem
  int refresh_after_;
  std::map<Key, Factor> factors_;
};

}  // namespace linkgistic
