// The options of Linkgistic regression, one line each.
#pragma once

#include <limits>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/names.hpp"
#include "text/fields.hpp"

namespace linkgistic {

inline const auto& fields(const LinkgisticOptions&) {
  using O = LinkgisticOptions;
  constexpr double largest = std::numeric_limits<double>::max();
  static const auto table = std::make_tuple(
      option("prior", &O::prior, &link_prior_names(),
             "Prior of the link. offset shrinks to the identity, which is logistic regression; isgp is the "
             "integrated squared Gaussian process; gp need not increase; none is the identity."),
      option("loss", &O::loss,
             "The base, a proper loss whose canonical link the prior shrinks to: log, square, matsushita, "
             "alpha=A, spherical, cost=C or beta=A,B (docs/losses.md).")
          .later(),
      option(
          "l2", &O::l2, {0, largest, "finite and not negative"},
          "Penalty of (l2/2) times the sum of the squared coefficients of the standardised features, beside "
          "the sum of losses; the intercept is free. By default chosen by cross-validation."),
      option("v", &O::v, {0, 1, "at least 0 and below 1", true, false},
             "How far the link may leave the identity, for the prior offset: from 0 (logistic regression) to "
             "below 1. By default chosen by cross-validation."),
      option("em_iterations", &O::em_iterations, at_least(0),
             "EM steps at most; 0: logistic regression with a link for its scores."),
      option("tolerance", &O::tolerance, at_least(0),
             "EM ends when the objective changes by less, relative to its size."),
      option("max_passes", &O::max_passes, at_least(1),
             "Passes over the rows at most, each time that the coefficients are solved for.")
          .later(),
      option(
          "samples", &O::samples, at_least(0),
          "Draws of the link in the loss that the coefficients minimise; 0: its most probable form alone."),
      option("harmonics", &O::harmonics, from_to(1, 64),
             "From 1 to 64; the link's basis has twice as many functions."),
      option("learn_hyper", &O::learn_hyper, "Learn decay and size of the link's prior by evidence."),
      option("cross_fit", &O::cross_fit,
             "Learn the links from held-out scores. By default below 20,000 rows.")
          .flagged("--cross-fit", "It is on, off or auto."),
      option("cv", &O::cv, at_least(2),
             "Parts of the rows for cross-validation, at least 2, stratified by label.")
          .later()
          .typed("int, splitter or iterable"),
      option("standardize", &O::standardize, &standardize_names(),
             "Features to mean 0 (not of sparse rows) and variance 1; auto: all but bytes and sparse rows."),
      option("class_weights", &O::class_weights, {0, largest, "positive", false, true},
             "What the weights of a class's rows are multiplied by.")
          .flagged("--class-weight"),
      option("balanced", &O::balanced, "Class weights that give every class the weight rows/classes.")
          .flagged("--class-weight balanced"),
      option("inference", &O::inference, &inference_names(),
             "How the posterior of the links is found, in the steps and in the end, for bands. laplace: "
             "Gaussian "
             "at the mode; variational: the Gaussian with the greatest lower bound of the evidence; mcmc: "
             "variational, and draws from the exact posterior in the end.")
          .later(),
      draws_option(&O::draws).later(),
      option("seed", &O::seed, "Seed of samples, draws and the parts of cross-validation."),
      threads_option(&O::threads),
      option("checkpoint", &O::checkpoint,
             "File that keeps the state after every finished step; if it exists, the fit resumes from it.")
          .passing());
  return table;
}

}  // namespace linkgistic
