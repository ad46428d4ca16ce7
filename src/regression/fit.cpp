#include "regression/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include <linkgistic/error.hpp>

#include "numeric/stopwatch.hpp"
#include "regression/engine.hpp"
#include "regression/noise.hpp"
#include "regression/prior.hpp"
#include "regression/shape.hpp"
#include "response/responses.hpp"
#include "text/names.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// Words on a direction that the data contradict, by Student's t of their correlation; else nothing.
std::string against_the_data(Direction direction, const RegressionData& data) {
  const double r = data.correlation, freedom = data.total_weight - 2;
  if (direction == Direction::automatic || freedom <= 0) return {};
  const bool falls = r < 0;
  if (falls == (direction == Direction::decreasing)) return {};
  const double t = std::abs(r) * std::sqrt(freedom / std::max(1 - r * r, 1e-12));
  if (t < regression_prior.contradiction) return {};
  return "direction = " + name_of(direction_names(), direction) + " is against the data: y " +
         (falls ? "falls" : "rises") + " with x, with a correlation of " +
         shortest(std::round(100 * r) / 100);
}

std::size_t cells_of(const MonotoneRegressionOptions& options) {
  const auto wanted = regression_prior.cells_a_harmonic * static_cast<std::size_t>(options.harmonics);
  return std::max(regression_prior.least_cells, wanted);
}

}  // namespace

RegressionFit::RegressionFit(const MonotoneRegressionOptions& options,
                             std::shared_ptr<const Response> response, const RegressionData& data,
                             std::shared_ptr<const SourceFamily> family, bool decreasing,
                             ProgressMonitor& monitor)
    : options_(options),
      response_(std::move(response)),
      data_(data),
      scaling_(data.scaling),
      family_(std::move(family)),
      decreasing_(decreasing),
      monitor_(monitor),
      problem_(*family_, data.term(response_, decreasing, options.threads), SourceRange{-1, 1}) {
  if (decreasing) (response_->has_units() ? scaling_.y_scale : scaling_.x_half) *= -1;
  learning_ = learn_options();
  run();
}

RegressionFit::RegressionFit(const RegressionFit& from, const RegressionData& data)
    : options_(from.options_),
      response_(from.response_),
      data_(data),
      scaling_(from.scaling_),
      family_(from.family_),
      decreasing_(from.decreasing_),
      monitor_(from.monitor_),
      learning_(from.learning_),
      problem_(*family_, data.term(response_, decreasing_, options_.threads), SourceRange{-1, 1}) {
  problem_.theta = from.fit_.theta;
  run(true);
}

LearnOptions RegressionFit::learn_options() const {
  LearnOptions learning;
  learning.curvature_floor = options_.curvature_floor;
  learning.seed = options_.seed;
  learning.stop = [&monitor = monitor_] { return monitor.ask_stop(); };
  learning.on_evaluation = [&monitor = monitor_](const char* phase, double objective) {
    monitor.advance(phase, 0, objective);
  };
  if (options_.prior == PriorKind::offset) learning.start_draws = regression_prior.offset_start_draws;
  return learning;
}

NormalValues RegressionFit::source_at(const std::vector<double>& t) const {
  const Places at(t);
  if (variational_) {
    const auto q = variational_posterior(problem_.held(), *variational_, learning_);
    return q.normal_at(variational_->source, at, options_.threads);
  }
  const auto q = laplace_posterior(problem_.held(), fit_, learning_);
  return q.normal_at(fit_.source, at, options_.threads);
}

Vector RegressionFit::squared_residuals() const {
  const NormalValues nu = source_at(data_.t);
  Vector result = nu.variance;
  // Rows that lie on the curve to rounding have an amount all the same.
  constexpr double least = 1e-300;
  for (Index n = 0; n < result.size(); ++n) {
    const double u = data_.u[static_cast<std::size_t>(n)], r = (decreasing_ ? -u : u) - nu.mean[n];
    result[n] = std::max(result[n] + r * r, least);
  }
  return result;
}

// Fixed values that no fit can use would overflow later; they are refused here, in the units of the data.
void RegressionFit::check_fixed(const HyperParameter& hyper, double value) const {
  if (value >= hyper.lower && value <= hyper.upper) return;
  const auto number = [&](double v) {
    std::ostringstream out;
    out << scaling_.to_user(hyper, v);
    return out.str();
  };
  std::string ends[] = {number(hyper.lower), number(hyper.upper)};
  if (scaling_.to_user(hyper, hyper.lower) > scaling_.to_user(hyper, hyper.upper)) {
    std::swap(ends[0], ends[1]);
  }
  throw UsageError("fixed: " + hyper.name + " = " + number(value) + ": for these data it must be from " +
                   ends[0] + " to " + ends[1]);
}

void RegressionFit::run(bool from_a_fit) {
  const auto& hyper = problem_.hyper;
  Index scale = -1;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    if (hyper[i].is_scale) scale = static_cast<Index>(i);
    const auto held = options_.fixed.find(hyper[i].name);
    if (held == options_.fixed.end()) continue;
    problem_.learned[i] = false;
    const double value = scaling_.from_user(hyper[i], held->second);
    check_fixed(hyper[i], value);
    problem_.theta[static_cast<Index>(i)] = hyper[i].to_theta(value);
  }
  fit_ = learn(problem_, learning_);
  try {
    if (!from_a_fit && options_.prior == PriorKind::isgp && options_.basis == BasisKind::trig && scale >= 0 &&
        problem_.learned[static_cast<std::size_t>(scale)]) {
      for (const double fainter : regression_prior.fainter) {
        Vector start = problem_.theta;
        start[scale] += std::log(fainter);
        LaplaceFit other = learn(problem_.from(std::move(start)), learning_);
        if (other.objective() > fit_.objective()) fit_ = std::move(other);
      }
    }
    if (options_.inference == Inference::variational) {
      variational_ = learn_bound(problem_, fit_, learning_);
      dropped_ = leaves_the_data(*variational_);
      if (dropped_) variational_.reset();
    }
  } catch (const Interrupted&) {  // the best so far is there
  }
  if (!std::isfinite(fit_.log_evidence) || !fit_.mode.g.allFinite()) {
    throw InputError("the fit has no finite evidence: the numbers are too large or too small for it");
  }
}

bool RegressionFit::leaves_the_data(const VariationalBayesFit& fit) const {
  constexpr int places = 129;
  const QuadraticMap& map = *fit.source.map;
  const Vector t = Vector::LinSpaced(places, -1, 1);
  const Vector kappa = map.value(fit.q.mean) + map.trace(fit.q.covariance) / 2;
  Vector nu = fit.source.features->values({t.data(), places}, kappa, 1);
  if (!response_->has_units()) return !nu.allFinite();
  if (decreasing_) nu = -nu;
  return leaves_range(nu, data_.u_lower, data_.u_upper);
}

double RegressionFit::to_user(const HyperParameter& hyper, double theta) const {
  // For data near the limits of double a square (gamma, b) may overflow; files hold finite numbers only.
  constexpr double most = std::numeric_limits<double>::max();
  return std::clamp(scaling_.to_user(hyper, hyper.to_value(theta)), -most, most);
}

double RegressionFit::log_scale() const {
  return data_.log_constant - data_.total_weight * std::log(std::abs(scaling_.y_scale));
}

std::shared_ptr<FittedRegressionState> RegressionFit::state(const RegressionRange& range) const {
  auto state = std::make_shared<FittedRegressionState>();
  state->options = options_;
  state->options.stop = nullptr;
  state->options.on_progress = nullptr;
  state->scaling = scaling_;
  const bool interrupted = monitor_.stopped();
  const Stopwatch clock;
  const RegressionPosterior found =
      regression_posterior(options_, problem_, learning_, fit_, variational_, dropped_, monitor_);
  state->theta = found.theta;
  state->source = variational_ ? variational_->source : fit_.source;
  state->posterior = found.posterior;
  state->response = response_;
  state->options.response = value_of(response_names(), std::string(response_->name()));
  state->summary = summarise(range, found, interrupted);
  state->summary.seconds_posterior = clock.seconds();
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
  const auto& hyper = problem_.hyper;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    s.hyper_parameters.push_back(
        {hyper[i].name, to_user(hyper[i], posterior.theta[static_cast<Index>(i)]), problem_.learned[i]});
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
  const auto& hyper = problem_.hyper;
  const auto evidence = [&](const Vector& theta) {
    return variational_ ? bound_at(problem_, theta, *variational_, learning_)
                        : log_evidence(problem_, theta, fit_, learning_);
  };
  const double top = variational_ ? variational_->q.bound : fit_.log_evidence;
  for (std::size_t i = 0; i < hyper.size(); ++i) {
    if (!problem_.learned[i]) continue;
    const auto at = [&](double step) {
      Vector theta = variational_ ? variational_->theta : fit_.theta;
      theta[static_cast<Index>(i)] += step;
      return theta;
    };
    const auto falls = [&](double step) { return !(evidence(at(step)) > top - deep); };
    double reach = widest;
    while (reach > narrowest && falls(-reach / 2) && falls(reach / 2)) reach /= 2;
    EvidenceProfile profile{hyper[i].name, {}, {}};
    for (int k = 0; k < points; ++k) {
      const Vector theta = at(reach * (2.0 * k / (points - 1) - 1));
      profile.values.push_back(to_user(hyper[i], theta[static_cast<Index>(i)]));
      profile.log_evidence.push_back(evidence(theta) + log_scale());
    }
    result.push_back(std::move(profile));
  }
  return result;
}

std::shared_ptr<const Response> regression_response(const MonotoneRegressionOptions& options, double trials) {
  if (options.guess == Rate{} && options.lapse == Rate{}) {
    const bool binomial = options.response == ResponseKind::binomial;
    return binomial ? make_binomial_response(trials)
                    : named_response(name_of(response_names(), options.response));
  }
  return make_forced_choice(trials, options.response == ResponseKind::bernoulli, options.guess,
                            options.lapse);
}

std::vector<HyperParameter> regression_hyper_parameters(const MonotoneRegressionOptions& options,
                                                        const Response& response) {
  auto hyper = make_family(options, response.has_units())->hyper_parameters();
  for (auto& h : response.hyper_parameters()) hyper.push_back(std::move(h));
  return hyper;
}

std::optional<HyperParameter> regression_hyper_parameter(const FittedMonotoneRegression& fit,
                                                         const std::string& name) {
  const auto response = regression_response(fit.options());
  for (const HyperParameter& h : regression_hyper_parameters(fit.options(), *response)) {
    if (h.name == name) return h;
  }
  return std::nullopt;
}

std::shared_ptr<FittedRegressionState> fit_regression(const MonotoneRegressionOptions& options,
                                                      const std::shared_ptr<const Response>& response,
                                                      RowStream& rows) {
  const auto engine = make_stream_engine(rows, *response, options.threads);
  return fit_regression(options, response, *engine);
}

std::shared_ptr<FittedRegressionState> fit_regression(const MonotoneRegressionOptions& options,
                                                      const std::shared_ptr<const Response>& response,
                                                      RegressionEngine& rows) {
  const Stopwatch clock;
  if (options.inference == Inference::variational && !response->has_bound()) {
    throw UsageError("inference = variational: no bound is known for the response '" +
                     std::string(response->name()) + "'; take laplace or mcmc");
  }
  const auto family = make_family(options, response->has_units());
  ProgressMonitor monitor(options.stop, options.on_progress);
  const auto stop = [&monitor] { return monitor.ask_stop(); };
  const RegressionRange range = find_range(rows, stop);
  // The sums of a basis that stays are made by the holders of the rows.
  std::optional<IntegratedHarmonics> fixed;
  if (!family->basis_moves()) {
    const auto features = family->at(start_theta(family->hyper_parameters())).features;
    if (const auto* harmonics = dynamic_cast<const IntegratedHarmonics*>(features.get())) fixed = *harmonics;
  }
  if (options.noise == NoiseKind::smooth) fixed.reset();  // its rows are needed again
  const RegressionData data = read_rows(rows, range, *response, fixed, cells_of(options), stop);
  const double seconds_data = clock.seconds();
  const Stopwatch search;

  const CurveShape shape = shape_of(options);
  bool decreasing = shape.direction == Direction::decreasing;
  bool both = false;
  if (shape.direction == Direction::automatic && shape.monotone) {
    decreasing = data.correlation < 0;
    both = std::abs(data.correlation) * std::sqrt(data.total_weight) < regression_prior.sure_direction;
  }
  std::unique_ptr<RegressionFit> best;
  MonotoneRegressionOptions own = options;
  // The greatest objective of the directions that come into question.
  const auto fit_directions = [&] {
    const auto of_spectrum = make_family(own, response->has_units());
    double objective = -std::numeric_limits<double>::infinity();
    for (int other = 0; other <= (both ? 1 : 0); ++other) {
      auto fit = std::make_unique<RegressionFit>(own, response, data, of_spectrum, decreasing != (other == 1),
                                                 monitor);
      objective = std::max(objective, fit->objective());
      if (!best || fit->better_than(*best)) best = std::move(fit);
    }
    return objective;
  };
  std::map<std::string, double> spectra;
  try {
    if (options.spectrum != SpectrumKind::automatic) fit_directions();
    for (const auto& [name, spectrum] : spectrum_names()) {
      if (options.spectrum != SpectrumKind::automatic || spectrum == SpectrumKind::automatic) continue;
      own.spectrum = spectrum;
      spectra[name] = fit_directions();
    }
  } catch (const Interrupted&) {
    if (!best) throw;  // else the best so far is there
  }
  auto state =
      options.noise == NoiseKind::smooth ? with_smooth_noise(*best, range, monitor) : best->state(range);
  state->summary.spectra = std::move(spectra);
  std::string against = against_the_data(shape.direction, data);
  if (!against.empty()) state->summary.warnings.push_back(std::move(against));
  state->summary.seconds_data = seconds_data;
  state->summary.seconds_search = search.seconds() - state->summary.seconds_posterior;
  return state;
}

std::unique_ptr<RegressionFit> learn_rows(const MonotoneRegressionOptions& options,
                                          const std::shared_ptr<const Response>& response, RowStream& rows,
                                          RegressionData& data, RegressionRange& range,
                                          ProgressMonitor& monitor) {
  const auto engine = make_stream_engine(rows, *response, options.threads);
  const auto stop = [&monitor] { return monitor.ask_stop(); };
  range = find_range(*engine, stop);
  data = read_rows(*engine, range, *response, {}, cells_of(options), stop);
  return std::make_unique<RegressionFit>(options, response, data, make_family(options, response->has_units()),
                                         false, monitor);
}

}  // namespace linkgistic
