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
  /// `hessian` is the upper triangle; the strengths of the ridge are added to its diagonal, and as much more
  /// as makes it positive definite in single precision.
  Preconditioner(Eigen::MatrixXf hessian, const std::vector<double>& strength);

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& g) const;

 private:
  std::optional<Eigen::LLT<Eigen::MatrixXf>> factor_;
};

/// The factors of a set of problems, as an approximate inverse of its Hessian: a factor a problem. Those of a
/// softmax know nothing of each other, and a step common to all classes, which changes scores but hardly a
/// probability, would look as steep as any. So their mean is taken out, before and after, and a factor of its
/// own answers for the common step: H^-1 ~ C H_k^-1 C + 1 H_c^-1 1', C = I - 11'/classes.
class SetPreconditioner {
 public:
  /// One a direction (ScoreRequest::directions), in their order.
  explicit SetPreconditioner(std::vector<std::shared_ptr<const Preconditioner>> factors)
      : factors_(std::move(factors)) {}

  /// `g` is (problems, D + 1).
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& g, int threads) const;

 private:
  std::vector<std::shared_ptr<const Preconditioner>> factors_;
};

/// The factored Hessians of all problems, kept from one solve to the next, and what they cost.
class Factors {
 public:
  /// `coupled` as in SolverOptions.
  Factors(const ScaledRows& rows, std::size_t coupled, int threads);

  /// Whether they cost less than the passes they save; L-BFGS over a diagonal takes about a hundred more, of
  /// coupled classes several hundred.
  [[nodiscard]] bool pay() const;
  /// Iterations until a Hessian is computed anew: about the cost of a factor in passes.
  [[nodiscard]] int refresh_after() const { return refresh_after_; }

  using Set = std::span<const LinearProblem>;
  [[nodiscard]] bool has(Set set) const { return factors_.contains(key_of(set[0])); }
  /// The factors of sets that have Hessians, each under its ridge.
  [[nodiscard]] std::vector<SetPreconditioner> get(std::span<const Set> sets);

  /// The Hessians of a set that are needed at a point (coupled, D + 1) of the features: one a direction.
  struct Wanted {
    std::span<const LinearProblem> set;
    std::span<const double> beta;
    std::uint64_t seed;
  };
  /// Computes the Hessians at these points, in a fixed order.
  void make(std::span<const Wanted> wanted);
  /// Gives every problem that has none the Hessian of the first at beta = 0, where problems differ by their
  /// ridge alone, as far as their losses have the same curvature there and their parts the same rows.
  void share_first(Set problems);

 private:
  struct Factor {
    std::shared_ptr<const Eigen::MatrixXf> hessian;
    std::vector<double> strength;
    std::shared_ptr<const Preconditioner> preconditioner;  // null until it is needed
  };
  using Key = std::tuple<std::int32_t, Selection::Rows, std::int32_t>;
  static Key key_of(const LinearProblem& problem) {
    return {problem.label, problem.selection.rows, problem.selection.part};
  }
  /// A direction of a set. What classes have in common has the strengths of all.
  struct Direction {
    Key key;
    std::vector<double> strength;  // (D + 1), of the ridge
    bool common = false;
  };
  [[nodiscard]] std::vector<Direction> directions_of(Set set) const;
  /// That of one direction, with the sum of its rows' curvatures.
  [[nodiscard]] std::shared_ptr<const Eigen::MatrixXf> hessian(const Wanted& wanted, std::size_t direction,
                                                               double curvature) const;
  /// That of what classes have in common, beside one of a class.
  [[nodiscard]] std::shared_ptr<const Eigen::MatrixXf> common_hessian(const Wanted& wanted, double curvature,
                                                                      double of_classes,
                                                                      const Eigen::MatrixXf& a_class) const;
  /// (wanted, directions)
  [[nodiscard]] std::vector<double> curvatures(std::span<const Wanted> wanted) const;

  const ScaledRows& rows_;
  std::size_t coupled_;
  int threads_;
  double cost_;  // of one, in passes of one problem
  int refresh_after_;
  std::map<Key, Factor> factors_;
};

}  // namespace linkgistic
