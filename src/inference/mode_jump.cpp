#include "inference/mode_jump.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

namespace linkgistic {

ModeJump::ModeJump(const std::vector<Place>& places, Index symmetric) : symmetric_(symmetric) {
  for (const Place& place : places) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(place.precision);
    const Matrix& u = eigen.eigenvectors();
    mean_.push_back(place.mean);
    root_.emplace_back(u * eigen.eigenvalues().array().rsqrt().matrix().asDiagonal() * u.transpose());
    inverse_root_.emplace_back(u * eigen.eigenvalues().array().sqrt().matrix().asDiagonal() * u.transpose());
    log_det_.push_back(-eigen.eigenvalues().array().log().sum() / 2);
  }
}

// By the Gaussians' densities.
ModeJump::Nearest ModeJump::nearest(const Vector& x) const {
  Nearest result;
  double least = std::numeric_limits<double>::infinity();
  Vector turned = x;
  turned.head(symmetric_) *= -1;
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    for (const bool turn : {false, true}) {
      if (turn && symmetric_ == 0) continue;
      const double distance =
          (inverse_root_[i] * ((turn ? turned : x) - mean_[i])).squaredNorm() / 2 + log_det_[i];
      if (distance < least) {
        least = distance;
        result = {i, turn};
      }
    }
  }
  return result;
}

bool ModeJump::operator()(const LogTarget& target, TargetPoint& point, RandomStream& random) const {
  const std::size_t modes = mean_.size();
  if (modes < 2) return false;
  const Index d = mean_.front().size();
  Vector x = point.x.head(d);
  const Nearest from = nearest(x);
  if (from.turned) x.head(symmetric_) *= -1;
  const std::size_t other = random.below(modes - 1);
  const std::size_t to = other < from.mode ? other : other + 1;
  const double chance = random.uniform();
  x = mean_[to] + root_[to] * (inverse_root_[from.mode] * (x - mean_[from.mode]));
  const Nearest back = nearest(x);
  if (back.mode != to || back.turned) return false;
  TargetPoint next = point;
  next.x.head(d) = x;
  next.log_density = target.value_and_gradient(next.x, next.gradient);
  const double log_ratio = next.log_density - point.log_density + log_det_[to] - log_det_[from.mode];
  if (!std::isfinite(next.log_density) || !(std::log(chance) < log_ratio)) return false;
  point = std::move(next);
  return true;
}

}  // namespace linkgistic
