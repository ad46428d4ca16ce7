// How the posterior of a source is found, and which quantities it describes.
#pragma once

namespace linkgistic {

enum class Inference {
  laplace,      // Gaussian at the mode, its curvature guarded; hyper-parameters by the guarded evidence
  variational,  // the Gaussian with the greatest lower bound of the evidence; hyper-parameters by the bound
  mcmc,         // draws from the exact posterior, hyper-parameters included
};

/// The quantity that a posterior distribution describes.
enum class Quantity {
  nu,        // the curve
  response,  // an observation: the curve with noise
  latent,    // f with nu' = +-f^2; not for the gp prior
};

}  // namespace linkgistic
