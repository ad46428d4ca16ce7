// How the posterior of a source is found.
#pragma once

namespace linkgistic {

enum class Inference {
  laplace,      // Gaussian at the mode, its curvature guarded; hyper-parameters by the guarded evidence
  variational,  // the Gaussian with the greatest lower bound of the evidence; hyper-parameters by the bound
  mcmc,         // draws from the exact posterior, hyper-parameters included
};

}  // namespace linkgistic
