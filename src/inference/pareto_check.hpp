// How good a Gaussian posterior is: its draws as importance samples of the exact log p(D, g).
#pragma once

#include <cstdint>
#include <string>

#include "inference/log_joint.hpp"
#include "inference/posterior.hpp"

namespace linkgistic {

/// The Pareto shape k of the ratios p(D, g)/q(g) over draws g of q (numeric/pareto.hpp). The posterior must
/// be that of g at the hyper-parameters of `joint`: with the uncertainty of learned ones added it is wider
/// than what it is compared with. A factor of less than full rank in the free coordinates gives infinity.
double pareto_k(const LogJoint& joint, const GaussianPosterior& posterior, Index draws, std::uint64_t seed);

/// In words: good below 0.5, usable below 0.7, else not to be trusted.
std::string pareto_words(double k);

}  // namespace linkgistic
