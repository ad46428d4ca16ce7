#include "inference/importance.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "numeric/pareto.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

double pareto_k(const LogJoint& joint, const Vector& mean, const Matrix& factor, int draws,
                std::uint64_t seed) {
  std::vector<double> log_ratio(static_cast<std::size_t>(draws));
  Vector z(factor.cols());
  for (std::size_t s = 0; s < log_ratio.size(); ++s) {
    RandomStream random(seed, s);
    for (double& value : z) value = random.normal();
    // log q = -|z|^2/2 + a constant, which no tail depends on.
    log_ratio[s] = joint.log_joint(mean + factor * z) + z.squaredNorm() / 2;
  }
  constexpr double most = 10;  // as good as infinite
  return std::fmin(pareto_shape(std::move(log_ratio)), most);
}

}  // namespace linkgistic
