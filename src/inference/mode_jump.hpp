// Jumps between the modes of a posterior, which Hamiltonian paths seldom make.
//
// Each mode has a Gaussian N(m_i, A_i A_i) (Laplace's). The mode i nearest to x, in its own metric, is found;
// another, j, is drawn; x goes to m_j + A_j A_i^-1 (x - m_i), as far from the one as it was from the other,
// and that is accepted as Metropolis says, the determinant of the map included, if j is nearest there (E.
// Pompe, C. Holmes and K. Latuszynski, A framework for adaptive MCMC targeting multimodal distributions,
// Annals of Statistics 48, 2020). Any Gaussians leave the target invariant; good ones make many jumps
// succeed.
#pragma once

#include <vector>

#include "numeric/nuts.hpp"

namespace linkgistic {

class ModeJump {
 public:
  struct Place {
    Vector mean;       // (d)
    Matrix precision;  // (d, d)
  };

  /// The first d coordinates of x jump, the others stay. With `symmetric` weights w = x.head(symmetric) the
  /// density is the same at -w, and x is taken at the sign that is nearer to a mode.
  ModeJump(const std::vector<Place>& places, Index symmetric);

  /// One attempt.
  bool operator()(const LogTarget& target, TargetPoint& point, RandomStream& random) const;

 private:
  struct Nearest {
    std::size_t mode = 0;
    bool turned = false;
  };
  [[nodiscard]] Nearest nearest(const Vector& x) const;

  std::vector<Vector> mean_;
  std::vector<Matrix> root_, inverse_root_;  // A_i, A_i^-1
  std::vector<double> log_det_;              // log det A_i
  Index symmetric_;
};

}  // namespace linkgistic
