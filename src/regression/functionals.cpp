// Numbers that follow from a fitted curve: slopes, differences, ratios, areas, the steepest place, and x of
// an unknown sample from its readings. A Gaussian posterior gives a number that is smooth in the coefficients
// by their linear part; draws give it one by one.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <linkgistic/error.hpp>

#include "inference/sample_posterior.hpp"
#include "numeric/normal.hpp"
#include "numeric/quantile.hpp"
#include "regression/fitted.hpp"
#include "regression/mean_curve.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

// A number and its gradient in kappa.
struct Value {
  double value;
  Vector gradient;
};
using Of = std::function<Value(const Vector& kappa)>;

// The central interval of a number; `to_user` is monotone.
CurveAnswer answer_of(const FittedRegressionState& s, const Of& of, double interval,
                      const std::function<double(double)>& to_user) {
  const auto levels = central_levels(interval);
  const Value point = of(s.posterior->point_coefficients(*s.source.map));
  double ends[2];
  if (const auto* samples = dynamic_cast<const SamplePosterior*>(s.posterior.get())) {
    std::vector<double> values;
    for (Index i = 0; i < samples->draws().g.cols(); ++i)
      values.push_back(of(s.source.map->value(samples->draws().g.col(i))).value);
    for (const int k : {0, 1}) ends[k] = quantile(values, levels[static_cast<std::size_t>(k)]);
  } else {
    const double sd = std::sqrt(BandVariance(s)(point.gradient));
    for (const int k : {0, 1})
      ends[k] = point.value + normal_quantile(levels[static_cast<std::size_t>(k)]) * sd;
  }
  CurveAnswer answer{to_user(point.value), to_user(std::min(ends[0], point.value)),
                     to_user(std::max(ends[1], point.value))};
  if (answer.lower > answer.upper) std::swap(answer.lower, answer.upper);
  return answer;
}

double place_within(const FittedRegressionState& s, double x) {
  if (!(x >= s.summary.x_lower && x <= s.summary.x_upper)) {
    throw UsageError("x = " + shortest(x) + ": it must lie within the data, from " +
                     shortest(s.summary.x_lower) + " to " + shortest(s.summary.x_upper));
  }
  return std::clamp(s.scaling.to_t(x), -1.0, 1.0);
}

// int m dt over [a, b] by Simpson's rule; the curve has at most 64 waves to the range.
Value integral(const MeanCurve& mean, double a, double b, const Vector& kappa) {
  constexpr int n = 512;
  std::vector<double> t(n + 1);
  Vector w(n + 1);
  for (int i = 0; i <= n; ++i) {
    t[static_cast<std::size_t>(i)] = a + (b - a) * i / n;
    w[i] = (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * (b - a) / n / 3;
  }
  return {w.dot(mean.values(t, kappa)), mean.gradients(t, kappa) * w};
}

}  // namespace

CurveAnswer FittedMonotoneRegression::functional(Functional which, std::span<const double> x,
                                                 double interval) const {
  const FittedRegressionState& s = *state_;
  const std::size_t needed = which == Functional::slope ? 1 : 2;
  if (x.size() != needed) throw UsageError("x: there must be " + std::to_string(needed) + " of them");
  const MeanCurve mean(s);
  const double a = place_within(s, x[0]), b = place_within(s, x.back());
  const bool units = s.response->has_units();
  const double scale = units ? s.scaling.y_scale : 1, half = s.scaling.x_half;
  switch (which) {
    case Functional::slope:
      return answer_of(
          s,
          [&](const Vector& kappa) {
            const MeanCurve::Slope slope = mean.slope(a, kappa);
            return Value{slope.value, slope.gradient};
          },
          interval, [&](double v) { return v * scale / half; });
    case Functional::difference:
      return answer_of(
          s,
          [&](const Vector& kappa) {
            const Vector m = mean.values({a, b}, kappa);
            const Matrix d = mean.gradients({a, b}, kappa);
            return Value{m[1] - m[0], d.col(1) - d.col(0)};
          },
          interval, [&](double v) { return v * scale; });
    case Functional::ratio: {
      const auto means = estimate(x);
      if (!(means[0] > 0 && means[1] > 0)) throw UsageError("ratio: the means must be positive");
      return answer_of(
          s,
          [&](const Vector& kappa) {
            const Vector m = mean.values({a, b}, kappa);
            const Matrix d = mean.gradients({a, b}, kappa);
            // In the units of y; the logarithm is nearer to a normal law than the ratio.
            const double first = units ? s.scaling.to_y(m[0]) : m[0],
                         second = units ? s.scaling.to_y(m[1]) : m[1];
            return Value{std::log(std::max(second, 1e-300) / std::max(first, 1e-300)),
                         scale * (d.col(1) / second - d.col(0) / first)};
          },
          interval, [](double v) { return std::exp(v); });
    }
    case Functional::area:
      break;
  }
  const double shift = units ? s.scaling.y_shift * (x[1] - x[0]) : 0;
  return answer_of(
      s, [&](const Vector& kappa) { return integral(mean, a, b, kappa); }, interval,
      [&](double v) { return v * scale * half + shift; });
}

CurveAnswer FittedMonotoneRegression::steepest(double interval, int count, std::uint64_t seed) const {
  const FittedRegressionState& s = *state_;
  const auto levels = central_levels(interval);
  const MeanCurve mean(s);
  constexpr int places = 513;
  std::vector<double> t(places);
  for (int i = 0; i < places; ++i) t[static_cast<std::size_t>(i)] = 2.0 * i / (places - 1) - 1;
  // Where the mean rises most from a cell to the next but one.
  const auto place = [&](const Vector& kappa) {
    const Vector m = mean.values(t, kappa);
    Index best = 1;
    for (Index i = 1; i + 1 < m.size(); ++i)
      if (std::abs(m[i + 1] - m[i - 1]) > std::abs(m[best + 1] - m[best - 1])) best = i;
    return t[static_cast<std::size_t>(best)];
  };
  const Matrix g = s.posterior->draw(count, seed);
  std::vector<double> found;
  for (Index i = 0; i < g.cols(); ++i) found.push_back(place(s.source.map->value(g.col(i))));
  const double estimate = place(s.posterior->point_coefficients(*s.source.map));
  const auto to_x = [&](double at) { return s.scaling.x_middle + s.scaling.x_half * at; };
  CurveAnswer answer{to_x(estimate), to_x(std::min(quantile(found, levels[0]), estimate)),
                     to_x(std::max(quantile(found, levels[1]), estimate))};
  if (answer.lower > answer.upper) std::swap(answer.lower, answer.upper);
  return answer;
}

CurveAnswer FittedMonotoneRegression::unknown(std::span<const double> readings, double interval) const {
  const FittedRegressionState& s = *state_;
  const auto levels = central_levels(interval);
  if (readings.empty()) throw UsageError("readings: there must be at least one");
  std::vector<double> y;
  for (const double reading : readings) {
    if (!s.response->is_valid(reading))
      throw UsageError("reading = " + shortest(reading) + ": it must be " + std::string(s.response->rule()));
    y.push_back(s.response->has_units() ? (reading - s.scaling.y_shift) / s.scaling.y_scale : reading);
  }
  constexpr int places = 1025;
  std::vector<double> x(places);
  for (int i = 0; i < places; ++i)
    x[static_cast<std::size_t>(i)] =
        s.summary.x_lower + (s.summary.x_upper - s.summary.x_lower) * i / (places - 1);
  const linkgistic::Places at = linkgistic::places(s, x);
  const auto eta_at = s.eta_at(at);
  // Curves at the places, all as likely: quantiles of the pointwise law stand for draws.
  constexpr int curves = 64;
  std::vector<double> curve_levels;
  for (int k = 0; k < curves; ++k) curve_levels.push_back((k + 0.5) / curves);
  const Matrix nu = s.posterior->quantiles(s.source, at, curve_levels, s.options.threads);
  Vector log_density(places);
  for (Index i = 0; i < places; ++i) {
    Vector each = Vector::Zero(curves);
    const Vector eta = eta_at(static_cast<std::size_t>(i));
    for (Index k = 0; k < curves; ++k)
      for (const double value : y) each[k] += s.response->at(value, nu(i, k), eta).value;
    const double top = each.maxCoeff();
    log_density[i] = top + std::log((each.array() - top).exp().mean());
  }
  Vector share = (log_density.array() - log_density.maxCoeff()).exp();
  share /= share.sum();
  // The distribution function between the places, straight.
  const auto quantile_at = [&](double level) {
    double below = 0;
    for (Index i = 0; i < places; ++i) {
      if (below + share[i] >= level) {
        const double within = (level - below) / share[i] - 0.5;
        const double step = x[1] - x[0];
        return std::clamp(x[static_cast<std::size_t>(i)] + within * step, x.front(), x.back());
      }
      below += share[i];
    }
    return x.back();
  };
  CurveAnswer answer{quantile_at(0.5), quantile_at(levels[0]), quantile_at(levels[1])};
  // Where the density is still a tenth of its top at an end of the data, the sample may lie beyond it.
  const double top = share.maxCoeff();
  if (share[0] > top / 10) answer.lower = std::nan("");
  if (share[places - 1] > top / 10) answer.upper = std::nan("");
  return answer;
}

}  // namespace linkgistic
