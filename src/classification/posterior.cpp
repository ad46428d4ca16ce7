#include "classification/posterior.hpp"

#include <mutex>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

#include "inference/posterior_quality.hpp"
#include "numeric/parallel.hpp"
#include "numeric/split_threads.hpp"
#include "numeric/stopwatch.hpp"

namespace linkgistic {

void last_posteriors(const LinkFamily& family, const LinkgisticOptions& options,
                     std::vector<ClassLink>& links, ClassifierSummary& summary) {
  const Stopwatch clock;
  std::vector<PosteriorQuality> quality(links.size());
  std::mutex one_at_a_time;
  try {
    std::vector<ClassLink> last(links.size());
    const ThreadSplit threads = split_threads(links.size() > 1, options.threads);
    parallel_for(links.size(), threads.outer, [&](std::size_t k) {
      SamplingOptions sampling = sampling_options(options.draws, options.seed + k, threads.inner);
      if (options.stop) {
        sampling.stop = [&] {
          const std::lock_guard lock(one_at_a_time);
          return options.stop();
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

}  // namespace linkgistic
