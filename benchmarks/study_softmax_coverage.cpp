// Do bands of class probabilities hold what they say? Links of a softmax are drawn from their prior, labels
// from the links, and the links are learned from the true scores, with the sizes of their bends known.
//
//   study_softmax_coverage [SETS]
//
// prints for each number of classes and of rows how much of the true probabilities the 90 % bands hold, with
// the standard error over data sets, and the worst set.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "classification/em.hpp"
#include "engine/local_engine.hpp"
#include "numeric/logistic.hpp"
#include "numeric/normal.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"
#include "validation/statistics.hpp"

namespace {

using namespace linkgistic;

struct Scores {
  RowMatrix rows;
  std::vector<double> values;  // (n, C)
  std::size_t n, classes;
};

Scores draw_scores(std::size_t n, std::size_t classes, RandomStream& random) {
  Scores s{{}, std::vector<double>(n * classes), n, classes};
  for (double& v : s.values) v = static_cast<float>(1.5 * random.normal());
  s.rows = float_rows(s.values, n, classes);
  return s;
}

// The identity as coefficients: score k is feature k.
EmResult at_these_scores(std::size_t classes) {
  EmResult state;
  state.links.resize(classes);
  state.beta.assign(classes * (classes + 1), 0.0);
  for (std::size_t k = 0; k < classes; ++k) state.beta[k * (classes + 1) + k + 1] = 1;
  state.trace.emplace_back();
  return state;
}

EmResult learn(const Scores& scores, std::vector<std::int32_t> labels, const LinkHyper& hyper,
               std::vector<Matrix>* roots) {
  const auto engine = make_local_engine({scores.rows, labels, {}, {}}, 1);
  EmOptions options;
  options.softmax = true;
  options.threads = 1;
  std::vector<std::int32_t> positive(scores.classes);
  for (std::size_t k = 0; k < positive.size(); ++k) positive[k] = static_cast<std::int32_t>(k);
  const LinkgisticEm em(*engine, {}, positive, options);
  EmResult state = at_these_scores(scores.classes);
  const LinkgisticEm::Scored own{{}, &state.beta};
  em.e_step(LinkFamily(hyper), std::span(&own, 1), {}, std::vector<double>(scores.classes), state);
  if (roots != nullptr) *roots = joint_roots(*state.precision);
  return state;
}

// (n, C) probabilities of links at the scores.
std::vector<double> probabilities(const Scores& scores, const std::vector<ClassLink>& links) {
  std::vector<double> p(scores.values.size());
  for (std::size_t k = 0; k < scores.classes; ++k) {
    std::vector<double> m(scores.n);
    for (std::size_t i = 0; i < scores.n; ++i) m[i] = scores.values[i * scores.classes + k];
    const std::vector<double> nu = links[k].at(m, 1).nu;
    for (std::size_t i = 0; i < scores.n; ++i) p[i * scores.classes + k] = std::exp(nu[i]);
  }
  for (std::size_t i = 0; i < scores.n; ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < scores.classes; ++k) sum += p[i * scores.classes + k];
    for (std::size_t k = 0; k < scores.classes; ++k) p[i * scores.classes + k] /= sum;
  }
  return p;
}

struct SetResult {
  double coverage = 0, width = 0;
};

SetResult run_set(std::size_t classes, std::size_t n, const LinkHyper& hyper, std::uint64_t set) {
  RandomStream random(set, 77);
  const Scores scores = draw_scores(n, classes, random);
  // The frame of the links does not depend on the labels.
  std::vector<std::int32_t> labels(n);
  for (std::size_t i = 0; i < n; ++i) labels[i] = static_cast<std::int32_t>(i % classes);
  const EmResult frame = learn(scores, labels, hyper, nullptr);
  const LinkPrecision& prior = *frame.precision;
  Vector shared(prior.shared_sd.size());
  for (double& x : shared) x = random.normal();
  std::vector<ClassLink> truth;
  for (std::size_t k = 0; k < classes; ++k) {
    Vector g = frame.links[k].source().prior.mean;
    g.head(shared.size()) += prior.shared_sd.cwiseProduct(shared);
    for (Index i = 0; i < prior.own_sd.size(); ++i) g[i] += prior.own_sd[i] * random.normal();
    truth.push_back(frame.links[k].with_posterior(
        std::make_shared<GaussianPosterior>(g, Matrix::Identity(g.size(), g.size()))));
  }
  const std::vector<double> p = probabilities(scores, truth);
  for (std::size_t i = 0; i < n; ++i) {
    double u = random.uniform();
    std::size_t k = 0;
    while (k + 1 < classes && u > p[i * classes + k]) u -= p[i * classes + k++];
    labels[i] = static_cast<std::int32_t>(k);
  }
  std::vector<Matrix> roots;
  const EmResult fit = learn(scores, labels, hyper, &roots);
  std::vector<ClassLink> links;
  for (std::size_t k = 0; k < classes; ++k)
    links.push_back(fit.links[k].with_posterior(
        std::make_shared<GaussianPosterior>(fit.links[k].posterior().estimate(), roots[k])));
  const std::vector<double> found = probabilities(scores, links);
  const ProbabilitySpread spread(links);
  const double z = normal_quantile(0.95);
  const std::size_t looked_at = std::min<std::size_t>(n, 300);
  SetResult result;
  std::vector<double> m(classes), sd(classes);
  for (std::size_t i = 0; i < looked_at; ++i) {
    for (std::size_t k = 0; k < classes; ++k) m[k] = scores.values[i * classes + k];
    spread(m, std::span(found).subspan(i * classes, classes), sd);
    for (std::size_t k = 0; k < classes; ++k) {
      const double odds = std::log(found[i * classes + k]) - std::log1p(-found[i * classes + k]);
      const double lower = sigmoid(odds - z * sd[k]);
      const double upper = sigmoid(odds + z * sd[k]);
      const double share = 1 / static_cast<double>(looked_at * classes);
      const double at = p[i * classes + k];
      result.coverage += at >= lower && at <= upper ? share : 0;
      result.width += share * (upper - lower);
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t sets = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  LinkHyper hyper;
  hyper.v = 0.1;
  hyper.shared = 0.05;
  hyper.gamma = 4;  // levels of classes within a factor e or so: where a class has no row, no Gaussian holds
  std::printf("classes  rows  coverage of 90 %%   s.e.  worst set  mean width\n");
  for (const std::size_t classes : {3, 5, 10}) {
    for (const std::size_t n : {200, 1000, 5000}) {
      std::vector<SetResult> results(sets);
      parallel_for(sets, 0, [&](std::size_t s) { results[s] = run_set(classes, n, hyper, s); });
      validation::Mean coverage, width;
      double worst = 1;
      for (const SetResult& r : results) {
        coverage.add(r.coverage);
        width.add(r.width);
        worst = std::min(worst, r.coverage);
      }
      std::printf("%7zu %5zu %18.3f %6.3f %10.3f %11.4f\n", classes, n, coverage.value(), coverage.error(),
                  worst, width.value());
      std::fflush(stdout);
    }
  }
  return 0;
}
