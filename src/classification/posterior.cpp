#include "classification/posterior.hpp"

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

}  // namespace linkgistic
