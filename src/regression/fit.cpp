#include "regression/fit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {

std::string user_name(const std::string& hyper_parameter) {
  return hyper_parameter == "precision" ? "noise" : hyper_parameter;
}

RegressionFit::RegressionFit(const MonotoneRegressionOptions& options, const RegressionData& data,
                             std::shared_ptr<const SourceFamily> family, bool decreasing,
                             ProgressMonitor& monitor)
    : options_(options),
      data_(data),
      scaling_(data.scaling),
      family_(std::move(family)),
      decreasing_(decreasing),
      monitor_(monitor) {
  const double sign = decreasing ? -1 : 1;
  scaling_.y_scale *= sign;
  DataFactory term;
  if (family_->basis_moves()) {
    std::vector<double> u(data.u);
    for (double& value : u) value *= sign;
    term = [&data, u = std::move(u),
            threads = options.threads](const std::shared_ptr<const Features>& features) {
      auto moments = std::make_shared<GaussianMoments>(features);
      moments->add(data.t, u, data.weight, threads);
      return moments;
    };
  } else {
    const auto moments = std::make_shared<GaussianMoments>(data.moments->with_y_scaled(0, sign));
    term = [moments](const std::shared_ptr<const Features>&) { return moments; };
  }
  EmpiricalBayesOptions search;
  search.curvature_floor = options.curvature_floor;
  search.seed = options.seed;
  search.stop = [&monitor] { return monitor.ask_stop(); };
  search.on_evaluation = [&monitor](const char* phase, double objective) {
    monitor.advance(phase, 0, objective);
  };
  // A mean that is not zero leaves the offset prior few modes.
  if (options.prior == PriorKind::offset) search.start_draws = 4;
  bayes_ = std::make_unique<EmpiricalBayes>(*family_, std::move(term), SourceRange{-1, 1}, search);
  run();
}

// Fixed values that no fit can use overflow later; they are told here, in the units of the data.
void RegressionFit::check_fixed(const HyperParameter& hyper, double value) const {
  if (value >= hyper.lower && value <= hyper.upper) return;
  const auto number = [&](double v) {
    std::ostringstream out;
    out << scaling_.to_user(options_.prior, options_.basis, hyper.name, v);
    return out.str();
  };
  std::string ends[] = {number(hyper.lower), number(hyper.upper)};
  if (scaling_.to_user(options_.prior, options_.basis, hyper.name, hyper.lower) >
      scaling_.to_user(options_.prior, options_.basis, hyper.name, hyper.upper)) {
    std::swap(ends[0], ends[1]);
  }
  throw UsageError("fixed: " + user_name(hyper.name) + " = " + number(value) +
                   ": for these data it must be from " + ends[0] + " to " + ends[1]);
}

void RegressionFit::run() {
  const auto& hyper = bayes_->hyper_parameters();
  Vector theta = bayes_->start();
  learn_.assign(hyper.size(), true);
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    // A pinned origin has no random intercept, so gamma means nothing there.
    if (hyper[i].name == "gamma" && options_.origin == Origin::shifted) learn_[i] = false;
    const auto held = options_.fixed.find(user_name(hyper[i].name));
    if (held == options_.fixed.end()) continue;
    learn_[i] = false;
    const double value = scaling_.from_user(options_.prior, options_.basis, hyper[i].name, held->second);
    check_fixed(hyper[i], value);
    theta[static_cast<Index>(i)] = hyper[i].to_theta(value);
  }
  fit_ = bayes_->fit(theta, learn_);
  try {
    // The zero-mean prior has many modes, and those of loud noise hide those of faint noise: begin there as
    // well.
    if (options_.prior == PriorKind::isgp && options_.basis == BasisKind::trig && learn_.back()) {
      for (const double fainter : {100.0, 1e4}) {
        Vector start = theta;
        start[start.size() - 1] += std::log(fainter);
        LaplaceFit other = bayes_->fit(start, learn_);
        if (other.objective() > fit_.objective()) fit_ = std::move(other);
      }
    }
    if (options_.inference == Inference::variational)
      variational_ = VariationalBayes(*bayes_).fit(fit_, learn_);
  } catch (const Interrupted&) {  // the best so far is there
  }
  if (!std::isfinite(fit_.log_evidence) || !fit_.mode.g.allFinite()) {
    throw InputError("the fit has no finite evidence: the numbers are too large or too small for it");
  }
}

double RegressionFit::to_user(const HyperParameter& hyper, double theta) const {
  // Of data near the ends of the doubles a square (gamma, b) may overflow; a file has finite numbers only.
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(scaling_.to_user(options_.prior, options_.basis, hyper.name, hyper.to_value(theta)),
                    -most, most);
}

double RegressionFit::log_scale() const { return -data_.total_weight * std::log(std::abs(scaling_.y_scale)); }

std::shared_ptr<FittedRegressionState> RegressionFit::state(const RegressionRange& range) const {
  auto state = std::make_shared<FittedRegressionState>();
  state->options = options_;
  state->options.stop = nullptr;
  state->options.on_progress = nullptr;
  state->scaling = scaling_;
  const bool interrupted = monitor_.stopped();
  const auto begin = std::chrono::steady_clock::now();
  const RegressionPosterior found =
      regression_posterior(options_, *bayes_, fit_, variational_, learn_, monitor_);
  state->theta = found.theta;
  state->source = variational_ ? variational_->source : fit_.source;
  state->posterior = found.posterior;
  state->noise = std::exp(-found.theta[found.theta.size() - 1] / 2);
  state->summary = summarise(range, found, interrupted);
  state->summary.seconds_posterior =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  try {
    if (options_.profiles) state->profiles = profiles();
  } catch (const Interrupted&) {
    state->summary.warnings.push_back("stopped before the evidence around the optimum was found");
  }
  return state;
}

RegressionSummary RegressionFit::summarise(const RegressionRange& range, const RegressionPosterior& posterior,
                                           bool interrupted) const {
  RegressionSummary s;
  s.rows = range.rows;
  s.total_weight = data_.total_weight;
  s.x_lower = range.x_lower;
  s.x_upper = range.x_upper;
  s.decreasing = decreasing_;
  s.point_estimate = posterior.posterior->point_estimate();
  s.posterior = posterior.quality;
  s.pareto_k = posterior.pareto_k;
  s.warnings = posterior.warnings;
  const auto& hyper = bayes_->hyper_parameters();
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    s.hyper_parameters.push_back(
        {user_name(hyper[i].name), to_user(hyper[i], posterior.theta[static_cast<Index>(i)]), learn_[i]});
  }
  s.log_evidence = (variational_ ? variational_->q.bound : fit_.log_evidence) + log_scale();
  s.smallest_eigenvalue = fit_.smallest_eigenvalue;
  s.floored = fit_.floored;
  s.converged = variational_ ? variational_->converged : fit_.converged;
  s.stop = variational_ ? variational_->stop : fit_.stop;
  if (interrupted) {
    s.converged = false;
    s.stop = "interrupted";
  }
  s.evaluations = variational_ ? variational_->evaluations : fit_.evaluations;
  if (variational_) {
    s.trace = variational_->trace;
  } else {
    for (const auto& point : fit_.trace) s.trace.push_back(point.objective);
  }
  if (!s.converged) s.warnings.push_back("the search for the hyper-parameters did not converge: " + s.stop);
  if (range.x_lower == range.x_upper) s.warnings.push_back("all x are equal: the slope is the prior's");
  return s;
}

std::vector<EvidenceProfile> RegressionFit::profiles() const {
  constexpr int points = 41;
  constexpr double widest = 3, narrowest = 1e-6;  // of the reach in theta, to either side
  constexpr double deep = 10;                     // a fall of the log evidence that shows enough of it
  std::vector<EvidenceProfile> result;
  const auto& hyper = bayes_->hyper_parameters();
  const auto evidence = [&](const Vector& theta) {
    return variational_ ? VariationalBayes(*bayes_).bound(theta, *variational_)
                        : bayes_->log_evidence(theta, fit_);
  };
  const double top = variational_ ? variational_->q.bound : fit_.log_evidence;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    if (!learn_[i]) continue;
    const auto at = [&](double step) {
      Vector theta = variational_ ? variational_->theta : fit_.theta;
      theta[static_cast<Index>(i)] += step;
      return theta;
    };
    const auto falls = [&](double step) { return !(evidence(at(step)) > top - deep); };
    double reach = widest;
    while (reach > narrowest && falls(-reach / 2) && falls(reach / 2)) reach /= 2;
    EvidenceProfile profile{user_name(hyper[i].name), {}, {}};
    for (int k = 0; k < points; ++k) {
      const Vector theta = at(reach * (2.0 * k / (points - 1) - 1));
      profile.values.push_back(to_user(hyper[i], theta[static_cast<Index>(i)]));
      profile.log_evidence.push_back(evidence(theta) + log_scale());
    }
    result.push_back(std::move(profile));
  }
  return result;
}

}  // namespace linkgistic
