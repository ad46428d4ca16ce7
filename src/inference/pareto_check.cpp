#include "inference/pareto_check.hpp"

#include <limits>
#include <vector>

#include "numeric/pareto.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

double pareto_k(const LogJoint& joint, const GaussianPosterior& posterior, Index draws, std::uint64_t seed) {
  const Matrix& factor = posterior.factor();
  if (factor.cols() != static_cast<Index>(joint.free_coordinates().size()))
    return std::numeric_limits<double>::infinity();
  std::vector<double> log_ratio;
  for (Index s = 0; s < draws; ++s) {
    RandomStream random(seed, static_cast<std::uint64_t>(s));
    Vector z(factor.cols());
    for (double& value : z) value = random.normal();
    // log q = -|z|^2/2 up to a constant.
    log_ratio.push_back(joint.log_joint(posterior.mode() + factor * z) + z.squaredNorm() / 2);
  }
  return pareto_shape(std::move(log_ratio));
}

std::string pareto_words(double k) {
  if (k < 0.5) return "good";
  if (k < 0.7) return "usable";
  return "not to be trusted";
}

}  // namespace linkgistic
