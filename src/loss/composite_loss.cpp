#include "loss/composite_loss.hpp"

#include <algorithm>
#include <cmath>

namespace linkgistic {

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

}  // namespace linkgistic
