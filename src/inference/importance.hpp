// How well a Gaussian approximates the posterior: the tail of the importance ratios p(D, g)/q(g).
#pragma once

#include <cstdint>

#include "inference/log_joint.hpp"

namespace linkgistic {

/// The Pareto shape k of the ratios of `draws` from N(mean, factor factor'), for the hyper-parameters of the
/// joint; factor (D, free) lower triangular in the free coordinates. Below 0.5 the Gaussian is close to the
/// posterior, above 0.7 it is not.
double pareto_k(const LogJoint& joint, const Vector& mean, const Matrix& factor, int draws,
                std::uint64_t seed);

}  // namespace linkgistic
