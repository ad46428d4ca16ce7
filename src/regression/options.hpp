// The options of a monotone regression, one line each.
#pragma once

#include <linkgistic/monotone_regression.hpp>

#include "text/fields.hpp"
#include "text/names.hpp"

namespace linkgistic {

inline const auto& fields(const MonotoneRegressionOptions&) {
  using O = MonotoneRegressionOptions;
  static const auto table = std::make_tuple(
      option("response", &O::response, &response_names(),
             "What y is, given the curve. gaussian: the curve and noise; student: the same with outliers; "
             "bernoulli: one "
             "of two labels, the curve is the log odds; binomial: successes among trials, likewise; poisson: "
             "counts, the "
             "curve is the logarithm of their mean for an exposure of 1; negative-binomial: counts that vary "
             "more than "
             "that; gamma: positive amounts, likewise.")
          .later(),
      option("noise", &O::noise, &noise_names(),
             "The noise of the response gaussian. constant: one standard deviation; smooth: the logarithm of "
             "its variance is a Gaussian process of x, learned beside the curve.")
          .later()
          .left_out_at_default(),
      option("guess", &O::guess, rate_range(),
             "Of bernoulli and binomial: the probability of the second label, or of a success, where the "
             "curve is "
             "lowest; a number, or learn.")
          .later()
          .left_out_at_default(),
      option(
          "lapse", &O::lapse, rate_range(),
          "Of bernoulli and binomial: the probability of a failure where the curve is highest; a number, or "
          "learn.")
          .later()
          .left_out_at_default(),
      option("prior", &O::prior, &prior_names(),
             "Prior of the curve. offset: monotone, shrinks towards a straight line; isgp: monotone, the "
             "integrated squared Gaussian process; gp: a Gaussian process, not monotone."),
      option("basis", &O::basis, &basis_names(),
             "Basis functions of the latent curve. trig: harmonics; nystrom: Gaussian kernels."),
      option("origin", &O::origin, &origin_names(),
             "Where the integral begins. intercept: in the middle of the data, with a random intercept; "
             "shifted: left of them."),
      option("harmonics", &O::harmonics, from_to(1, 128),
             "Number of harmonics of the curve, 1 to 128; the basis has twice this number of functions."),
      option(
          "spectrum", &O::spectrum, &spectrum_names(),
          "How the prior variance of the harmonics falls. analytic: geometrically, for smooth curves; "
          "matern12, "
          "matern32, matern52: as a power, for curves with kinks and steps; squared-exponential: faster than "
          "all; auto: the one with the greatest evidence.")
          .later(),
      option("direction", &O::direction, &direction_names(), "Sign of the slope; auto: the data decide."),
      option(
          "shape", &O::shape, &shape_names(),
          "What the curve is known to be. auto: monotone, in the direction; convex and concave hold on the "
          "scale of the link, and alone they let the curve fall and rise.")
          .later(),
      option(
          "fixed", &O::fixed,
          "Hyper-parameters held at these values, in the units of the data; the others are learned. Names: "
          "a, b (isgp, gp), v, scale (offset), gamma, mu, and of the response noise (gaussian, student), "
          "freedom "
          "(student), dispersion (negative-binomial), shape (gamma).")
          .flagged("--fix", "For example a=1.2,noise=0.5."),
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
