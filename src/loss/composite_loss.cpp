#include "loss/composite_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkgistic {
namespace {

// A slope of nu below this share of its bound is rounding of 0.
constexpr double flat = 1e-12;

// The greatest value of a function that has one hill on [left, right].
template <class F>
double top_of_hill(double left, double right, F&& f) {
  constexpr double golden = 0.6180339887498949;
  double a = right - golden * (right - left), b = left + golden * (right - left);
  double at_a = f(a), at_b = f(b);
  for (int i = 0; i < 60; ++i) {
    if (at_a > at_b) {
      right = b, b = a, at_b = at_a;
      at_a = f(a = right - golden * (right - left));
    } else {
      left = a, a = b, at_a = at_b;
      at_b = f(b = left + golden * (right - left));
    }
  }
  return std::max(at_a, at_b);
}

}  // namespace

CompositeLoss::CompositeLoss(std::shared_ptr<const ProperLoss> base, std::shared_ptr<const Source> source)
    : base_(std::move(base)), source_(std::move(source)) {}

CompositeLoss::Values CompositeLoss::at(int y, double x) const {
  const Source::Values nu = source_->at(x);
  const Probability p = base_->inverse_link(nu.value);
  const double residual = y == 1 ? -p.zero() : p.one();
  const double weight = base_->weight(p);
  // Where the link is bounded and nu outside of its range the loss is linear in nu.
  const bool inside = nu.value > base_->link_lower() && nu.value < base_->link_upper();
  const double curvature = inside ? nu.first * nu.first / weight : 0.0;
  return {base_->canonical(y, nu.value), residual * nu.first, curvature + residual * nu.second};
}

Probability CompositeLoss::inverse_link(double x) const { return base_->inverse_link(source_->at(x).value); }

double CompositeLoss::link(Probability u) const { return invert_source(*source_, base_->link(u)); }

double CompositeLoss::link_slope(Probability u) const {
  return base_->weight(u) / source_->at(link(u)).first;
}

double CompositeLoss::lipschitz_on(double from, double to, int points) const {
  double largest = 0;
  for (int i = 0; i < points; ++i) {
    const double x = from + (to - from) * i / std::max(points - 1, 1);
    for (const int y : {0, 1}) largest = std::max(largest, std::abs(at(y, x).gradient));
  }
  return largest;
}

double CompositeLoss::margin_lipschitz_on(double from, double to, int points) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double least = std::isfinite(source_->slope_bound()) ? flat * source_->slope_bound() : 0;
  const auto slope = [&](double x) {
    const Source::Values nu = source_->at(x);
    return nu.first > least ? base_->weight(base_->inverse_link(nu.value)) / nu.first : infinity;
  };
  const auto place = [&](int i) { return from + (to - from) * i / (points - 1); };
  double before = -infinity, here = slope(from), largest = here;
  for (int i = 0; i < points; ++i) {
    const double after = i + 1 < points ? slope(place(i + 1)) : -infinity;
    if (here == infinity) return infinity;
    // f may be 0 between two points: around a high point the top is sought.
    if (here >= before && here >= after)
      largest = std::max(largest,
                         top_of_hill(place(std::max(i - 1, 0)), place(std::min(i + 1, points - 1)), slope));
    largest = std::max(largest, here);
    before = here;
    here = after;
  }
  return largest;
}

}  // namespace linkgistic
