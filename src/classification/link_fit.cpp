#include "classification/link_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "inference/importance.hpp"
#include "inference/sample_posterior.hpp"
#include "inference/variational_bayes.hpp"
#include "numeric/bytes.hpp"
#include "numeric/decompositions.hpp"
#include "response/pointwise_data.hpp"
#include "response/slope_ridge.hpp"
#include "source/harmonics.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/nystrom_source.hpp"
#include "source/spectrum.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

constexpr Index grid_size = 129;

// (rows): shares of the rows, by the information of their labels about nu under the previous link.
std::vector<double> information_shares(const WeightedRows& rows, const ClassLink& previous,
                                       const BaseLoss& base) {
  const std::vector<double> nu = previous.at(rows.x, 1).nu;
  std::vector<double> share(rows.size());
  double total = 0;
  for (std::size_t i = 0; i < share.size(); ++i) {
    share[i] = rows.weight[i] * base.information(nu[i]);
    total += share[i];
  }
  for (double& u : share) u /= total;
  return share;
}

LearnOptions search_options(const LinkHyper& hyper) {
  LearnOptions options;
  options.curvature_floor = hyper.curvature_floor;
  options.start_draws = 0;
  options.max_evaluations = LinkConstants::evaluations;
  options.tolerance = LinkConstants::tolerance;
  return options;
}

// Finds hyper-parameter number k where the slope of evidence and prior is zero. Secants take fewer
// evaluations than a general search when they start nearby.
LaplaceFit learn_one(const Problem& problem, const DataTerm& data, Index k, double floor) {
  const HyperParameter& h = problem.hyper[static_cast<std::size_t>(k)];
  Vector theta = problem.theta;
  LaplaceFit best;
  double step = 0;
  double last_slope = 0;
  Vector g;
  for (int i = 0; i < LinkConstants::secants; ++i) {
    LaplaceFit fit;
    fit.theta = theta;
    fit.source = problem.source_at(theta);
    const LogJoint joint(fit.source, data, Vector());
    fit.mode = find_mode(joint, i == 0 ? fit.source.prior.mean : g);
    g = fit.mode.g;
    const Evidence evidence = laplace_evidence_gradient(joint, fit.mode, floor);
    fit.log_evidence = evidence.value;
    Vector prior_slope;
    fit.log_hyper_prior = problem.log_hyper_prior(theta, &prior_slope);
    const double slope = evidence.gradient[k] + prior_slope[k];
    if (i == 0 || fit.objective() > best.objective()) best = std::move(fit);
    if (!(std::abs(slope) > LinkConstants::flat)) break;
    const double secant = i == 0 ? 0 : (slope - last_slope) / step;
    const double curvature =
        secant < -LinkConstants::least_curvature ? -secant : std::max(1.0, std::abs(slope));
    const double wanted =
        std::clamp(slope / curvature, -LinkConstants::longest_step, LinkConstants::longest_step);
    const double next = std::clamp(theta[k] + wanted, h.to_theta(h.lower), h.to_theta(h.upper));
    step = next - theta[k];
    if (step == 0) break;
    last_slope = slope;
    theta[k] = next;
  }
  return best;
}

}  // namespace

Matrix square_slope(const Features& features, const LinkRows& rows) {
  const Matrix map = slope_map(features);
  const double square = rows.half * rows.half;
  if (map.size() == 0) {
    Matrix slopes(features.size(), static_cast<Index>(rows.t.size()));  // of sqrt(u_n) Phi_n
    for (std::size_t n = 0; n < rows.t.size(); ++n) {
      const auto column = static_cast<Index>(n);
      features.derivative(rows.t[n], slopes.col(column));
      slopes.col(column) *= std::sqrt(rows.share[n]);
    }
    return slopes * slopes.transpose() / square;
  }
  const Harmonics harmonics(static_cast<int>((map.rows() - 1) / 2), base_frequency);
  const auto* integrated = dynamic_cast<const IntegratedHarmonics*>(&features);
  std::vector<double> t = rows.t;
  if (integrated != nullptr)
    for (double& x : t) x -= integrated->origin();
  const Matrix gram = harmonics.sums(t, rows.share, rows.share, 1).gram;
  return map.transpose() * gram * map / square;
}

LinkFamily::LinkFamily(const LinkHyper& hyper) : hyper_(hyper) {
  std::optional<double> pinned;
  if (hyper.origin == Origin::shifted) pinned = LinkConstants::pinned_origin;
  if (hyper.basis == BasisKind::nystrom) {
    family_ = std::make_shared<NystromSource>(hyper.kind, 2 * hyper.harmonics, -1.0, 1.0, pinned);
  } else {
    family_ = std::make_shared<TrigSource>(hyper.kind, hyper.harmonics, base_frequency, pinned);
  }
}

std::vector<std::pair<std::string, double>> LinkFamily::hyper(const Vector& theta,
                                                              const ScoreRange& range) const {
  const HyperLayout at = hyper_layout(hyper_.kind);
  const auto value = [&](Index i) {
    return family_->hyper_parameters()[static_cast<std::size_t>(i)].to_value(theta[i]);
  };
  // mu is the level in the middle of the range, which the intercept determines.
  const bool nystrom = hyper_.basis == BasisKind::nystrom;
  std::vector<std::pair<std::string, double>> named{
      {"a", value(at.a) / (nystrom ? range.half() * range.half() : 1.0)}};
  if (at.v) {
    named.emplace_back("v", value(*at.v));
    named.emplace_back("size", value(at.amplitude) / range.half());
  } else {
    const double unit = hyper_.kind == PriorKind::gp ? 1 : range.half();
    named.emplace_back("k(0,0)", value(at.amplitude) * decay_sum(value(at.a)) / unit);
  }
  if (hyper_.origin == Origin::intercept) named.emplace_back("gamma", value(at.gamma));
  return named;
}

// sum_m a^-m, m = 1..K; the Gaussian kernel is 1 at 0.
double LinkFamily::decay_sum(double a) const {
  return hyper_.basis == BasisKind::nystrom ? 1 : (1 - std::pow(a, -hyper_.harmonics)) / (a - 1);
}

// In t = (m - middle)/half the slope of nu, and with it the spectrum of f, is `half` times as large.
Vector LinkFamily::theta(const ScoreRange& range) const {
  const HyperLayout at = hyper_layout(hyper_.kind);
  const bool gp = hyper_.kind == PriorKind::gp;
  Vector theta(hyper_size());
  const auto set = [&](Index i, double value) {
    theta[i] = family_->hyper_parameters()[static_cast<std::size_t>(i)].to_theta(value);
  };
  // Few points carry no narrow kernel.
  const double most = family_->hyper_parameters()[static_cast<std::size_t>(at.a)].upper / 2;
  const bool nystrom = hyper_.basis == BasisKind::nystrom;
  set(at.a, nystrom ? std::min(LinkConstants::kernel, most) : hyper_.a);
  if (at.v) {
    set(*at.v, hyper_.v);
    set(at.amplitude, hyper_.size * range.half());
  } else {
    set(at.amplitude, hyper_.size / decay_sum(hyper_.a) * (gp ? 1 : range.half()));
  }
  set(at.gamma, hyper_.gamma);
  set(at.mu, hyper_.mu + (gp ? 0 : hyper_.size * range.middle()));
  return theta;
}

Vector LinkFamily::start(const SourceModel& source, const ScoreRange& range,
                         const ClassLink& previous) const {
  if (!source.basis) return source.prior.mean;
  const Vector t = Vector::LinSpaced(grid_size, -1, 1);
  if (previous.is_identity()) {
    return project_latent(source, t, Vector::Constant(grid_size, std::sqrt(range.half())), range.middle());
  }
  // The previous f, in the present coordinate.
  const ScoreRange& old = previous.range();
  const double ratio = range.half() / old.half();
  const Vector& g = previous.posterior().estimate();
  const Vector f = t.unaryExpr([&](double x) {
    const double at = (range.middle() + x * range.half() - old.middle()) / old.half();
    return std::sqrt(ratio) * previous.source().latent(std::clamp(at, -1.0, 1.0), g);
  });
  const std::vector<double> middle{range.middle()};
  return project_latent(source, t, f, previous.at(middle, 1).nu[0]);
}

Problem LinkFamily::problem_of(const LinkRows& rows) const {
  const HyperLayout at = hyper_layout(hyper_.kind);
  std::vector<bool> learn(static_cast<std::size_t>(hyper_size()), false);
  learn[static_cast<std::size_t>(at.a)] = hyper_.learn;
  learn[static_cast<std::size_t>(at.v.value_or(at.amplitude))] =
      hyper_.learn || (hyper_.kind == PriorKind::gp && !hyper_.hold_size);
  const auto data = [&rows, response = hyper_.base->response()](const std::shared_ptr<const Features>& phi) {
    auto term = std::make_shared<PointwiseData>(phi, response, rows.t, rows.y, rows.weight, 1);
    return std::make_shared<SlopeRidge>(std::move(term), square_slope(*phi, rows), rows.ridge);
  };
  return Problem(*family_, data, SourceRange{}).learning(std::move(learn));
}

// All that a fit depends on, but for the base loss.
std::string LinkFamily::question(const LinkRows& rows, const ScoreRange& range,
                                 const ClassLink& previous) const {
  ByteWriter bytes;
  for (const double number :
       {hyper_.a, hyper_.size, hyper_.v, hyper_.gamma, hyper_.mu, hyper_.curvature_floor, range.lower,
        range.upper, previous.range().lower, previous.range().upper})
    bytes(number);
  bytes(hyper_.kind);
  bytes(hyper_.basis);
  bytes(hyper_.origin);
  bytes(hyper_.harmonics);
  bytes(hyper_.learn);
  bytes(hyper_.hold_size);
  bytes(hyper_.inference);
  bytes(rows);
  bytes(previous.theta());
  bytes(previous.kappa());
  if (!previous.is_identity()) bytes(previous.posterior().estimate());
  return "link" + bytes.bytes();
}

LinkFamily::Found LinkFamily::find(const LinkRows& rows, const ScoreRange& range,
                                   const ClassLink& previous) const {
  Vector begin = theta(range);
  const LearnOptions options = search_options(hyper_);
  Problem problem = problem_of(rows);
  const std::vector<Index> learned = problem.learned_places();
  if (!previous.is_identity()) {
    for (const Index k : learned) begin[k] = previous.theta()[k];
  }
  problem.theta = begin;
  LaplaceFit found;
  if (learned.size() == 1 && hyper_.kind == PriorKind::gp && !problem.basis_moves()) {
    found =
        learn_one(problem, *problem.data_for(problem.source_at(begin)), learned[0], options.curvature_floor);
  } else if (!learned.empty()) {
    found = learn(problem, options);
  } else {
    found.theta = begin;
    found.source = family_->at(found.theta);
    const auto term = problem.data_for(found.source);
    const LogJoint joint(found.source, *term, Vector());
    found.mode = find_best_mode(joint, {start(found.source, range, previous)}, SourceRange{});
    found.log_evidence = laplace_evidence(joint, found.mode, options.curvature_floor);
  }
  Found result;
  LinkFacts& facts = result.facts;
  facts.log_evidence = found.log_evidence;
  facts.smallest_eigenvalue = eigenvalues(found.mode.whitened_hessian).minCoeff();
  facts.newton_iterations = found.mode.iterations;
  Vector kappa;
  if (hyper_.inference == Inference::variational) {
    const VariationalBayesFit best = learn_bound(problem, found, options);
    const VariationalPosterior posterior = variational_posterior(problem, best, options);
    result.mean_estimate = true;
    result.centre = posterior.estimate();
    result.factor = posterior.factor();
    result.spread = posterior.spread();
    facts.log_evidence = best.q.bound;
    found.theta = best.theta;
    found.source = best.source;
    kappa = posterior.point_coefficients(*found.source.map);
  } else {
    const GaussianPosterior posterior = laplace_posterior(problem, found, options);
    result.centre = posterior.estimate();
    result.factor = posterior.factor();
    kappa = posterior.point_coefficients(*found.source.map);
  }
  result.theta = found.theta;
  const Matrix slope = square_slope(*found.source.features, rows);
  facts.slope = std::sqrt(std::max(kappa.dot(slope * kappa), 0.0));  // rounding of a flat link
  const Vector nu = found.source.features->values(rows.t, kappa, 1);
  for (std::size_t i = 0; i < rows.t.size(); ++i) facts.mean_nu += rows.share[i] * nu[static_cast<Index>(i)];
  return result;
}

ClassLink LinkFamily::fit(const WeightedRows& rows, const ScoreRange& range, double ridge,
                          const ClassLink& previous, const Recall& recall) const {
  auto seen = std::make_shared<LinkRows>();
  for (const double x : rows.x) seen->t.push_back((x - range.middle()) / range.half());
  seen->y = rows.y;
  seen->weight = rows.weight;
  seen->share = information_shares(rows, previous, *hyper_.base);
  seen->half = range.half();
  seen->ridge = ridge;
  Found found = recall ? from_bytes<Found>(recall(question(*seen, range, previous),
                                                  [&] { return to_bytes(find(*seen, range, previous)); }))
                       : find(*seen, range, previous);
  for (std::size_t i = 0; i < rows.size(); ++i) found.facts.mean_margin += seen->share[i] * rows.x[i];
  std::shared_ptr<const Posterior> posterior;
  if (found.mean_estimate) {
    posterior = std::make_shared<VariationalPosterior>(found.centre, found.factor, found.spread);
  } else {
    posterior = std::make_shared<GaussianPosterior>(found.centre, found.factor);
  }
  return {range, found.theta, family_->at(found.theta), std::move(posterior), found.facts, std::move(seen)};
}

LinkPosterior LinkFamily::last_posterior(const ClassLink& link, Inference inference,
                                         const SamplingOptions& sampling) const {
  if (link.is_identity() || !link.rows()) return {link, {}};
  const Problem problem = problem_of(*link.rows());
  LaplaceFit fit;
  fit.theta = link.theta();
  fit.source = family_->at(fit.theta);
  const auto term = problem.data_for(fit.source);
  const LogJoint joint(fit.source, *term, Vector());
  const auto checked = [&](const GaussianPosterior& q) -> LinkPosterior {
    const double k = pareto_k(joint, q.estimate(), q.factor(), check_draws, sampling.seed);
    return {link, gaussian_quality(inference, k, true)};
  };
  if (inference == Inference::variational)
    return checked(dynamic_cast<const GaussianPosterior&>(link.posterior()));
  fit.mode = find_mode(joint, link.posterior().estimate());
  if (inference == Inference::laplace) {
    // At the hyper-parameters it has, without their uncertainty.
    return checked(laplace_posterior(problem.held(), fit, search_options(hyper_)));
  }
  Sampling found = sample_until_good(problem, fit, sampling);
  const PosteriorDraws draws = thinned({std::move(found.g), Matrix()}, LinkConstants::kept_draws);
  return {link.with_posterior(std::make_shared<SamplePosterior>(draws)), sample_quality(found.diagnostics)};
}

}  // namespace linkgistic
