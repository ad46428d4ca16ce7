// Limits of an assay, whose blank is the least x of the data: where a sample can be told from the blank, and
// where its x can be read with a given precision. For one curve a limit is a number; its interval is that of
// posterior draws.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "numeric/quantile.hpp"
#include "regression/fitted.hpp"
#include "regression/mean_curve.hpp"
#include "regression/shape.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int way_points = 513;
constexpr int limit_draws = 400;

// Places by their way d from the blank: t = blank + direction d, 0 <= d <= 2. nu rises along d, or falls.
struct Way {
  double blank, direction;
  explicit Way(const FittedRegressionState& s)
      : blank(s.scaling.x_half > 0 ? -1 : 1), direction(s.scaling.x_half > 0 ? 1 : -1) {}
  [[nodiscard]] double t(double d) const { return std::clamp(blank + direction * d, -1.0, 1.0); }
};

// The least d on a grid at which `holds`, refined by halving; infinite where there is none.
double least_way(const std::function<bool(double)>& holds) {
  for (int i = 0; i < way_points; ++i) {
    double upper = 2.0 * i / (way_points - 1);
    if (!holds(upper)) continue;
    if (i == 0) return 0;
    double lower = 2.0 * (i - 1) / (way_points - 1);
    while (upper - lower > 1e-12) {
      const double middle = (lower + upper) / 2;
      (holds(middle) ? upper : lower) = middle;
    }
    return upper;
  }
  return never;
}

// The limit of each curve as x, from ways.
CurveAnswer limit_of(const FittedRegressionState& s, double interval,
                     const std::function<double(const Vector& kappa)>& way) {
  const auto levels = central_levels(interval);
  const double estimate = way(s.posterior->point_coefficients(*s.source.map));
  const Matrix g = s.posterior->draw(limit_draws, s.options.seed);
  std::vector<double> found;
  for (Index i = 0; i < g.cols(); ++i) found.push_back(way(s.source.map->value(g.col(i))));
  const auto to_x = [&](double d) {
    return std::isfinite(d) ? s.summary.x_lower + std::abs(s.scaling.x_half) * d : std::nan("");
  };
  // An order statistic: ways that are infinite have no differences.
  std::sort(found.begin(), found.end());
  const auto quantile_of = [&](double level) {
    return found[std::min(static_cast<std::size_t>(level * limit_draws), found.size() - 1)];
  };
  return {to_x(estimate), to_x(std::min(quantile_of(levels[0]), estimate)),
          to_x(std::max(quantile_of(levels[1]), estimate))};
}

void check_tells_apart(const FittedRegressionState& s, const char* what) {
  if (!shape_of(s.options).monotone)
    throw UsageError(std::string(what) +
                     ": the curve is not monotone, so readings do not tell samples apart");
}

void check_error_share(const char* name, double value) {
  if (!(value > 0 && value < 1))
    throw UsageError(std::string(name) + " = " + shortest(value) + ": it must be between 0 and 1");
}

}  // namespace

// A reading beyond y_c has at most the probability `error` at the blank; at the limit one that is not has no
// more.
CurveAnswer FittedMonotoneRegression::detection_limit(double error, double interval) const {
  const FittedRegressionState& s = *state_;
  check_tells_apart(s, "detection limit");
  check_error_share("error", error);
  const Way way(s);
  const bool rises = way.direction > 0;
  const double shift = s.response->has_units() ? 0 : s.scaling.y_shift;
  const auto eta = [&](double d) {
    const double t[] = {way.t(d)};
    return s.eta_at(Places(t))(0);
  };
  const Response& response = *s.response;
  return limit_of(s, interval, [&](const Vector& kappa) {
    const auto nu = [&](double d) {
      const double t[] = {way.t(d)};
      return s.source.features->values(t, kappa, 1)[0] + shift;
    };
    const double blank = nu(0);
    // Where nu rises, y <= y_c is no detection; where it falls, y > y_c is none.
    const Vector eta_blank = eta(0);
    double critical = response.quantile(rises ? 1 - error : error, blank, eta_blank);
    if (!rises && response.is_whole() && response.probability_below(critical, blank, eta_blank) > error)
      --critical;
    const auto detects = [&](double d) {
      const double below = response.probability_below(critical, nu(d), eta(d));
      return rises ? below <= error : below >= 1 - error;
    };
    if (!detects(2)) return never;
    return least_way(detects);
  });
}

CurveAnswer FittedMonotoneRegression::quantification_limit(double share, double interval) const {
  const FittedRegressionState& s = *state_;
  check_tells_apart(s, "quantification limit");
  check_error_share("share", share);
  const Way way(s);
  const double shift = s.response->has_units() ? 0 : s.scaling.y_shift;
  const double half = std::abs(s.scaling.x_half);
  const MeanCurve mean(s);
  constexpr double one_deviation = 0.8413447460685429;  // P(z <= 1), z normal
  return limit_of(s, interval, [&](const Vector& kappa) {
    return least_way([&](double d) {
      const double t[] = {way.t(d)};
      const double nu = s.source.features->values(t, kappa, 1)[0] + shift;
      const Vector eta = s.eta_at(Places(t))(0);
      const double central =
          s.response->quantile(one_deviation, nu, eta) - s.response->quantile(1 - one_deviation, nu, eta);
      // Small counts are all 0 or 1.
      const double deviation = std::max(central, s.response->is_whole() ? 1.0 : 0.0) / 2;
      const double slope = std::abs(mean.slope(t[0], kappa).value) / half;
      return deviation <= share * (s.summary.x_lower + half * d) * slope;
    });
  });
}

}  // namespace linkgistic
