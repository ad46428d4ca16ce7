#include "baseline/tron_link.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/logistic.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

double logit(double p) {
  const double inside = std::clamp(p, 0.0, 1.0);  // sums of slopes end at 0 and 1 to rounding only
  return std::log(inside) - std::log1p(-inside);
}

}  // namespace

TronLink::TronLink(PiecewiseLinear fitted, Outside outside) : fitted_(std::move(fitted)), outside_(outside) {}

double TronLink::operator()(double z) const {
  if (!fitted_) return sigmoid(steepness * z);
  const bool left = z < fitted_->knots().front();
  if (outside_ == Outside::constant || !(left || z > fitted_->knots().back()))
    return std::clamp((*fitted_)(z), 0.0, 1.0);
  const double knot = left ? fitted_->knots().front() : fitted_->knots().back();
  const double value = left ? fitted_->values().front() : fitted_->values().back();
  return sigmoid(steepness * (z - knot) + logit(value));
}

std::vector<double> TronLink::operator()(std::span<const float> z, int threads) const {
  constexpr std::size_t chunk = 4096;
  std::vector<double> p(z.size());
  parallel_chunks(z.size(), chunk, threads, [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) p[i] = (*this)(static_cast<double>(z[i]));
  });
  return p;
}

double TronLink::log_odds(double z) const { return fitted_ ? logit((*this)(z)) : steepness * z; }

TronLink::Inverse TronLink::inverse(double p) const {
  constexpr double least = 1e-12;
  const auto values = fitted_ ? fitted_->values() : std::span<const double>{};
  if (!fitted_ || p <= values.front() || p >= values.back()) {
    const double inside = std::clamp(p, least, 1 - least);
    const double slope = steepness * inside * (1 - inside);
    if (!fitted_) return {logit(inside) / steepness, slope};
    const bool left = p <= values.front();
    const double value = std::clamp(left ? values.front() : values.back(), least, 1 - least);
    return {(left ? fitted_->knots().front() : fitted_->knots().back()) +
                (logit(inside) - logit(value)) / steepness,
            slope};
  }
  const auto knots = fitted_->knots();
  const auto right =
      static_cast<std::size_t>(std::upper_bound(values.begin(), values.end(), p) - values.begin());
  const double slope = (values[right] - values[right - 1]) / (knots[right] - knots[right - 1]);
  return {knots[right - 1] + (p - values[right - 1]) / slope, slope};
}

}  // namespace linkgistic
