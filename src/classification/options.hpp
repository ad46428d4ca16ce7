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
             "Prior of the link. offset: shrinks towards the identity, which is logistic regression; isgp: "
             "the integrated squared Gaussian process; gp: need not increase; none: the identity."),
      option("basis", &O::basis, &basis_names(),
             "Basis functions of the link. trig: harmonics; nystrom: Gaussian kernels, slower.")
          .later(),
      option("origin", &O::origin, &origin_names(),
             "Where the integral of the link's slope begins. intercept: in the middle of the scores, with a "
             "random intercept; shifted: left of them.")
          .later(),
      option("loss", &O::loss,
             "Base loss: a proper loss towards whose canonical link the prior shrinks. log, square, "
             "matsushita, alpha=A, spherical, cost=C or beta=A,B (docs/losses.md).")
          .later(),
      option("multiclass", &O::multiclass, &multiclass_names(),
             "More than two classes: softmax of their links, fitted as a whole, ovr, each class against the "
             "rest, or ovo, each pair of classes on its own rows. softmax takes the log loss, the priors "
             "offset and none and the inference laplace.")
          .later(),
      option(
          "l2", &O::l2, {0, largest, "finite and not negative"},
          "Penalty: (l2/2) times the sum of the squared coefficients of the standardised features is added "
          "to the sum of losses. The intercept is free. By default chosen by cross-validation."),
      option("l2_by", &O::l2_by, &ridge_choice_names(),
             "What chooses l2 where it is not given. cv: the held-out loss of logistic regression; evidence: "
             "its marginal likelihood, by Laplace's method, for two classes.")
          .later(),
      option("v", &O::v, {0, 1, "at least 0 and below 1", true, false},
             "How far the link may leave the identity, for the prior offset: from 0 (logistic regression) to "
             "below 1. By default chosen by cross-validation, of a softmax by evidence."),
      option(
          "v_shared", &O::v_shared, {0, 1, "at least 0 and below 1", true, false},
          "With a softmax: the same of the part that the links of all classes share; v is then that of each "
          "class by itself. If one of the two is given, the other is 0.")
          .later(),
      option("em_iterations", &O::em_iterations, at_least(0),
             "Greatest number of EM steps; 0: logistic regression with a link for its scores."),
      option("tolerance", &O::tolerance, at_least(0),
             "EM ends when the relative change of the objective is smaller."),
      option("max_passes", &O::max_passes, at_least(1),
             "Greatest number of passes over the rows in each solve for the coefficients.")
          .later(),
      option("samples", &O::samples, at_least(0),
             "Number of draws of the link in the loss that the coefficients minimise; 0: its point estimate "
             "alone."),
      option("harmonics", &O::harmonics, from_to(1, 64),
             "Number of harmonics of the link, 1 to 64; its basis has twice this number of functions."),
      option("learn_hyper", &O::learn_hyper, "Learn decay and size of the link's prior by evidence."),
      option("cross_fit", &O::cross_fit,
             "Learn the links from held-out scores. By default this is done below 20,000 rows.")
          .flagged("--cross-fit", "One of on, off and auto."),
      option("cv", &O::cv, at_least(2),
             "Number of parts of the cross-validation, at least 2, stratified by label.")
          .later()
          .typed("int, splitter or iterable"),
      option("standardize", &O::standardize, &standardize_names(),
             "Scale features to mean 0 (except sparse rows) and variance 1; auto: all but bytes and sparse "
             "rows."),
      option("class_weights", &O::class_weights, {0, largest, "positive", false, true},
             "Factors for the weights of the rows of each class.")
          .flagged("--class-weight"),
      option("balanced", &O::balanced, "Give every class the total weight rows/classes.")
          .flagged("--class-weight balanced"),
      option("inference", &O::inference, &inference_names(),
             "How the posterior of the links is found, in each EM step and for the bands. laplace: Gaussian "
             "at the mode; variational: the Gaussian with the greatest lower bound of the evidence; mcmc: "
             "variational steps, then draws from the exact posterior.")
          .later(),
      draws_option(&O::draws).later(),
      option("seed", &O::seed, "Seed of samples, draws and the parts of cross-validation."),
      threads_option(&O::threads),
      option("device", &O::device,
             "Where the sums over the rows are made: cpu, cuda (the first NVIDIA GPU) or cuda:N.")
          .later(),
      option("checkpoint", &O::checkpoint,
             "File that saves progress; if it exists, the fit resumes from it, even after a crash.")
          .passing());
  return table;
}

}  // namespace linkgistic
