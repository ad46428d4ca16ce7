// The options of a calibration of two and of many classes, one line each.
#pragma once

#include <linkgistic/class_calibrator.hpp>

#include "calibration/names.hpp"
#include "text/fields.hpp"

namespace linkgistic {

/// The options of a map, except its seed.
inline const auto& map_fields() {
  using O = CalibratorOptions;
  static const auto table = std::make_tuple(
      option("score_kind", &O::score_kind, &score_kind_names(),
             "What the scores are; auto: probabilities when all lie between 0 and 1, otherwise decision "
             "values."),
      option("prior", &O::prior, &prior_names(),
             "Prior of the map. offset: increasing, shrinks towards a line in the warped score; isgp: "
             "increasing, the integrated squared Gaussian process; gp: not monotone."),
      option("loss", &O::loss,
             "Base loss: a proper loss whose canonical link turns the map into a probability. log, square, "
             "matsushita, alpha=A, spherical, cost=C or beta=A,B (docs/losses.md)."),
      option("harmonics", &O::harmonics, from_to(1, 64),
             "Number of harmonics of the map, 1 to 64; the basis has twice this number of functions."),
      option("inference", &O::inference, &inference_names(),
             "How the bands are found. laplace: Gaussian at the mode; variational: the Gaussian with the "
             "greatest lower bound of the evidence; mcmc: draws from the exact posterior."),
      threads_option(&O::threads));
  return table;
}

inline const auto& fields(const CalibratorOptions&) {
  static const auto table = std::tuple_cat(
      map_fields(),
      std::make_tuple(
          option("seed", &CalibratorOptions::seed, "Seed of the draws behind the bands.").later()));
  return table;
}

inline const auto& fields(const ClassCalibratorOptions&) {
  using O = ClassCalibratorOptions;
  static const auto table = std::tuple_cat(
      within(&O::map, map_fields()),
      std::make_tuple(
          option("maps", &O::maps, &class_maps_names(),
                 "For many classes: one map for each class, one for all, or (auto) the better of the two by "
                 "cross-validation."),
          option(
              "method", &O::method, &class_method_names(),
              "For many classes: the maps alone, temperature, vector or matrix scaling of the logarithms of "
              "the probabilities, or (auto) their average with the scores' own claims, by cross-validation.")
              .later(),
          option("folds", &O::folds, from_to(2, 20), "Number of folds of this cross-validation, 2 to 20."),
          option("seed", &O::seed,
                 "Seed of the draws behind the bands, and of the folds of the cross-validation.")));
  return table;
}

}  // namespace linkgistic
