#include "inference/sample_posterior.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "numeric/parallel.hpp"
#include "numeric/quantile.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

// Linear between the order statistics of sorted values.
double sorted_quantile(const Vector& sorted, double level) {
  const double position = quantile_place(static_cast<std::size_t>(sorted.size()), level);
  const auto below = static_cast<Index>(position);
  const double next = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (position - static_cast<double>(below)) * (next - sorted[below]);
}

}  // namespace

PosteriorDraws thinned(const PosteriorDraws& draws, Index most) {
  const Index n = draws.g.cols();
  const Index every = (n + most - 1) / std::max<Index>(most, 1);
  if (every <= 1) return draws;
  std::vector<Index> kept;
  for (Index s = every - 1; s < n; s += every) kept.push_back(s);
  PosteriorDraws result{draws.g(Eigen::all, kept), {}};
  if (draws.theta.size() > 0) result.theta = draws.theta(Eigen::all, kept);
  return result;
}

SamplePosterior::SamplePosterior(PosteriorDraws draws)
    : draws_(std::move(draws)), mean_(draws_.g.rowwise().mean()) {}

Matrix SamplePosterior::draw(Index count, std::uint64_t seed) const {
  const Index n = draws_.g.cols();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  RandomStream random(seed);
  Matrix result(draws_.g.rows(), count);
  for (Index s = 0; s < count; ++s) {
    // Fisher and Yates, begun anew when the set is used up.
    const auto at = static_cast<std::size_t>(s % n);
    std::swap(order[at], order[at + random.below(order.size() - at)]);
    result.col(s) = draws_.g.col(order[at]);
  }
  return result;
}

Matrix SamplePosterior::coefficients(const QuadraticMap& map) const {
  Matrix kappa(map.outputs(), draws_.g.cols());
  for (Index s = 0; s < kappa.cols(); ++s) kappa.col(s) = map.value(draws_.g.col(s));
  return kappa;
}

Vector SamplePosterior::mean_coefficients(const QuadraticMap& map) const {
  return coefficients(map).rowwise().mean();
}

double SamplePosterior::variance(const QuadraticMap& map, const Vector& phi) const {
  const Vector nu = coefficients(map).transpose() * phi;
  return (nu.array() - nu.mean()).square().sum() / static_cast<double>(std::max<Index>(nu.size() - 1, 1));
}

template <class Of>
Matrix SamplePosterior::at_places(const SourceModel& source, const Places& at, std::size_t levels,
                                  int threads, const Of& of) const {
  constexpr std::size_t block = 64;
  const Matrix kappa = coefficients(*source.map);
  Matrix result(static_cast<Index>(at.size()), static_cast<Index>(levels));
  parallel_chunks(at.size(), block, threads, [&](std::size_t, std::size_t first, std::size_t last) {
    Matrix nu = kappa.transpose() * feature_columns(*source.features, at, first, last - first);
    for (std::size_t i = first; i < last && !at.shift.empty(); ++i)
      nu.col(static_cast<Index>(i - first)).array() += at.shift[i];
    for (Index i = 0; i < nu.cols(); ++i) of(Vector(nu.col(i)), result.row(static_cast<Index>(first) + i));
  });
  return result;
}

Matrix SamplePosterior::quantiles(const SourceModel& source, const Places& at, std::span<const double> levels,
                                  int threads) const {
  return at_places(source, at, levels.size(), threads, [&](Vector nu, auto row) {
    std::sort(nu.begin(), nu.end());
    for (Index k = 0; k < row.size(); ++k) row[k] = sorted_quantile(nu, levels[static_cast<std::size_t>(k)]);
  });
}

Matrix SamplePosterior::observation_quantiles(const SourceModel& source, const Places& at,
                                              std::span<const double> levels, const Response& response,
                                              const Vector& eta, int threads) const {
  const Matrix etas = draws_.theta.size() > 0 ? Matrix(draws_.theta.bottomRows(eta.size()))
                                              : Matrix(eta.replicate(1, draws_.g.cols()));
  return at_places(source, at, levels.size(), threads, [&](const Vector& nu, auto row) {
    for (Index k = 0; k < row.size(); ++k)
      row[k] = response.mixture_quantile(levels[static_cast<std::size_t>(k)], nu, etas);
  });
}

Matrix SamplePosterior::linear_quantiles(const Matrix& a, std::span<const double> levels) const {
  Matrix result(a.cols(), static_cast<Index>(levels.size()));
  for (Index i = 0; i < a.cols(); ++i) {
    Vector values = draws_.g.transpose() * a.col(i);
    std::sort(values.begin(), values.end());
    for (Index k = 0; k < result.cols(); ++k) {
      result(i, k) = sorted_quantile(values, levels[static_cast<std::size_t>(k)]);
    }
  }
  return result;
}

}  // namespace linkgistic
