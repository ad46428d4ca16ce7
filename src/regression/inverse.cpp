// x at which a fitted curve reaches a level. For a monotone curve the crossing lies at or before x where the
// curve at x is at or above the level, so quantiles of the crossing are where quantiles of the curve cross:
// bands are inverted.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "numeric/normal.hpp"
#include "numeric/quantile.hpp"
#include "regression/fitted.hpp"
#include "regression/mean_curve.hpp"
#include "regression/shape.hpp"
#include "text/names.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

constexpr int grid_points = 513;
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

// (points): a function of t, increasing up to its error, at many t.
using Line = std::function<Vector(const std::vector<double>&)>;

// The first t in [-1, 1] at which the line is at or above 0, or the last at which it is at or below 0; beyond
// an end of the range an infinity. A grid finds the cell, halving the place in it.
double crossing(const Line& line, bool first) {
  std::vector<double> t(grid_points);
  for (int i = 0; i < grid_points; ++i) t[static_cast<std::size_t>(i)] = 2.0 * i / (grid_points - 1) - 1;
  const Vector h = line(t);
  Index cell = 0;  // the crossing lies between the points cell - 1 and cell
  if (first) {
    while (cell < h.size() && h[cell] < 0) ++cell;
  } else {
    cell = h.size();
    while (cell > 0 && h[cell - 1] > 0) --cell;
  }
  if (cell == 0) return -std::numeric_limits<double>::infinity();
  if (cell == h.size()) return std::numeric_limits<double>::infinity();
  double lower = t[static_cast<std::size_t>(cell) - 1], upper = t[static_cast<std::size_t>(cell)];
  while (upper - lower > 1e-12) {
    const double middle = (lower + upper) / 2;
    (line({middle})[0] < 0 ? lower : upper) = middle;
  }
  return (lower + upper) / 2;
}

// The estimate and the ends of an interval, places in t, as x. The estimate is never outside.
CurveAnswer in_x(const Scaling& scaling, double estimate, double lower, double upper, bool clamped) {
  if (std::isfinite(estimate)) {
    lower = std::min(lower, estimate);
    upper = std::max(upper, estimate);
  }
  const auto to_x = [&](double t) {
    if (clamped) t = std::clamp(t, -1.0, 1.0);
    return std::isfinite(t) ? scaling.x_middle + scaling.x_half * t : nowhere;
  };
  CurveAnswer answer{to_x(estimate), to_x(lower), to_x(upper)};
  if (scaling.x_half < 0) std::swap(answer.lower, answer.upper);
  return answer;
}

void check_monotone(const FittedRegressionState& s) {
  if (shape_of(s.options).monotone) return;
  const bool gp = s.options.prior == PriorKind::gp;
  throw UsageError((gp ? "prior = gp" : "shape = " + name_of(shape_names(), s.options.shape)) +
                   ": its curve is not monotone, so it may reach a level at many x or none");
}

}  // namespace

CurveAnswer FittedMonotoneRegression::inverse(double level, double interval) const {
  const FittedRegressionState& s = *state_;
  check_monotone(s);
  const auto levels = central_levels(interval);
  const double goal = fit_value_of_mean(s, level);
  const auto line = [&](double at_level) -> Line {
    return [&s, goal, at_level](const std::vector<double>& t) {
      const double one[] = {at_level};
      return Vector(s.posterior->quantiles(s.source, Places(t), one, s.options.threads).col(0).array() -
                    goal);
    };
  };
  const Vector kappa = s.posterior->point_coefficients(*s.source.map);
  const Line estimate = [&](const std::vector<double>& t) {
    return Vector(s.source.features->values(t, kappa, s.options.threads).array() - goal);
  };
  // The curve is monotone, its bands are pointwise and need not be. Where the lower band is at the level, the
  // curve is above it from there on: the first such place ends the interval. Likewise the last place where
  // the upper band is below it begins the interval.
  return in_x(s.scaling, crossing(estimate, true), crossing(line(levels[1]), false),
              crossing(line(levels[0]), true), false);
}

// h(t) = m(t) - (1 - p) m(-1) - p m(1), m the mean. It is 0 at the crossing, and linear in the coefficients
// but for m.
CurveAnswer FittedMonotoneRegression::inverse_share(double share, double interval) const {
  const FittedRegressionState& s = *state_;
  check_monotone(s);
  if (!(share > 0 && share < 1))
    throw UsageError("share = " + shortest(share) + ": it must be between 0 and 1");
  const auto levels = central_levels(interval);
  const double p = s.scaling.x_half > 0 ? share : 1 - share;
  const MeanCurve mean(s);
  const auto line = [&](const Vector& kappa) -> Line {
    return [&mean, kappa, p](const std::vector<double>& t) {
      const Vector ends = mean.values(std::vector<double>{-1, 1}, kappa);
      return Vector(mean.values(t, kappa).array() - ((1 - p) * ends[0] + p * ends[1]));
    };
  };
  const Vector kappa = s.posterior->point_coefficients(*s.source.map);
  const double estimate = crossing(line(kappa), true);
  if (const auto* samples = dynamic_cast<const SamplePosterior*>(s.posterior.get())) {
    std::vector<double> found;
    for (Index i = 0; i < samples->draws().g.cols(); ++i)
      found.push_back(
          std::clamp(crossing(line(s.source.map->value(samples->draws().g.col(i))), true), -1.0, 1.0));
    return in_x(s.scaling, estimate, quantile(found, levels[0]), quantile(found, levels[1]), true);
  }
  // The band of h, linear in the coefficients at the estimate: Var h = Var(kappa . d). Its middle is free of
  // the prior's pull: at the ends of the data, which h hangs on everywhere, the pull on a steep curve is as
  // great as the posterior's deviation and has one sign. What one step back leaves of the pull is taken to be
  // as uncertain as the step.
  const Vector pull = prior_pull(s);
  const Matrix left = mean.gradients({-1}, kappa), right = mean.gradients({1}, kappa);
  const Line plain = line(kappa);
  const BandVariance variance(s);
  const auto band = [&](double z) -> Line {
    return [&, z](const std::vector<double>& t) {
      Vector h = plain(t);
      const Matrix d = mean.gradients(t, kappa);
      for (Index i = 0; i < h.size(); ++i) {
        const Vector gradient = d.col(i) - (1 - p) * left.col(0) - p * right.col(0);
        const double pulled = gradient.dot(pull);
        h[i] += z * std::sqrt(variance(gradient) + pulled * pulled) - pulled;
      }
      return h;
    };
  };
  const double z = normal_quantile(levels[1]);
  return in_x(s.scaling, estimate, crossing(band(z), true), crossing(band(-z), false), true);
}

}  // namespace linkgistic
