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
  std::function<bool()> stop;  // asked between modes; true ends the search with Interrupted
};

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
};

class EmpiricalBayes {
 public:
  EmpiricalBayes(const SourceFamily& family, DataFactory data, Range range, EmpiricalBayesOptions options);

  /// All hyper-parameters, the source's then the likelihood's.
  [[nodiscard]] const std::vector<HyperParameter>& hyper_parameters() const { return hyper_; }
  [[nodiscard]] Vector start() const;
  [[nodiscard]] const SourceFamily& family() const { return family_; }
  [[nodiscard]] const Range& range() const { return range_; }
  /// The data term of a source of the family.
  [[nodiscard]] std::shared_ptr<const DataTerm> data_for(const SourceModel& source) const;

  /// Learns those with learn[i] from `theta`; the others are held.
  [[nodiscard]] LaplaceFit fit(const Vector& theta, const std::vector<bool>& learn) const;
  /// No learning: the best mode at theta.
  [[nodiscard]] LaplaceFit fit_at(const Vector& theta) const;
  /// The log evidence at theta, of the mode reached from that of `near`.
  [[nodiscard]] double log_evidence(const Vector& theta, const LaplaceFit& near) const;

  /// The Gaussian posterior of a fit, its covariance guarded. Where hyper-parameters were learned their
  /// uncertainty is added to first order, Sigma + (dg/dtheta) C (dg/dtheta)', C the inverse of the
  /// objective's curvature in them (Kass and Steffey 1989); not where the basis moves.
  [[nodiscard]] GaussianPosterior posterior(const LaplaceFit& fit, const std::vector<bool>& learned) const;

 private:
  class Search;
  void ask_stop() const;
  [[nodiscard]] double log_hyper_prior(const Vector& theta, Vector* gradient) const;
  [[nodiscard]] Matrix hyper_spread(const LaplaceFit& fit, const std::vector<bool>& learned) const;
  [[nodiscard]] LaplaceFit finish(const Vector& theta, const std::vector<Vector>& starts) const;

  const SourceFamily& family_;
  DataFactory data_;
  Range range_;
  EmpiricalBayesOptions options_;
  std::vector<HyperParameter> hyper_;
  Index n_source_;
  std::shared_ptr<const DataTerm> fixed_data_;  // when the basis does not move
};

}  // namespace linkgistic
