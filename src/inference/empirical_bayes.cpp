#include "inference/empirical_bayes.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

// The f of g on a grid, to carry a mode from one basis to the next.
Vector latent_on(const SourceModel& source, const Vector& x, const Vector& g) {
  return x.unaryExpr([&](double at) { return source.latent(at, g); });
}

}  // namespace

EmpiricalBayes::EmpiricalBayes(const SourceFamily& family, DataFactory data, SourceRange range,
                               EmpiricalBayesOptions options)
    : family_(family),
      data_(std::move(data)),
      range_(range),
      options_(options),
      hyper_(family.hyper_parameters()),
      n_source_(static_cast<Index>(hyper_.size())) {
  const SourceModel source = family.at(start_theta(hyper_));
  const auto term = data_(source.features);
  if (!family.basis_moves()) fixed_data_ = term;
  for (auto& h : term->hyper_parameters()) hyper_.push_back(std::move(h));
}

Vector EmpiricalBayes::start() const { return start_theta(hyper_); }

std::shared_ptr<const DataTerm> EmpiricalBayes::data_for(const SourceModel& source) const {
  return fixed_data_ ? fixed_data_ : data_(source.features);
}

void EmpiricalBayes::ask_stop() const {
  if (options_.stop && options_.stop()) throw Interrupted();
}

void EmpiricalBayes::tell(const char* phase, double objective) const {
  if (options_.on_evaluation) options_.on_evaluation(phase, objective);
}

double EmpiricalBayes::log_hyper_prior(const Vector& theta, Vector* gradient) const {
  if (gradient != nullptr) *gradient = Vector::Zero(theta.size());
  if (!options_.hyper_priors) return 0;
  double sum = 0;
  for (Index i = 0; i < theta.size(); ++i) {
    const auto& h = hyper_[static_cast<std::size_t>(i)];
    const double z = (theta[i] - h.prior_mean) / h.prior_sd;
    sum -= z * z / 2;
    if (gradient != nullptr) (*gradient)[i] = -z / h.prior_sd;
  }
  return sum;
}

// Evaluates the objective along a search, each mode found from the last one.
class EmpiricalBayes::Search {
 public:
  Search(const EmpiricalBayes& owner, const LaplaceFit& start)
      : owner_(owner), source_(start.source), g_(start.mode.g) {}

  double value(const Vector& theta) {
    return at_mode(theta, [&](const LogJoint& joint, const Mode& mode) {
      return laplace_evidence(joint, mode, owner_.options_.curvature_floor) +
             owner_.log_hyper_prior(theta, nullptr);
    });
  }

  double value_and_gradient(const Vector& theta, Vector& gradient) {
    if (owner_.family_.basis_moves()) return finite_differences(theta, gradient);
    return at_mode(theta, [&](const LogJoint& joint, const Mode& mode) {
      const Evidence evidence = laplace_evidence_gradient(joint, mode, owner_.options_.curvature_floor);
      const double prior = owner_.log_hyper_prior(theta, &gradient);
      gradient += evidence.gradient;
      return evidence.value + prior;
    });
  }

  [[nodiscard]] const Vector& mode() const { return g_; }
  [[nodiscard]] int newton_iterations() const { return iterations_; }

 private:
  // result(joint, mode) at the mode for theta, which the next search begins from.
  template <class Result>
  double at_mode(const Vector& theta, const Result& result) {
    owner_.ask_stop();
    advance(theta);
    const auto data = owner_.data_for(source_);
    const LogJoint joint(source_, *data, theta.tail(theta.size() - owner_.n_source_));
    const Mode mode = find_mode(joint, g_);
    g_ = mode.g;
    iterations_ = mode.iterations;
    return result(joint, mode);
  }

  // The source at theta, and the last mode in its coordinates.
  void advance(const Vector& theta) {
    SourceModel next = owner_.family_.at(theta.head(owner_.n_source_));
    if (owner_.family_.basis_moves() && next.basis) {
      const Vector x = Vector::LinSpaced(129, owner_.range_.lower, owner_.range_.upper);
      g_ = project_latent(next, x, latent_on(source_, x, g_), g_[g_.size() - 1]);
    } else if (owner_.family_.basis_moves()) {
      g_ = next.prior.mean;
    }
    source_ = std::move(next);
  }

  double finite_differences(const Vector& theta, Vector& gradient) {
    constexpr double step = 1e-4;
    const double centre = value(theta);
    for (Index i = 0; i < theta.size(); ++i) {
      Vector forward = theta, backward = theta;
      forward[i] += step;
      backward[i] -= step;
      gradient[i] = (value(forward) - value(backward)) / (2 * step);
    }
    return centre;
  }

  const EmpiricalBayes& owner_;
  SourceModel source_;
  Vector g_;
  int iterations_ = 0;
};

LaplaceFit EmpiricalBayes::finish(const Vector& theta, const std::vector<Vector>& starts) const {
  LaplaceFit fit;
  fit.theta = theta;
  fit.source = family_.at(theta.head(n_source_));
  const auto data = data_for(fit.source);
  const LogJoint joint(fit.source, *data, theta.tail(theta.size() - n_source_));
  fit.mode = find_best_mode(joint, starts, range_, options_.stop);
  fit.log_evidence = laplace_evidence(joint, fit.mode, options_.curvature_floor);
  fit.log_hyper_prior = log_hyper_prior(theta, nullptr);
  const Vector e =
      Eigen::SelfAdjointEigenSolver<Matrix>(fit.mode.whitened_hessian, Eigen::EigenvaluesOnly).eigenvalues();
  fit.smallest_eigenvalue = e.minCoeff();
  constexpr double rounding = 1e-6;  // directions that the data say nothing about have 1 to rounding
  fit.floored = static_cast<int>((e.array() < (1 - rounding) * options_.curvature_floor).count());
  fit.evaluations = 1;
  fit.converged = fit.mode.stop == NewtonStop::converged;
  fit.stop = to_string(fit.mode.stop);
  return fit;
}

LaplaceFit EmpiricalBayes::fit_at(const Vector& theta) const {
  return finish(theta,
                start_points(family_.at(theta.head(n_source_)), range_, options_.start_draws, options_.seed));
}

double EmpiricalBayes::log_evidence(const Vector& theta, const LaplaceFit& near) const {
  return Search(*this, near).value(theta) - log_hyper_prior(theta, nullptr);
}

Vector EmpiricalBayes::objective_gradient(const Vector& theta, const LaplaceFit& near) const {
  Vector gradient(theta.size());
  Search(*this, near).value_and_gradient(theta, gradient);
  return gradient;
}

std::vector<Index> positions(const std::vector<bool>& chosen) {
  std::vector<Index> which;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]) which.push_back(static_cast<Index>(i));
  }
  return which;
}

MaximiseResult EmpiricalBayes::maximise_learned(const Vector& theta, const std::vector<bool>& learn,
                                                const Objective& objective) const {
  const std::vector<Index> learned = positions(learn);
  Vector lower(static_cast<Index>(learned.size())), upper(lower.size());
  for (Index k = 0; k < lower.size(); ++k) {
    const auto& h = hyper_[static_cast<std::size_t>(learned[static_cast<std::size_t>(k)])];
    lower[k] = h.to_theta(h.lower);
    upper[k] = h.to_theta(h.upper);
  }
  const auto all = [&](const Vector& free) {
    Vector full = theta;
    full(learned) = free;
    return full;
  };
  MaximiseResult result = maximise(
      [&](const Vector& free, Vector& gradient) {
        const Vector full = all(free);
        Vector full_gradient = Vector::Zero(full.size());
        const double value = objective(full, full_gradient);
        gradient = full_gradient(learned);
        return value;
      },
      theta(learned), lower, upper,
      {.max_evaluations = options_.max_evaluations, .value_tolerance = options_.tolerance});
  result.x = all(result.x);
  return result;
}

LaplaceFit EmpiricalBayes::fit(const Vector& theta, const std::vector<bool>& learn) const {
  ask_stop();
  const LaplaceFit first = fit_at(theta);
  if (positions(learn).empty()) return first;
  std::vector<TracePoint> trace;
  Search search(*this, first);
  Vector best_mode = first.mode.g;
  Vector best_theta = theta;
  double best = first.objective();
  const auto objective = [&](const Vector& full, Vector& gradient) {
    const double value = search.value_and_gradient(full, gradient);
    trace.push_back({full, value, search.newton_iterations()});
    tell("search", value);
    if (value > best) {
      best = value;
      best_theta = full;
      best_mode = search.mode();
    }
    return value;
  };
  const MaximiseResult result = maximise_learned(theta, learn, objective);

  // The mode that was followed, and every other start, at the hyper-parameters found.
  const SourceModel source = family_.at(best_theta.head(n_source_));
  auto starts = start_points(source, range_, options_.start_draws, options_.seed);
  if (best_mode.size() == source.dimension()) starts.insert(starts.begin(), best_mode);
  LaplaceFit fit = finish(best_theta, starts);
  // A better mode may have a lower evidence; never return less than the start had.
  if (fit.objective() < first.objective()) fit = first;
  fit.evaluations = result.evaluations;
  if (fit.converged) fit.stop = result.stop;  // otherwise it says how the search for the mode ended
  fit.converged = result.converged && fit.converged;
  fit.trace = std::move(trace);
  return fit;
}

}  // namespace linkgistic
