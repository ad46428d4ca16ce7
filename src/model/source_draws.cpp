#include "model/source_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

IntervalLevels::IntervalLevels(double interval) : lower((1 - interval) / 2), upper((1 + interval) / 2) {
  if (!(interval > 0 && interval < 1)) {
    throw UsageError("interval = " + std::to_string(interval) + ": it must be between 0 and 1");
  }
}

double quantile(std::vector<double>& sample, double level) {
  const double position = level * static_cast<double>(sample.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(position);
  const auto at = sample.begin() + below;
  std::nth_element(sample.begin(), at, sample.end());
  const double share = position - static_cast<double>(below);
  if (share == 0) return *at;
  return *at + share * (*std::min_element(at + 1, sample.end()) - *at);
}

SourceDraws::SourceDraws(const SourceModel& source, const Posterior& posterior, Range range, Index count,
                         std::uint64_t seed)
    : source_(source),
      range_(range),
      features_(*source.features, range.lower, range.upper),
      g_(posterior.draw(count, seed)),
      kappa_(source.map->outputs(), count) {
  for (Index s = 0; s < count; ++s) kappa_.col(s) = source.map->value(g_.col(s));
}

namespace {
std::vector<double> to_std(const Vector& v) { return {v.data(), v.data() + v.size()}; }
}  // namespace

std::vector<double> SourceDraws::nu(double t) const { return to_std(kappa_.transpose() * features_.at(t)); }

std::vector<double> SourceDraws::slope(double t) const {
  return to_std(kappa_.transpose() * features_.derivative(t));
}

std::vector<double> SourceDraws::latent(double t) const {
  Vector phi(source_.basis->size());
  source_.basis->evaluate(std::clamp(t, range_.lower, range_.upper), phi);
  return to_std(g_.topRows(phi.size()).transpose() * phi);
}

double noisy_quantile(std::vector<double> nu, double noise, double level) {
  constexpr int nodes = 33;
  std::sort(nu.begin(), nu.end());
  std::vector<double> node(nodes);
  for (int i = 0; i < nodes; ++i) {
    const double position = (i + 0.5) / nodes * static_cast<double>(nu.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const double share = position - static_cast<double>(below);
    node[static_cast<std::size_t>(i)] = nu[below] + share * (nu[std::min(below + 1, nu.size() - 1)] - nu[below]);
  }
  const auto excess = [&](double q) {
    double sum = 0;
    for (const double n : node) sum += std::erfc((n - q) / (noise * std::numbers::sqrt2)) / 2;
    return sum / nodes - level;
  };
  double lower = node.front() - 9 * noise;
  double upper = node.back() + 9 * noise;
  for (int i = 0; i < 60 && upper - lower > 1e-12 * (std::abs(lower) + std::abs(upper) + noise); ++i) {
    const double middle = (lower + upper) / 2;
    (excess(middle) < 0 ? lower : upper) = middle;
  }
  return (lower + upper) / 2;
}

}  // namespace linkgistic
