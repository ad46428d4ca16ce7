#include "response/response.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/decompositions.hpp"

namespace linkgistic {
namespace {

// Nodes and weights of E h(z), z ~ N(0, 1), exact for polynomials of degree 2 n - 1: eigenvalues of the
// recurrence of the Hermite polynomials, and squares of the eigenvectors' first entries (G. Golub and J.
// Welsch, Calculation of Gauss quadrature rules, Mathematics of Computation 23, 1969).
struct NormalNodes {
  Vector z, weight;
};

NormalNodes make_normal_nodes(Index n) {
  Matrix recurrence = Matrix::Zero(n, n);
  for (Index k = 1; k < n; ++k)
    recurrence(k, k - 1) = recurrence(k - 1, k) = std::sqrt(static_cast<double>(k));
  const SymmetricEigen eigen(recurrence);
  return {eigen.eigenvalues(), eigen.eigenvectors().row(0).array().square()};
}

const NormalNodes& normal_nodes() {
  static const NormalNodes nodes = make_normal_nodes(32);
  return nodes;
}

// The least y in [lower, upper] with below(y) >= level, which holds at upper: halving, over whole numbers or
// down to rounding. An infinite upper end is that of a law whose rate no double holds.
template <class Below>
double least(double level, double lower, double upper, bool whole, const Below& below) {
  if (below(lower) >= level) return lower;
  const double most = std::numeric_limits<double>::max();
  lower = std::clamp(lower, -most / 2, most / 2);
  upper = std::clamp(upper, -most / 2, most / 2);
  while (upper - lower > std::max(whole ? 1.0 : 0.0, 1e-12 * (std::abs(lower) + std::abs(upper)))) {
    const double middle = whole ? std::floor((lower + upper) / 2) : (lower + upper) / 2;
    (below(middle) >= level ? upper : lower) = middle;
  }
  return upper;
}

}  // namespace

double Response::centre(double sum, double weight) const { return std::log(std::max(sum, 0.5) / weight); }

Vector Response::normal_quantiles(double level, const Vector& mean, const Vector& variance,
                                  const Vector& eta) const {
  const NormalNodes& nodes = normal_nodes();
  Vector result(mean.size());
  for (Index i = 0; i < mean.size(); ++i) {
    const Vector nu = mean[i] + std::sqrt(variance[i]) * nodes.z.array();
    if (!nu.allFinite()) {
      result[i] = std::nan("");
      continue;
    }
    const auto below = [&](double y) {
      double sum = 0;
      for (Index k = 0; k < nu.size(); ++k) sum += nodes.weight[k] * probability_below(y, nu[k], eta);
      return sum;
    };
    // Quantiles increase with nu, and all nodes agree beyond the outermost of theirs.
    result[i] =
        least(level, quantile(level, nu[0], eta), quantile(level, nu[nu.size() - 1], eta), is_whole(), below);
  }
  return result;
}

double Response::mixture_quantile(double level, const Vector& nu, const Matrix& eta) const {
  if (!nu.allFinite()) return std::nan("");
  const auto each = [&](const auto& value) {
    Vector values(nu.size());
    for (Index s = 0; s < nu.size(); ++s) values[s] = value(nu[s], Vector(eta.col(s)));
    return values;
  };
  const Vector ends = each([&](double at, const Vector& e) { return quantile(level, at, e); });
  const auto below = [&](double y) {
    return each([&](double at, const Vector& e) { return probability_below(y, at, e); }).mean();
  };
  return least(level, ends.minCoeff(), ends.maxCoeff(), is_whole(), below);
}

}  // namespace linkgistic
