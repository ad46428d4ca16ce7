// The posterior of a regression by the requested inference, and how good it is, in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "inference/variational_bayes.hpp"
#include "numeric/progress_monitor.hpp"

namespace linkgistic {

struct RegressionPosterior {
  std::shared_ptr<const Posterior> posterior;
  Vector theta;         // the hyper-parameters' coordinates; of samples the medians
  std::string quality;  // for a user
  double pareto_k = 0;  // of a Gaussian; 0 for samples
  std::vector<std::string> warnings;
};

/// Whether a curve leaves a range by more than RegressionPrior::far_from_y times the range, or is not finite.
bool leaves_range(const Vector& nu, double lower, double upper);

/// `variational` is that fit if the inference is variational; samples begin at the Laplace fit. After a stop
/// the posterior is a Gaussian at hyper-parameters taken as known, with warnings. `dropped`: the variational
/// fit left the data, and the Laplace fit takes its place, with a warning.
RegressionPosterior regression_posterior(const MonotoneRegressionOptions& options, const Problem& problem,
                                         const LearnOptions& learning, const LaplaceFit& laplace,
                                         const std::optional<VariationalBayesFit>& variational, bool dropped,
                                         ProgressMonitor& monitor);

}  // namespace linkgistic
