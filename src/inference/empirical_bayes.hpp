// Hyper-parameters by maximising the Laplace evidence (plus their weak priors), guarded against its runaway.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "inference/laplace.hpp"
#include "inference/posterior.hpp"
#include "inference/starts.hpp"
#include "numeric/maximise.hpp"

namespace linkgistic {

/// The data term for given features. Called once when the basis does not move.
using DataFactory = std::function<std::shared_ptr<const DataTerm>(const std::shared_ptr<const Features>&)>;

struct EmpiricalBayesOptions {
  double curvature_floor = 1;  // see GuardedCurvature; 1e-300 turns the guard off
  bool hyper_priors = true;    // add the weak log priors of the hyper-parameters to the evidence
  int start_draws = 12;        // starting points drawn from the prior, beside the fixed ones
  int max_evaluations = 100;
  double tolerance = 1e-5;  // of the log evidence, absolute
  std::uint64_t seed = 0;
  /// Asked between modes. After a yes, which must be for good, a search ends with the best so far.
  std::function<bool()> stop;
  /// Told the objective of every evaluation; phase: "search", of the bound "variational".
  std::function<void(const char* phase, double objective)> on_evaluation;
};

/// The places where `chosen` is true.
std::vector<Index> positions(const std::vector<bool>& chosen);

/// One evaluation of the search.
struct TracePoint {
  Vector theta;
  double objective = 0;
  int newton_iterations = 0;
};

/// A fit at learned (or given) hyper-parameters. theta: the source's coordinates, then the likelihood's.
struct LaplaceFit {
  Vector theta;
  SourceModel source;
  Mode mode;
  double log_evidence = 0;  // guarded
  double log_hyper_prior = 0;
  double smallest_eigenvalue = 0;  // of the whitened Hessian
  int floored = 0;                 // eigenvalues raised to the floor
  int evaluations = 0;
  bool converged = false;
  std::string stop;
  std::vector<TracePoint> trace;
  [[nodiscard]] double objective() const { return log_evidence + log_hyper_prior; }
};

class EmpiricalBayes {
 public:
  EmpiricalBayes(const SourceFamily& family, DataFactory data, SourceRange range,
                 EmpiricalBayesOptions options);

  /// All hyper-parameters, the source's then the likelihood's.
  [[nodiscard]] const std::vector<HyperParameter>& hyper_parameters() const { return hyper_; }
  [[nodiscard]] Vector start() const;
  [[nodiscard]] const SourceFamily& family() const { return family_; }
  [[nodiscard]] const SourceRange& range() const { return range_; }
  /// The data term of a source of the family.
  [[nodiscard]] std::shared_ptr<const DataTerm> data_for(const SourceModel& source) const;

  /// Learns those with learn[i] from `theta`; the others are held. A stop before the first mode is found is
  /// Interrupted.
  [[nodiscard]] LaplaceFit fit(const Vector& theta, const std::vector<bool>& learn) const;
  /// No learning: the best mode at theta.
  [[nodiscard]] LaplaceFit fit_at(const Vector& theta) const;
  /// The log evidence at theta, of the mode reached from that of `near`.
  [[nodiscard]] double log_evidence(const Vector& theta, const LaplaceFit& near) const;

  /// The Gaussian posterior of a fit, its covariance guarded. Learned hyper-parameters are integrated out,
  /// not where the basis moves: the covariance is E[Sigma(theta) + (g(theta) - g)(g(theta) - g)'], g(theta)
  /// the mode there, by Gauss-Hermite quadrature of three nodes in each principal direction of theta's
  /// posterior, the nodes reweighted by the objective itself.
  [[nodiscard]] GaussianPosterior posterior(const LaplaceFit& fit, const std::vector<bool>& learned) const;

  /// What any objective over the hyper-parameters shares. `objective` gets all coordinates and writes the
  /// derivative in each; those with learn[i] are moved within their bounds, and result.x has all of them.
  using Objective = std::function<double(const Vector& theta, Vector& gradient)>;
  [[nodiscard]] MaximiseResult maximise_learned(const Vector& theta, const std::vector<bool>& learn,
                                                const Objective& objective) const;
  /// The weak log priors of the hyper-parameters without their constants.
  [[nodiscard]] double log_hyper_prior(const Vector& theta, Vector* gradient) const;
  /// (learned, learned): a root of the covariance of the learned hyper-parameters, from minus the second
  /// derivative of the objective in them; no more uncertain than under their weak priors.
  [[nodiscard]] Matrix hyper_root(const Matrix& curvature, const std::vector<Index>& which) const;
  /// Throws Interrupted when the caller asked for a stop.
  void ask_stop() const;
  void tell(const char* phase, double objective) const;

 private:
  class Search;
  /// The gradient of the objective at theta, of the mode reached from that of `near`.
  [[nodiscard]] Vector objective_gradient(const Vector& theta, const LaplaceFit& near) const;
  /// (learned, learned): minus the second derivative of the objective.
  [[nodiscard]] Matrix hyper_curvature(const LaplaceFit& fit, const std::vector<Index>& which) const;
  /// (free, free): what the uncertainty of the hyper-parameters adds to the covariance at the mode.
  [[nodiscard]] Matrix hyper_covariance(const LaplaceFit& fit, const std::vector<Index>& which,
                                        const Matrix& centre) const;
  [[nodiscard]] LaplaceFit finish(const Vector& theta, const std::vector<Vector>& starts) const;

  const SourceFamily& family_;
  DataFactory data_;
  SourceRange range_;
  EmpiricalBayesOptions options_;
  std::vector<HyperParameter> hyper_;
  Index n_source_;
  std::shared_ptr<const DataTerm> fixed_data_;  // when the basis does not move
};

}  // namespace linkgistic
