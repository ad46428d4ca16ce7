#include <linkgistic/parameters.hpp>

#include "calibration/names.hpp"
#include "classification/names.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

// {'gp', 'isgp', 'offset'}
template <class Enum>
std::string choice(const std::map<std::string, Enum>& names) {
  std::string words;
  for (const auto& entry : names) words += (words.empty() ? "'" : ", '") + entry.first + "'";
  return "{" + words + "}";
}

Parameter draws() { return {"draws", "int", "Draws of each of the four chains of mcmc, at least 100."}; }

Parameter threads() { return {"threads", "int", "Threads; 0: all. The result does not depend on it."}; }

}  // namespace

const std::vector<Parameter>& classifier_parameters() {
  static const std::vector<Parameter> table{
      {"prior", choice(link_prior_names()),
       "Of the link. offset shrinks to the identity, which is logistic regression; isgp is the integrated "
       "squared Gaussian process; gp need not increase; none is the identity."},
      {"loss", "str",
       "The base, a proper loss whose canonical link the prior shrinks to: log, square, matsushita, alpha=A, "
       "spherical, cost=C or beta=A,B (docs/losses.md)."},
      {"l2", "float",
       "Penalty of (l2/2) times the sum of the squared coefficients of the standardised features, beside the "
       "sum of losses; the intercept is free. By default chosen by cross-validation."},
      {"v", "float",
       "How far the link may leave the identity, for the prior offset: from 0 (logistic regression) to below "
       "1. By default chosen by cross-validation."},
      {"em_iterations", "int", "EM steps at most; 0: logistic regression with a link for its scores."},
      {"tolerance", "float", "EM ends when the objective changes by less, relative to its size."},
      {"samples", "int",
       "Draws of the link in the loss that the coefficients minimise; 0: its most probable form alone."},
      {"harmonics", "int", "From 1 to 64; the link's basis has twice as many functions."},
      {"learn_hyper", "bool", "Learn decay and size of the link's prior by evidence."},
      {"cross_fit", "bool", "Learn the links from held-out scores. By default below 20,000 rows."},
      {"cv", "int, splitter or iterable",
       "Parts of the rows for cross-validation, at least 2, stratified by label."},
      {"standardize", choice(standardize_names()),
       "Features to mean 0 (not of sparse rows) and variance 1; auto: all but bytes and sparse rows."},
      {"class_weights", "dict", "What the weights of a class's rows are multiplied by."},
      {"balanced", "bool", "Class weights that give every class the weight rows/classes."},
      {"inference", choice(inference_names()),
       "Of the links, in the steps and in the end, for bands. laplace: Gaussian at the mode; variational: "
       "the "
       "Gaussian with the greatest lower bound of the evidence; mcmc: variational, and draws from the exact "
       "posterior in the end."},
      draws(),
      {"seed", "int", "Seed of samples, draws and the parts of cross-validation."},
      threads(),
      {"checkpoint", "str",
       "File that keeps the state after every finished step; where it is there, the fit goes on from it."},
  };
  return table;
}

const std::vector<Parameter>& regression_parameters() {
  static const std::vector<Parameter> table{
      {"prior", choice(prior_names()),
       "offset: increasing, shrinks to a straight line; isgp: increasing, the integrated squared Gaussian "
       "process; gp: a Gaussian process, not monotone."},
      {"basis", choice(basis_names()),
       "The functions that the latent curve is made of. trig: harmonics; nystrom: Gaussian kernels."},
      {"origin", choice(origin_names()),
       "Where the integral begins. intercept: in the middle of the data, with a random intercept; shifted: "
       "left of them."},
      {"harmonics", "int", "From 1 to 128; the basis has twice as many functions."},
      {"direction", choice(direction_names()), "The sign of the slope; auto: by the data."},
      {"fixed", "dict",
       "Hyper-parameters held at these values, in the units of the data; the others are learned. Names: a, b "
       "(isgp, gp), v, scale (offset), gamma, mu, noise."},
      {"inference", choice(inference_names()),
       "How the posterior is found. laplace: Gaussian at the mode; variational: the Gaussian with the "
       "greatest "
       "lower bound of the evidence; mcmc: draws from the exact posterior, the slowest."},
      draws(),
      {"curvature_floor", "float", "The guard of the Laplace evidence, above 0 and at most 1."},
      {"profiles", "bool", "Keep the evidence around the optimum, along each hyper-parameter."},
      {"seed", "int", "Seed of the starting points and of the posterior draws."},
      threads(),
  };
  return table;
}

const std::vector<Parameter>& calibrator_parameters() {
  static const std::vector<Parameter> table{
      {"score_kind", choice(score_kind_names()),
       "What the scores are; auto: probabilities when all lie between 0 and 1, otherwise decision values."},
      {"prior", choice(prior_names()),
       "offset: increasing, shrinks to a line in the warped score; isgp: increasing, the integrated squared "
       "Gaussian process; gp: not monotone."},
      {"loss", "str",
       "The base, a proper loss whose canonical link makes a probability of the map: log, square, "
       "matsushita, "
       "alpha=A, spherical, cost=C or beta=A,B (docs/losses.md)."},
      {"harmonics", "int", "From 1 to 64; the basis has twice as many functions."},
      {"inference", choice(inference_names()),
       "Of the bands. laplace: Gaussian at the mode; variational: the Gaussian with the greatest lower bound "
       "of the evidence; mcmc: draws from the exact posterior."},
      threads(),
      {"maps", choice(class_maps_names()),
       "Of many classes: a map for each, one for all, or (auto) the better by cross-validation."},
      {"folds", "int", "Of that cross-validation, 2 to 20."},
      {"seed", "int", "Seed of the draws behind the bands, and of the parts of that cross-validation."},
  };
  return table;
}

const std::string& parameter_text(const std::vector<Parameter>& table, std::string_view name) {
  for (const Parameter& parameter : table)
    if (parameter.name == name) return parameter.text;
  throw UsageError("there is no parameter '" + std::string(name) + "'");
}

}  // namespace linkgistic
