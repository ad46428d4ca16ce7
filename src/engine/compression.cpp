#include "engine/compression.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// sum w d^i, i = 0..3, d in [-1, 1] the place in the cell.
using Moments = std::array<double, 4>;

struct Chunks {
  std::size_t rows, count;
  explicit Chunks(std::size_t n) : rows(n), count(std::clamp<std::size_t>(n / 16384, 1, 64)) {}
  [[nodiscard]] std::size_t first(std::size_t i) const { return i * rows / count; }
};

// Below this variance, in units of the cell's half width, third moments are rounding; one point is then as
// good.
constexpr double least_variance = 1e-8;

// The Gauss rule with the given moments: nodes mean + sd u, u = g/2 -+ s, s = sqrt(1 + g^2/4), g the
// skewness, and weights (s +- g/2)/(2 s).
template <class Put>
void gauss_rule(const Moments& m, const Put& put) {
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

ScoreRange score_range(std::span<const float> score, std::span<const float> weight, int threads) {
  const Chunks chunks(score.size());
  std::vector<ScoreRange> parts(chunks.count);
  parallel_for(chunks.count, threads, [&](std::size_t c) {
    for (std::size_t n = chunks.first(c); n < chunks.first(c + 1); ++n) {
      if (!weight.empty() && !(weight[n] > 0)) continue;
      const auto x = static_cast<double>(score[n]);
      if (!std::isfinite(x)) throw InputError("the score of row " + std::to_string(n + 1) + " is not finite");
      if (parts[c].lower > parts[c].upper) parts[c] = {x, x};
      parts[c].lower = std::min(parts[c].lower, x);
      parts[c].upper = std::max(parts[c].upper, x);
    }
  });
  ScoreRange range;
  for (const ScoreRange& p : parts) {
    if (p.lower > p.upper) continue;
    const bool first = range.lower > range.upper;
    range = first ? p : ScoreRange{std::min(range.lower, p.lower), std::max(range.upper, p.upper)};
  }
  return range;
}

WeightedRows compress_rows(std::span<const float> score, std::span<const std::int32_t> labels,
                           std::int32_t positive, std::span<const float> weight, const ScoreRange& range,
                           std::size_t cells, int threads) {
  const Chunks chunks(score.size());
  const double width =
      range.upper > range.lower ? (range.upper - range.lower) / static_cast<double>(cells) : 1;
  const auto last_cell = static_cast<double>(cells - 1);
  std::vector<Moments> sums(chunks.count * 2 * cells);
  parallel_for(chunks.count, threads, [&](std::size_t c) {
    Moments* part = sums.data() + c * 2 * cells;
    for (std::size_t n = chunks.first(c); n < chunks.first(c + 1); ++n) {
      const double w = weight.empty() ? 1.0 : static_cast<double>(weight[n]);
      if (!(w > 0)) continue;
      const double u = (static_cast<double>(score[n]) - range.lower) / width;
      const double cell = std::clamp(std::floor(u), 0.0, last_cell);
      const double d = 2 * (u - cell) - 1;
      const std::size_t label = labels[n] == positive ? 1 : 0;
      Moments& m = part[2 * static_cast<std::size_t>(cell) + label];
      m[0] += w;
      m[1] += w * d;
      m[2] += w * d * d;
      m[3] += w * d * d * d;
    }
  });
  WeightedRows result;
  for (std::size_t i = 0; i < 2 * cells; ++i) {
    Moments total{};
    for (std::size_t c = 0; c < chunks.count; ++c) {
      for (std::size_t k = 0; k < total.size(); ++k) total[k] += sums[c * 2 * cells + i][k];
    }
    const double centre = range.lower + (static_cast<double>(i / 2) + 0.5) * width;
    gauss_rule(total, [&](double d, double w) {
      result.x.push_back(centre + d * width / 2);
      result.y.push_back(static_cast<double>(i % 2));
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
    Moments sums[2] = {};
    for (; i < x.size() && cell_of(x[i]) == cell; ++i) {
      const double d = 2 * (x[i] - centre) / width;
      for (const std::size_t label : {0, 1}) {
        const double w = label == 0 ? negative[i] : positive[i];
        Moments& m = sums[label];
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
