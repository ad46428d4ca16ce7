// The options of a monotone regression, one line each.
#pragma once

#include <linkgistic/monotone_regression.hpp>

#include "text/fields.hpp"
#include "text/names.hpp"

namespace linkgistic {

inline const auto& fields(const MonotoneRegressionOptions&) {
  using O = MonotoneRegressionOptions;
  static const auto table = std::make_tuple(
      option("prior", &O::prior, &prior_names(),
             "offset: increasing, shrinks to a straight line; isgp: increasing, the integrated squared "
             "Gaussian process; gp: a Gaussian process, not monotone."),
      option("basis", &O::basis, &basis_names(),
             "The functions that the latent curve is made of. trig: harmonics; nystrom: Gaussian kernels."),
      option("origin", &O::origin, &origin_names(),
             "Where the integral begins. intercept: in the middle of the data, with a random intercept; "
             "shifted: left of them."),
      option("harmonics", &O::harmonics, from_to(1, 128),
             "From 1 to 128; the basis has twice as many functions."),
      option("direction", &O::direction, &direction_names(), "The sign of the slope; auto: by the data."),
      option(
          "fixed", &O::fixed,
          "Hyper-parameters held at these values, in the units of the data; the others are learned. Names: "
          "a, b (isgp, gp), v, scale (offset), gamma, mu, noise.")
          .flagged("--fix", "Such as a=1.2,noise=0.5."),
      option("inference", &O::inference, &inference_names(),
             "How the posterior is found. laplace: Gaussian at the mode; variational: the Gaussian with the "
             "greatest lower bound of the evidence; mcmc: draws from the exact posterior, the slowest.")
          .later(),
      draws_option(&O::draws).later(),
      option("curvature_floor", &O::curvature_floor, {0, 1, "in (0, 1]", false, true},
             "The guard of the Laplace evidence, above 0 and at most 1."),
      option("profiles", &O::profiles, "Keep the evidence around the optimum, along each hyper-parameter.")
          .flagged("--profiles", "For plot --what evidence.")
          .not_in_file(),
      option("seed", &O::seed, "Seed of the starting points and of the posterior draws."),
      threads_option(&O::threads));
  return table;
}

}  // namespace linkgistic
