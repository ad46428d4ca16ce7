// Exact sampling of a regression, hyper-parameters included; the input and output of mcmc_vs_numpyro.py.
//
//   bench_sampling ROWS [HARMONICS = 8] [DRAWS = 1000] [WARMUP = 500] [PRIOR = offset]
//
// x uniform on [-1, 1], y = tanh(2 x) + 0.3 noise, scaled to unit variance; 4 chains. Prints one JSON object:
// seconds of the pass over the rows, of the Laplace fit and of the chains, R-hat and effective sample sizes,
// posterior mean and standard deviation of nu at five places and of the noise. With ROWS up to 10,000 the
// rows too.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "inference/sampling.hpp"
#include "numeric/random.hpp"
#include "response/gaussian_moments.hpp"
#include "source/trig_source.hpp"

int main(int argc, char** argv) {
  using namespace linkgistic;
  using Clock = std::chrono::steady_clock;
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_sampling ROWS [HARMONICS] [DRAWS] [WARMUP] [PRIOR]\n");
    return 2;
  }
  const auto argument = [&](int i, int fallback) { return argc > i ? std::atoi(argv[i]) : fallback; };
  const auto rows = static_cast<std::size_t>(std::atoll(argv[1]));
  const std::string name = argc > 5 ? argv[5] : "offset";
  const PriorKind kind = name == "isgp" ? PriorKind::isgp : name == "gp" ? PriorKind::gp : PriorKind::offset;
  const TrigSource family(kind, argument(2, 8), 0.5);
  std::vector<double> x(rows), y(rows);
  RandomStream random(17);
  for (std::size_t n = 0; n < rows; ++n) {
    x[n] = 2 * random.uniform() - 1;
    y[n] = (std::tanh(2 * x[n]) + 0.3 * random.normal()) / 0.77;
  }
  const auto begin = Clock::now();
  const auto moments =
      std::make_shared<GaussianMoments>(family.at(start_theta(family.hyper_parameters())).features);
  moments->add(x, y, {}, 0);
  const auto passed = Clock::now();
  const Problem problem(
      family, [&](const std::shared_ptr<const Features>&) { return moments; }, SourceRange{-1, 1});
  const LaplaceFit fit = learn(problem);
  const auto fitted = Clock::now();
  SamplingOptions options;
  options.draws = argument(3, 1000);
  options.warmup = argument(4, 500);
  const Sampling sampling = sample_posterior(problem, fit, options);
  const auto end = Clock::now();

  nlohmann::json output;
  for (const double place : {-0.8, -0.4, 0.0, 0.4, 0.8}) {
    const Vector phi = fit.source.features->at(place);
    Vector nu(sampling.g.cols());
    for (Index s = 0; s < nu.size(); ++s) nu[s] = phi.dot(fit.source.map->value(sampling.g.col(s)));
    output["nu_mean"].push_back(nu.mean());
    output["nu_sd"].push_back(std::sqrt((nu.array() - nu.mean()).square().mean()));
  }
  const Vector log_precision = sampling.theta.row(sampling.theta.rows() - 1).transpose();
  output["log_precision_mean"] = log_precision.mean();
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  const SamplingDiagnostics& d = sampling.diagnostics;
  output["seconds"] = seconds(begin, end);
  output["seconds_pass"] = seconds(begin, passed);
  output["seconds_fit"] = seconds(passed, fitted);
  output["seconds_chains"] = seconds(fitted, end);
  output["r_hat"] = d.r_hat();
  output["bulk_ess"] = d.bulk_ess();
  output["tail_ess"] = d.tail_ess();
  output["divergences"] = d.divergences;
  output["mean_depth"] = d.mean_depth;
  output["modes"] = d.modes;
  output["gradients"] = d.gradients;
  if (rows <= 10000) {
    output["x"] = x;
    output["y"] = y;
  }
  std::printf("%s\n", output.dump().c_str());
}
