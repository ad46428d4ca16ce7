// How well the choice between a straight and a bent link does on simulated data, and what it costs.
//
//   study_link_choice [--sets S] [--seed S]
//
// Labels have log odds nu(m), m = 1.5 (z_1 + .. + z_5) / sqrt 5, with the logit, the complementary log-log,
// the cauchit and a bent link. For every set the posterior probability of a straight link, both kinds as
// probable a priori, is computed from the evidences that the fit reports. A rule takes the straight link
// where that probability is above its threshold. Printed: how often each rule takes it, and the mean excess
// of its log loss over that of the true probabilities on fresh rows, in 1e-4.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/log_sum.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace {

using namespace linkgistic;

constexpr double thresholds[] = {0.5, 0.8, 0.9, 0.95, 0.99};
constexpr std::size_t columns = 5;

struct Truth {
  const char* name;
  std::function<double(double)> probability;
};

const std::vector<Truth>& truths() {
  static const std::vector<Truth> all{
      {"logit", [](double m) { return sigmoid(m); }},
      {"cloglog", [](double m) { return -std::expm1(-std::exp(m - 0.37)); }},
      {"cauchit", [](double m) { return 0.5 + std::atan(1.5 * m) / 3.14159265358979323846; }},
      {"bent", [](double m) { return sigmoid(m < 0 ? 2.5 * m : 0.4 * m); }}};
  return all;
}

struct Rows {
  ClassificationData data;
  std::vector<double> p;  // the true probabilities
};

Rows draw(const Truth& truth, std::size_t n, RandomStream& random) {
  Rows rows;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(random.normal());
      sum += values.back();
    }
    const double p =
        std::clamp(truth.probability(1.5 * sum / std::sqrt(static_cast<double>(columns))), 1e-12, 1 - 1e-12);
    rows.p.push_back(p);
    rows.data.labels.push_back(random.uniform() < p ? 1 : 0);
  }
  rows.data.rows = FeatureRows::dense(values, n, columns);
  rows.data.class_names = {"no", "yes"};
  return rows;
}

// Mean of -p log q - (1 - p) log(1 - q), less that of the true p.
double excess(const FittedLinkgisticClassifier& model, const Rows& test) {
  const std::vector<double> t = model.decision_values(test.data.rows);
  double sum = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double p = test.p[i];
    sum += p * softplus(-t[i]) + (1 - p) * softplus(t[i]) + p * std::log(p) + (1 - p) * std::log1p(-p);
  }
  return sum / static_cast<double>(t.size());
}

// The posterior probability of the straight link, and the best bent v.
std::pair<double, double> posterior(const ClassifierSummary& s, double rows) {
  std::vector<double> joint;
  for (const auto& tried : s.v_tried) joint.push_back(-tried.second * rows);
  const auto bent = joint.begin() + 1;
  const auto best = static_cast<std::size_t>(std::max_element(bent, joint.end()) - joint.begin());
  const double all_bent = log_sum(joint.size() - 1, [&](std::size_t i) { return joint[i + 1]; }).value();
  return {sigmoid(joint[0] - all_bent), s.v_tried[best].first};
}

}  // namespace

int main(int argc, char** argv) {
  int sets = 40;
  std::uint64_t seed = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--sets") == 0) sets = std::stoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::stoul(argv[i + 1]);
  }
  std::printf("truth    rows   straight taken: share, excess loss 1e-4 by threshold");
  for (const double t : thresholds) std::printf("  %4.2f        ", t);
  std::printf("  straight  bent\n");
  for (const Truth& truth : truths()) {
    for (const std::size_t n : {150U, 400U, 1000U, 4000U}) {
      std::vector<double> taken(std::size(thresholds)), cost(std::size(thresholds));
      double straight_cost = 0;
      double bent_cost = 0;
      for (int i = 0; i < sets; ++i) {
        RandomStream random(seed, static_cast<std::uint64_t>(i) * 1000 + n);
        const Rows train = draw(truth, n, random);
        const Rows test = draw(truth, 10000, random);
        const auto chosen = LinkgisticClassifier(LinkgisticOptions{}).fit(train.data);
        const auto [p, v] = posterior(chosen.summary(), static_cast<double>(n));
        LinkgisticOptions options;
        options.l2 = chosen.summary().l2;
        options.v = v;
        const double bent = excess(LinkgisticClassifier(options).fit(train.data), test) * 1e4 / sets;
        options.prior = LinkPrior::none;
        options.v.reset();
        const double straight = excess(LinkgisticClassifier(options).fit(train.data), test) * 1e4 / sets;
        straight_cost += straight;
        bent_cost += bent;
        for (std::size_t k = 0; k < std::size(thresholds); ++k) {
          const bool takes = p > thresholds[k];
          taken[k] += takes ? 1.0 / sets : 0;
          cost[k] += takes ? straight : bent;
        }
      }
      std::printf("%-8s %5zu %56s", truth.name, n, "");
      for (std::size_t k = 0; k < taken.size(); ++k) std::printf("  %.2f %6.1f ", taken[k], cost[k]);
      std::printf("  %6.1f  %6.1f\n", straight_cost, bent_cost);
      std::fflush(stdout);
    }
  }
}
