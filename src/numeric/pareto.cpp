#include "numeric/pareto.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "numeric/log_sum.hpp"

namespace linkgistic {

GeneralisedPareto fit_generalised_pareto(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  const int candidates = 30 + static_cast<int>(std::sqrt(n));
  const double quartile = sorted[static_cast<std::size_t>(std::lround(n / 4)) - 1];
  // With b = -shape/scale the profile likelihood has shape(b) = mean log(1 - b x).
  const auto shape = [&](double b) {
    double sum = 0;
    for (const double x : sorted) sum += std::log1p(-b * x);
    return sum / n;
  };
  std::vector<double> b(static_cast<std::size_t>(candidates)), log_profile(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = (1 - std::sqrt(candidates / (static_cast<double>(i) + 0.5))) / (3 * quartile) + 1 / sorted.back();
    const double k = shape(b[i]);
    log_profile[i] = n * (std::log(-b[i] / k) - k - 1);
  }
  // The posterior mean of b over the candidates; those of negligible weight are left out.
  const std::vector<double> weights = softmax(std::move(log_profile));
  double kept = 0;
  double mean = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double weight = weights[i];
    if (weight < 10 * std::numeric_limits<double>::epsilon()) continue;
    kept += weight;
    mean += weight * b[i];
  }
  mean /= kept;
  const double k = shape(mean);
  return {(n * k + 5) / (n + 10), -k / mean};
}

double pareto_shape(std::vector<double> log_ratio) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double l : log_ratio) {
    if (std::isnan(l) || l == infinity) return infinity;
  }
  std::sort(log_ratio.begin(), log_ratio.end());
  const auto n = static_cast<double>(log_ratio.size());
  const auto tail = static_cast<std::size_t>(std::ceil(std::min(n / 5, 3 * std::sqrt(n))));
  if (log_ratio.size() < tail + 1) return infinity;
  const double most = log_ratio.back();
  const double cutoff =
      std::max(log_ratio[log_ratio.size() - tail - 1] - most, std::log(std::numeric_limits<double>::min()));
  std::vector<double> excess;
  for (const double l : log_ratio) {
    if (l - most > cutoff) excess.push_back(std::exp(l - most) - std::exp(cutoff));
  }
  return excess.size() > 4 ? fit_generalised_pareto(excess).shape : infinity;
}

}  // namespace linkgistic
