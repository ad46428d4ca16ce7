#include "calibration/score_warp.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/interpolate.hpp"
#include "numeric/normal.hpp"

namespace linkgistic {
namespace {

// Weights of the rows below and above each distinct score.
struct Ranks {
  std::vector<double> below, above;
  explicit Ranks(const ScoreCounts& c) : below(c.size()), above(c.size()) {
    double sum = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      below[i] = sum;
      sum += c.weight(i);
    }
    sum = 0;
    for (std::size_t i = c.size(); i-- > 0;) {
      above[i] = sum;
      sum += c.weight(i);
    }
  }

  // Normal quantile of the mid-rank, from the nearer tail: without cancellation, and odd under mirroring.
  [[nodiscard]] double z(const ScoreCounts& c, std::size_t i) const {
    const double half = c.weight(i) / 2;
    const double low = below[i] + half, high = above[i] + half;
    const double p = std::max(std::min(low, high) / (low + high), std::numeric_limits<double>::min());
    return low < high ? normal_quantile(p) : low > high ? -normal_quantile(p) : 0.0;
  }
};

void set_knots(const ScoreCounts& c, std::size_t most_knots, ScoreWarp& warp) {
  const Ranks ranks(c);
  if (c.size() <= most_knots) {
    warp.knot = c.value;
    for (std::size_t i = 0; i < c.size(); ++i) warp.z.push_back(ranks.z(c, i));
    return;
  }
  const double first = ranks.z(c, 0), last = ranks.z(c, c.size() - 1);
  const double intervals = static_cast<double>(most_knots - 1);
  for (std::size_t k = 0; k < most_knots; ++k) {
    const double share = static_cast<double>(k);
    const double z = ((intervals - share) * first + share * last) / intervals;
    double s = k == 0 ? c.value.front() : c.value.back();
    if (k > 0 && k + 1 < most_knots) {
      // The score between the neighbours whose z enclose this one.
      const double tail = std::min(normal_cdf(z), normal_cdf(-z)) * c.total;
      std::size_t low = 0, high = c.size() - 1;
      while (high - low > 1) {
        const std::size_t i = (low + high) / 2;
        const double half = c.weight(i) / 2;
        const bool left = z < 0 ? ranks.below[i] + half <= tail : ranks.above[i] + half >= tail;
        (left ? low : high) = i;
      }
      const double z0 = ranks.z(c, low), z1 = ranks.z(c, high);
      const double t = z1 > z0 ? std::clamp((z - z0) / (z1 - z0), 0.0, 1.0) : 0.5;
      s = (1 - t) * c.value[low] + t * c.value[high];
    }
    if (!warp.knot.empty() && !(s > warp.knot.back())) continue;
    warp.knot.push_back(s);
    warp.z.push_back(z);
  }
}

double weighted_median(const ScoreCounts& c) {
  const auto from = [&](bool up) {
    double sum = 0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::size_t i = up ? k : c.size() - 1 - k;
      sum += c.weight(i);
      if (sum >= c.total / 2) return c.value[i];
    }
    return up ? c.value.back() : c.value.front();
  };
  return from(true) / 2 + from(false) / 2;
}

// The least a with at least `share` of the weight within a of the centre.
double distance_quantile(const ScoreCounts& c, double centre, double share) {
  auto right =
      static_cast<std::size_t>(std::lower_bound(c.value.begin(), c.value.end(), centre) - c.value.begin());
  std::size_t left = right;  // one beyond the next on the left
  double sum = 0, distance = 0;
  while (left > 0 || right < c.size()) {
    const bool go_left =
        left > 0 && (right == c.size() || centre - c.value[left - 1] <= c.value[right] - centre);
    const std::size_t i = go_left ? --left : right++;
    distance = std::abs(c.value[i] - centre);
    sum += c.weight(i);
    if (sum >= share * c.total) break;
  }
  return distance;
}

struct MeanAndDeviation {
  double mean = 0, sd = 1;
};

MeanAndDeviation moments(const ScoreCounts& c, std::span<const double> x) {
  if (x.size() == 1) return {x[0], 1};
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean += c.weight(i) / c.total * x[i];
  for (std::size_t i = 0; i < x.size(); ++i) square += c.weight(i) / c.total * (x[i] - mean) * (x[i] - mean);
  const double sd = std::sqrt(square);
  return {mean, sd > 0 ? sd : 1};
}

double asinh_of(const ScoreWarp& warp, double s) {
  constexpr double bound = std::numeric_limits<double>::max();
  return std::asinh(std::clamp((s - warp.centre) / warp.width, -bound, bound));
}

double rank_part(const ScoreWarp& w, double s) {
  if (w.knot.size() == 1) return w.z[0];
  return std::clamp(cubic_through(w.knot, w.z, w.slope, s), w.z.front() - 1, w.z.back() + 1);
}

}  // namespace

double ScoreWarp::at(double s) const {
  const double g = (rank_part(*this, s) + (asinh_of(*this, s) - h_mean) / h_sd) / 2;
  return (g - g_mean) / g_sd;
}

WarpedScores make_warp(const ScoreCounts& c, const CalibrationPrior& prior) {
  WarpedScores result;
  ScoreWarp& warp = result.warp;
  set_knots(c, static_cast<std::size_t>(prior.warp_knots), warp);
  warp.slope = monotone_slopes(warp.knot, warp.z);
  warp.centre = warp.has_zero() ? 0 : weighted_median(c);
  const double spread = c.size() > 1 ? moments(c, c.value).sd : 0;
  warp.width =
      std::max(distance_quantile(c, warp.centre, prior.asinh_width_share), prior.asinh_least_width * spread);
  if (!(warp.width > 0)) warp.width = 1;

  std::vector<double>& q = result.q;
  q.resize(c.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = asinh_of(warp, c.value[i]);
  const MeanAndDeviation h = moments(c, q);
  warp.h_mean = h.mean;
  warp.h_sd = h.sd;
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] = (rank_part(warp, c.value[i]) + (q[i] - h.mean) / h.sd) / 2;
  const MeanAndDeviation g = moments(c, q);
  warp.g_mean = g.mean;
  warp.g_sd = g.sd;
  for (double& value : q) value = (value - g.mean) / g.sd;
  return result;
}

}  // namespace linkgistic
