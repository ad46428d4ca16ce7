#include "numeric/chain_diagnostics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "numeric/normal.hpp"
#include "numeric/quantile.hpp"

namespace linkgistic {
namespace {

// (draws/2, 2 chains): the halves of every chain; an odd draw in the middle is left out.
Matrix split(const Matrix& chains) {
  const Index half = chains.rows() / 2;
  Matrix result(half, 2 * chains.cols());
  result << chains.topRows(half), chains.bottomRows(half);
  return result;
}

// Every value replaced by the normal quantile of its rank among all, (rank - 3/8)/(S + 1/4); ties share the
// mean of their ranks.
Matrix rank_normalise(const Matrix& chains) {
  const Index count = chains.size();
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), Index{0});
  const double* value = chains.data();
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return value[a] < value[b]; });
  Matrix result(chains.rows(), chains.cols());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && value[order[last + 1]] == value[order[first]]) ++last;
    const double rank = static_cast<double>(first + last) / 2 + 1;
    const double z = normal_quantile((rank - 0.375) / (static_cast<double>(count) + 0.25));
    for (std::size_t i = first; i <= last; ++i) result.data()[order[i]] = z;
    first = last + 1;
  }
  return result;
}

// The mean over chains of the variance within them, divided by draws - 1; and that of the chains' means.
struct Variances {
  double within = 0, of_means = 0;
};
Variances variances(const Matrix& chains) {
  const Eigen::RowVectorXd mean = chains.colwise().mean();
  Variances v;
  v.within =
      (chains.rowwise() - mean).squaredNorm() / static_cast<double>((chains.rows() - 1) * chains.cols());
  if (chains.cols() > 1)
    v.of_means = (mean.array() - mean.mean()).matrix().squaredNorm() / static_cast<double>(chains.cols() - 1);
  return v;
}

double r_hat(const Matrix& chains) {
  const auto n = static_cast<double>(chains.rows());
  const Variances v = variances(chains);
  return std::sqrt((n * v.of_means / v.within + n - 1) / n);
}

bool constant(const Matrix& m) { return !(m.maxCoeff() - m.minCoeff() > 1e-15); }

double quantile_ess(const Matrix& chains, double level) {
  std::vector<double> all(chains.reshaped().begin(), chains.reshaped().end());
  const double at = order_statistic(all, level * static_cast<double>(all.size() - 1));  // ArviZ's
  return effective_sample_size(split((chains.array() <= at).cast<double>()));
}

}  // namespace

double effective_sample_size(const Matrix& chains) {
  const Index n = chains.rows();
  const auto total = static_cast<double>(chains.size());
  if (constant(chains)) return total;
  const Matrix centred = chains.rowwise() - chains.colwise().mean();
  const Variances v = variances(chains);
  const double plus = v.within * static_cast<double>(n - 1) / static_cast<double>(n) + v.of_means;
  const auto correlation = [&](Index lag) {
    const double covariance =
        centred.topRows(n - lag).cwiseProduct(centred.bottomRows(n - lag)).sum() / total;
    return 1 - (v.within - covariance) / plus;
  };
  std::vector<double> rho{1, correlation(1)};
  double even = 1;
  double odd = rho[1];
  Index t = 1;
  for (; t < n - 3 && even + odd > 0; t += 2) {
    even = correlation(t + 1);
    odd = correlation(t + 2);
    const bool keep = even + odd >= 0;
    rho.push_back(keep ? even : 0);
    rho.push_back(keep ? odd : 0);
  }
  const Index last = t - 2;
  rho.resize(static_cast<std::size_t>(std::max<Index>(last + 2, 2)), 0);
  if (even > 0) rho[static_cast<std::size_t>(last + 1)] = even;
  for (std::size_t i = 1; static_cast<Index>(i) <= last - 2; i += 2) {
    const double before = rho[i - 1] + rho[i];
    if (rho[i + 1] + rho[i + 2] > before) rho[i + 1] = rho[i + 2] = before / 2;
  }
  double tau = -1 + rho[static_cast<std::size_t>(last + 1)];
  for (Index i = 0; i <= last; ++i) tau += 2 * rho[static_cast<std::size_t>(i)];
  return total / std::max(tau, 1 / std::log10(total));
}

ChainDiagnostics diagnose_chains(const Matrix& chains) {
  if (!chains.allFinite()) return {std::numeric_limits<double>::infinity(), 0, 0};
  const Matrix halves = split(chains);
  if (constant(halves)) {
    const auto total = static_cast<double>(chains.size());
    return {1, total, total};
  }
  const Matrix bulk = rank_normalise(halves);
  std::vector<double> all(halves.reshaped().begin(), halves.reshaped().end());
  const double median = quantile(all, 0.5);
  const Matrix folded = rank_normalise((halves.array() - median).abs());
  return {std::max(r_hat(bulk), r_hat(folded)), effective_sample_size(bulk),
          std::min(quantile_ess(chains, 0.05), quantile_ess(chains, 0.95))};
}

}  // namespace linkgistic
