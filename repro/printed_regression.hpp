// Monotone regression as the paper prints it: maximum marginal likelihood by the bare Laplace evidence, no
// priors on hyper-parameters, 64 basis functions, the mean of the predictive lemma as the prediction.
#pragma once

#include <functional>
#include <vector>

#include <linkgistic/source.hpp>

#include "repro/auto_mpg_folds.hpp"

namespace linkgistic::repro {

struct PrintedRegressionOptions {
  PriorKind prior = PriorKind::isgp;
  int harmonics = 32;              // K; the paper's M = 64
  double curvature_floor = 1e-12;  // of the whitened curvature: next to none
  bool hyper_priors = false;
  int start_draws = 4;  // starts of the search for the mode that are drawn from the prior; not printed
  std::function<bool()> stop;
};

struct PrintedRegression {
  std::vector<double> mean, mode;  // at the rows asked for
  double noise = 0;                // standard deviation of y
  double smallest_eigenvalue = 0;  // of the whitened Hessian at the mode
  double log_evidence = 0;         // of standardised y
};

/// x is scaled so that all rows, `at` included, fill half of the period, and turned where y falls with it.
/// The curve is the formula's everywhere: it does not go on straight beyond the training rows.
PrintedRegression fit_printed(const Rows& train, const std::vector<double>& at,
                              const PrintedRegressionOptions& options);

}  // namespace linkgistic::repro
