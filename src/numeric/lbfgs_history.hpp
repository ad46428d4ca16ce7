// The limited-memory BFGS matrix (Nocedal 1980; Nocedal & Wright 2006, algorithm 7.4) over any initial
// inverse Hessian. By hand, because LBFGSpp and its like own the loop over evaluations, and ours is shared by
// many problems.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <vector>

namespace linkgistic {

class LbfgsHistory {
 public:
  explicit LbfgsHistory(std::size_t capacity) : capacity_(capacity) {}

  /// Takes a step s = x' - x and the change y = g' - g of the gradient. A pair without positive curvature is
  /// not kept.
  void add(Eigen::VectorXd s, Eigen::VectorXd y) {
    const double sy = s.dot(y);
    if (!(sy > 1e-12 * s.norm() * y.norm())) return;
    if (pairs_.size() == capacity_) pairs_.pop_front();
    pairs_.push_back({std::move(s), std::move(y), sy});
  }

  [[nodiscard]] bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

  /// H g, with H built from the pairs over H0 g = `initial`(g).
  template <class Initial>
  [[nodiscard]] Eigen::VectorXd apply(const Eigen::VectorXd& g, Initial&& initial) const {
    std::vector<double> alpha(pairs_.size());
    Eigen::VectorXd q = g;
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      alpha[i] = pairs_[i].s.dot(q) / pairs_[i].sy;
      q -= alpha[i] * pairs_[i].y;
    }
    q = initial(q);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const double beta = pairs_[i].y.dot(q) / pairs_[i].sy;
      q += (alpha[i] - beta) * pairs_[i].s;
    }
    return q;
  }

  /// The newest pair's s'y / y' H0 y for a diagonal H0: the scale that H0 should have (their equation 7.20).
  /// 1 if none.
  [[nodiscard]] double scale(const Eigen::VectorXd& initial_diagonal) const {
    if (pairs_.empty()) return 1;
    const Pair& last = pairs_.back();
    return last.sy / last.y.cwiseAbs2().dot(initial_diagonal);
  }

 private:
  struct Pair {
    Eigen::VectorXd s;
    Eigen::VectorXd y;
    double sy;
  };
  std::size_t capacity_;
  std::deque<Pair> pairs_;
};

}  // namespace linkgistic
