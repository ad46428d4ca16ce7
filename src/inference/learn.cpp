#include "inference/learn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <linkgistic/error.hpp>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// The f of g on a grid, to carry a mode from one basis to the next.
Vector latent_on(const SourceModel& source, const Vector& x, const Vector& g) {
  return x.unaryExpr([&](double at) { return source.latent(at, g); });
}

// Evaluates the objective along a search, each mode found from the last one.
class Search {
 public:
  Search(const Problem& problem, const LearnOptions& options, const LaplaceFit& start)
      : problem_(problem), options_(options), source_(start.source), g_(start.mode.g) {}

  double value(const Vector& theta) {
    return at_mode(theta, [&](const LogJoint& joint, const Mode& mode) {
      return laplace_evidence(joint, mode, options_.curvature_floor) +
             problem_.log_hyper_prior(theta, nullptr);
    });
  }

  double value_and_gradient(const Vector& theta, Vector& gradient) {
    if (problem_.basis_moves()) return finite_differences(theta, gradient);
    return at_mode(theta, [&](const LogJoint& joint, const Mode& mode) {
      const Evidence evidence = laplace_evidence_gradient(joint, mode, options_.curvature_floor);
      const double prior = problem_.log_hyper_prior(theta, &gradient);
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
    options_.poll_stop();
    advance(theta);
    const auto data = problem_.data_for(source_);
    const LogJoint joint(source_, *data, problem_.eta(theta));
    const Mode mode = find_mode(joint, g_);
    g_ = mode.g;
    iterations_ = mode.iterations;
    return result(joint, mode);
  }

  // The source at theta, and the last mode in its coordinates.
  void advance(const Vector& theta) {
    SourceModel next = problem_.source_at(theta);
    if (problem_.basis_moves() && next.basis) {
      const Vector x = Vector::LinSpaced(129, problem_.range.lower, problem_.range.upper);
      g_ = project_latent(next, x, latent_on(source_, x, g_), g_[g_.size() - 1]);
    } else if (problem_.basis_moves()) {
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

  const Problem& problem_;
  const LearnOptions& options_;
  SourceModel source_;
  Vector g_;
  int iterations_ = 0;
};

LaplaceFit finish(const Problem& problem, const Vector& theta, const std::vector<Vector>& starts,
                  const LearnOptions& options) {
  LaplaceFit fit;
  fit.theta = theta;
  fit.source = problem.source_at(theta);
  const auto data = problem.data_for(fit.source);
  const LogJoint joint(fit.source, *data, problem.eta(theta));
  fit.mode = find_best_mode(joint, starts, problem.range, options.stop);
  fit.log_evidence = laplace_evidence(joint, fit.mode, options.curvature_floor);
  fit.log_hyper_prior = problem.log_hyper_prior(theta, nullptr);
  const Vector e = eigenvalues(fit.mode.whitened_hessian);
  fit.smallest_eigenvalue = e.minCoeff();
  constexpr double rounding = 1e-6;  // directions that the data say nothing about have 1 to rounding
  fit.floored = static_cast<int>((e.array() < (1 - rounding) * options.curvature_floor).count());
  fit.evaluations = 1;
  fit.converged = fit.mode.stop == NewtonStop::converged;
  fit.stop = to_string(fit.mode.stop);
  return fit;
}

// (free, free): the guarded covariance at a mode.
Matrix covariance_at(const SourceModel& source, const Mode& mode, double floor) {
  const SymmetricEigen eigen(mode.whitened_hessian);
  const Vector sd = (-0.5 * source.prior.log_precision(source.prior.free_coordinates())).array().exp();
  const Matrix root = sd.asDiagonal() * eigen.eigenvectors() *
                      eigen.eigenvalues().cwiseMax(floor).array().rsqrt().matrix().asDiagonal();
  return root * root.transpose();
}

// (learned, learned): minus the second derivative of the objective.
Matrix hyper_curvature(const Problem& problem, const LaplaceFit& fit, const LearnOptions& options) {
  constexpr double step = 1e-3;
  const std::vector<Index> which = problem.learned_places();
  const auto n = static_cast<Index>(which.size());
  Matrix curvature(n, n);
  for (Index k = 0; k < n; ++k) {
    Vector gradient[2] = {Vector(fit.theta.size()), Vector(fit.theta.size())};
    for (const int side : {0, 1}) {
      Vector theta = fit.theta;
      theta[which[static_cast<std::size_t>(k)]] += side == 0 ? -step : step;
      Search(problem, options, fit).value_and_gradient(theta, gradient[side]);
    }
    curvature.col(k) = -(gradient[1] - gradient[0])(which) / (2 * step);
  }
  return curvature;
}

// The largest step up to `most` in a direction of the learned hyper-parameters that stays within their
// bounds.
double way_within(const Problem& problem, const Vector& theta, const Vector& direction, double most) {
  const std::vector<Index> which = problem.learned_places();
  for (Index k = 0; k < direction.size(); ++k) {
    if (direction[k] == 0) continue;
    const Index i = which[static_cast<std::size_t>(k)];
    const HyperParameter& h = problem.hyper[static_cast<std::size_t>(i)];
    const double bound = h.to_theta(direction[k] > 0 ? h.upper : h.lower);
    most = std::min(most, std::max(0.0, (bound - theta[i]) / direction[k]));
  }
  return most;
}

// (free, free): what the uncertainty of the hyper-parameters adds to the covariance at the mode.
Matrix hyper_covariance(const Problem& problem, const LaplaceFit& fit, const Matrix& centre,
                        const LearnOptions& options) {
  const double reach = std::sqrt(3.0);
  const auto free = fit.source.prior.free_coordinates();
  const std::vector<Index> which = problem.learned_places();
  const auto data = problem.data_for(fit.source);
  Matrix sum = Matrix::Zero(centre.rows(), centre.cols());
  const Matrix directions = hyper_root(problem, hyper_curvature(problem, fit, options));
  for (Index k = 0; k < directions.cols(); ++k) {
    Matrix change = Matrix::Zero(centre.rows(), centre.cols());
    double total = 2.0 / 3;  // the weight of the middle
    for (const double side : {-1.0, 1.0}) {
      const double z = way_within(problem, fit.theta, side * directions.col(k), reach);
      Vector theta = fit.theta;
      for (std::size_t i = 0; i < which.size(); ++i)
        theta[which[i]] += side * z * directions(static_cast<Index>(i), k);
      const SourceModel source = problem.source_at(theta);
      const LogJoint joint(source, *data, problem.eta(theta));
      const Mode mode = find_mode(joint, fit.mode.g);
      const double value =
          laplace_evidence(joint, mode, options.curvature_floor) + problem.log_hyper_prior(theta, nullptr);
      const double weight = std::exp(value - fit.objective() + z * z / 2) / 6;
      if (!std::isfinite(weight)) continue;
      const Vector shift = mode.g(free) - fit.mode.g(free);
      change += weight *
                (covariance_at(source, mode, options.curvature_floor) - centre + shift * shift.transpose());
      total += weight;
    }
    sum += change / total;
  }
  return sum;
}

}  // namespace

void LearnOptions::poll_stop() const {
  if (stop && stop()) throw Interrupted();
}

void LearnOptions::report(const char* phase, double objective) const {
  if (on_evaluation) on_evaluation(phase, objective);
}

double log_evidence(const Problem& problem, const Vector& theta, const LaplaceFit& near,
                    const LearnOptions& options) {
  return Search(problem, options, near).value(theta) - problem.log_hyper_prior(theta, nullptr);
}

MaximiseResult maximise_learned(
    const Problem& problem, const LearnOptions& options,
    const std::function<double(const Vector& theta, Vector& gradient)>& objective) {
  const std::vector<Index> learned = problem.learned_places();
  Vector lower(static_cast<Index>(learned.size())), upper(lower.size());
  for (Index k = 0; k < lower.size(); ++k) {
    const auto& h = problem.hyper[static_cast<std::size_t>(learned[static_cast<std::size_t>(k)])];
    lower[k] = h.to_theta(h.lower);
    upper[k] = h.to_theta(h.upper);
  }
  const auto all = [&](const Vector& free) {
    Vector full = problem.theta;
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
      problem.theta(learned), lower, upper,
      {.max_evaluations = options.max_evaluations, .value_tolerance = options.tolerance});
  result.x = all(result.x);
  return result;
}

LaplaceFit learn(const Problem& problem, const LearnOptions& options) {
  options.poll_stop();
  const auto starts_at = [&](const SourceModel& source) {
    return start_points(source, problem.range, options.start_draws, options.seed);
  };
  const LaplaceFit first =
      finish(problem, problem.theta, starts_at(problem.source_at(problem.theta)), options);
  if (problem.learned_places().empty()) return first;
  std::vector<TracePoint> trace;
  Search search(problem, options, first);
  Vector best_mode = first.mode.g;
  Vector best_theta = problem.theta;
  double best = first.objective();
  const auto objective = [&](const Vector& full, Vector& gradient) {
    const double value = search.value_and_gradient(full, gradient);
    trace.push_back({full, value, search.newton_iterations()});
    options.report("search", value);
    if (value > best) {
      best = value;
      best_theta = full;
      best_mode = search.mode();
    }
    return value;
  };
  const MaximiseResult result = maximise_learned(problem, options, objective);

  // The mode that was followed, and every other start, at the hyper-parameters found.
  const SourceModel source = problem.source_at(best_theta);
  auto starts = starts_at(source);
  if (best_mode.size() == source.dimension()) starts.insert(starts.begin(), best_mode);
  LaplaceFit fit = finish(problem, best_theta, starts, options);
  // A better mode may have a lower evidence; never return less than the start had.
  if (fit.objective() < first.objective()) fit = first;
  fit.evaluations = result.evaluations;
  if (fit.converged) fit.stop = result.stop;  // otherwise it says how the search for the mode ended
  fit.converged = result.converged && fit.converged;
  fit.trace = std::move(trace);
  return fit;
}

Matrix hyper_root(const Problem& problem, const Matrix& curvature) {
  // No more uncertain than their weak prior: eigenvalues in its units at least 1.
  const std::vector<Index> which = problem.learned_places();
  Vector sd(curvature.rows());
  for (Index k = 0; k < sd.size(); ++k)
    sd[k] = problem.hyper[static_cast<std::size_t>(which[static_cast<std::size_t>(k)])].prior_sd;
  const Matrix whitened = sd.asDiagonal() * ((curvature + curvature.transpose()) / 2) * sd.asDiagonal();
  const SymmetricEigen eigen(whitened);
  return sd.asDiagonal() * eigen.eigenvectors() *
         eigen.eigenvalues().cwiseMax(1.0).array().rsqrt().matrix().asDiagonal();
}

GaussianPosterior laplace_posterior(const Problem& problem, const LaplaceFit& fit,
                                    const LearnOptions& options) {
  Matrix covariance = covariance_at(fit.source, fit.mode, options.curvature_floor);
  if (!problem.basis_moves() && !problem.learned_places().empty())
    covariance += hyper_covariance(problem, fit, covariance, options);
  const auto free = fit.source.prior.free_coordinates();
  Matrix factor = Matrix::Zero(fit.source.dimension(), covariance.cols());
  factor(free, Eigen::all) = lower_root(covariance);
  return {fit.mode.g, std::move(factor)};
}

}  // namespace linkgistic
