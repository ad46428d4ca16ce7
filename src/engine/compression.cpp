#include "engine/compression.hpp"

#include <algorithm>
#include <cmath>

namespace linkgistic {
namespace {

// Below this variance, in units of the cell's half width, third moments are rounding; one point is then as
// good.
constexpr double least_variance = 1e-8;

// The Gauss rule with the given moments: nodes mean + sd u, u = g/2 -+ s, s = sqrt(1 + g^2/4), g the
// skewness, and weights (s +- g/2)/(2 s).
template <class Put>
void gauss_rule(const CellMoments& m, const Put& put) {
  if (!(m[0] > 0)) return;
  const double mean = m[1] / m[0];
  const double second = m[2] / m[0];
  const double variance = second - mean * mean;
  if (!(variance > least_variance)) {
    put(mean, m[0]);
    return;
  }
  const double sd = std::sqrt(variance);
  const double third = m[3] / m[0] - 3 * mean * second + 2 * mean * mean * mean;
  const double half_skew = third / (2 * variance * sd);
  const double s = std::sqrt(1 + half_skew * half_skew);
  put(std::max(-1.0, mean + sd * (half_skew - s)), m[0] * (s + half_skew) / (2 * s));
  put(std::min(1.0, mean + sd * (half_skew + s)), m[0] * (s - half_skew) / (2 * s));
}

}  // namespace

WeightedRows CellGrid::rows(std::span<const CellMoments> moments) const {
  WeightedRows result;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const std::size_t cell = i / kinds_;
    const double centre = lower_ + (static_cast<double>(cell) + 0.5) * width_;
    gauss_rule(moments[i], [&](double d, double w) {
      result.x.push_back(centre + d * width_ / 2);
      result.y.push_back(static_cast<double>(i % kinds_));
      result.weight.push_back(w);
    });
  }
  return result;
}

WeightedRows compress_counts(std::span<const double> x, std::span<const double> negative,
                             std::span<const double> positive, std::size_t cells) {
  WeightedRows result;
  const auto put = [&](double at, double label, double w) {
    if (!(w > 0)) return;
    result.x.push_back(at);
    result.y.push_back(label);
    result.weight.push_back(w);
  };
  if (x.size() <= 2 * cells) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      put(x[i], 0, negative[i]);
      put(x[i], 1, positive[i]);
    }
    return result;
  }
  const double width = (x.back() - x.front()) / static_cast<double>(cells);
  const auto cell_of = [&](double at) {
    return std::min(std::floor((at - x.front()) / width), static_cast<double>(cells - 1));
  };
  for (std::size_t i = 0; i < x.size();) {
    const double cell = cell_of(x[i]);
    const double centre = x.front() + (cell + 0.5) * width;
    CellMoments sums[2] = {};
    for (; i < x.size() && cell_of(x[i]) == cell; ++i) {
      const double d = 2 * (x[i] - centre) / width;
      for (const std::size_t label : {0, 1}) {
        const double w = label == 0 ? negative[i] : positive[i];
        CellMoments& m = sums[label];
        m[0] += w;
        m[1] += w * d;
        m[2] += w * d * d;
        m[3] += w * d * d * d;
      }
    }
    for (const std::size_t label : {0, 1}) {
      gauss_rule(sums[label],
                 [&](double d, double w) { put(centre + d * width / 2, static_cast<double>(label), w); });
    }
  }
  return result;
}

}  // namespace linkgistic
