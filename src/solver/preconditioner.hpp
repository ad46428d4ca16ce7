// Approximate inverse Hessians for the solver: the exact Hessian on a sample of the rows where the columns
// are few, its diagonal elsewhere.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/fused_pass.hpp"

namespace linkgistic {

/// Root mean square of each feature z_j over the weighted rows, 1 for the intercept: (D + 1). A column of
/// zeros has 0.
std::vector<double> feature_sizes(const LabelledView& data, int threads);

/// Rows that stand for all in a Hessian.
struct HessianSample {
  std::vector<std::uint64_t> rows;
  std::vector<float> weights;
};

/// `count` rows drawn with probability proportional to c_n = w_n l''(m_n) of one class at its margins (N),
/// one from each of as many equal parts of sum c, so that all of them count equally; all rows are taken, and
/// the Hessian is exact, when there are no more than `count`. Negative curvatures count as zero.
HessianSample draw_rows(const LabelledView& data, std::span<const float> margins, const PassClass& one_class,
                        std::size_t count, std::uint64_t seed);
/// sum over the sample of weight z z', intercept first, upper triangle: (D + 1, D + 1).
Eigen::MatrixXf hessian_of(const LabelledView& data, const HessianSample& sample, int threads);

/// H ~ P with P = L L' or a diagonal; solves P x = g.
class Preconditioner {
 public:
  Preconditioner() = default;
  /// Of a Hessian's upper triangle, to which `ridge` is added except for the intercept, and as much of the
  /// diagonal as makes it positive definite in single precision.
  Preconditioner(Eigen::MatrixXf hessian, double ridge);
  explicit Preconditioner(Eigen::VectorXd diagonal) : diagonal_(std::move(diagonal)) {}

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& g) const;

 private:
  std::optional<Eigen::LLT<Eigen::MatrixXf>> factor_;
  Eigen::VectorXd diagonal_;
};

}  // namespace linkgistic
