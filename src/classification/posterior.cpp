#include "classification/posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <linkgistic/error.hpp>

#include "inference/posterior_quality.hpp"
#include "numeric/bytes.hpp"
#include "numeric/parallel.hpp"
#include "numeric/split_threads.hpp"
#include "numeric/stopwatch.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t draws_a_message = 100;

// All that the chains of a link depend on but their options.
std::string chain_question(const ClassLink& link) {
  return "chains" + to_bytes(*link.rows()) + to_bytes(link.theta()) + to_bytes(link.posterior().estimate());
}

// Draws of all chains at most: if those of a link do not agree, a second run has twice the draws.
std::size_t most_draws(const LinkgisticOptions& options, std::size_t links) {
  const SamplingOptions each = sampling_options(options.draws, 0, 1);
  return 3 * links * static_cast<std::size_t>(each.chains * (each.warmup + each.draws));
}

}  // namespace

void last_posteriors(const LinkFamily& family, const LinkgisticOptions& options, ProgressMonitor& monitor,
                     const Recall& recall, std::vector<ClassLink>& links, ClassifierSummary& summary) {
  const Stopwatch clock;
  std::vector<PosteriorQuality> quality(links.size());
  const bool chains = options.inference == Inference::mcmc;
  const std::size_t most = most_draws(options, links.size());
  if (chains) monitor.tell("sampling", 0, most, 0);
  try {
    std::vector<ClassLink> last(links.size());
    const ThreadSplit threads = split_threads(links.size() > 1, options.threads);
    parallel_for(links.size(), threads.outer, [&](std::size_t k) {
      SamplingOptions sampling = sampling_options(options.draws, options.seed + k, threads.inner);
      sampling.stop = [&monitor] { return monitor.ask_stop(); };
      sampling.on_draw = [&] { monitor.advance("sampling", most, 0, draws_a_message); };
      if (chains && recall && links[k].rows()) {
        sampling.recall = [&recall, about = chain_question(links[k])](std::string_view question,
                                                                      const auto& work) {
          return recall(about + std::string(question), work);
        };
      }
      LinkPosterior found = family.last_posterior(links[k], options.inference, sampling);
      last[k] = std::move(found.link);
      quality[k] = std::move(found.quality);
    });
    links = std::move(last);
  } catch (const Interrupted&) {
    summary.warnings.push_back("stopped before the links were sampled: their bands are those of the E-steps");
  }
  std::size_t worst = 0;
  for (std::size_t k = 1; k < quality.size(); ++k)
    if (quality[k].trouble > quality[worst].trouble) worst = k;
  summary.posterior = quality[worst].words;
  if (links.size() > 1 && !summary.posterior.empty())
    summary.posterior += ", the worst of " + std::to_string(links.size()) + " links: class '" +
                         summary.classes[worst].name + "'";
  for (std::size_t k = 0; k < quality.size(); ++k)
    for (const std::string& warning : quality[k].warnings)
      summary.warnings.push_back("class '" + summary.classes[k].name + "': " + warning);
  summary.seconds_posterior = clock.seconds();
}

bool joint_posterior(const LinkPrecision& precision, std::vector<ClassLink>& links,
                     ClassifierSummary& summary) {
  const Stopwatch clock;
  std::vector<Matrix> roots = joint_roots(precision);
  summary.posterior = roots.empty() ? "Laplace, each class by itself" : "Laplace, all classes together";
  for (std::size_t k = 0; k < roots.size(); ++k)
    links[k] = links[k].with_posterior(
        std::make_shared<GaussianPosterior>(links[k].posterior().estimate(), std::move(roots[k])));
  summary.seconds_posterior = clock.seconds();
  return !roots.empty();
}

namespace {

Vector prior_sd(const SourceModel& source) { return (-0.5 * source.prior.log_precision.array()).exp(); }

// The link's own coordinates, or those that a straight link has among bent ones.
LinkPlace place_of(const FittedClassifierState& state, const ScoreRange& range) {
  const ClassLink& link = state.links[0];
  if (!link.is_identity()) return {link.range(), link.source(), link.posterior().estimate()};
  const bool free = state.options.prior == LinkPrior::offset && !state.options.v && range.half() > 1e-6;
  LinkPlace place;
  place.range = range;
  if (!free) return place;
  const LinkFamily family(*link_hyper(state.options, LinkConstants::v, state.base));
  place.source = family.source(family.theta(range));
  place.g = family.start(place.source, range, ClassLink());
  return place;
}

std::vector<BendWeight> bends_of(const ClassifierFit& fit, const FittedClassifierState& state,
                                 const LinkPlace& place) {
  if (place.size() == 0) return {{Vector(), 1}};
  if (state.options.prior != LinkPrior::offset || state.options.learn_hyper)
    return {{prior_sd(place.source), 1}};
  const auto bend = [&](double v, double weight) -> BendWeight {
    const LinkFamily family(*link_hyper(state.options, v, state.base));
    return {prior_sd(family.source(family.theta(place.range))), weight};
  };
  if (!fit.v_by_evidence || fit.v_tried.size() < 2) {
    constexpr double least = 0.01;
    return {bend(std::max(fit.v, least), 1)};
  }
  // The first that was tried is the straight link.
  std::vector<BendWeight> bends;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < fit.v_tried.size(); ++i)
    best = std::max(best, -fit.v_tried[i].second * fit.weight);
  double total = 0;
  for (std::size_t i = 1; i < fit.v_tried.size(); ++i) {
    const double weight = std::exp(-fit.v_tried[i].second * fit.weight - best);
    bends.push_back(bend(fit.v_tried[i].first, weight));
    total += weight;
  }
  for (BendWeight& b : bends) b.weight /= total;
  return bends;
}

}  // namespace

void posterior_of_weights(const ClassifierFit& fit, RowEngine& engine, ColumnScale scale,
                          std::int32_t positive, FittedClassifierState& state) {
  const Stopwatch clock;
  LinkPlace place = place_of(state, fit.em.ranges[0]);
  if (state.beta.size() + static_cast<std::size_t>(place.size()) > most_weights || !fit.separated.empty())
    return;
  const std::vector<BendWeight> bends = bends_of(fit, state, place);
  const WeightProblem problem{engine, std::move(scale), positive, state.beta, *state.base, fit.l2};
  state.weights = weight_posterior(problem, std::move(place), bends, fit.ridges);
  if (state.weights) {
    CoefficientErrors errors = coefficient_errors(problem, *state.weights, state.scale);
    if (errors.all_finite()) state.errors = std::move(errors);
  }
  state.summary.seconds_posterior += clock.seconds();
}

}  // namespace linkgistic
