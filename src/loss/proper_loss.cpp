#include "loss/proper_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <linkgistic/error.hpp>

#include "text/print_number.hpp"

namespace linkgistic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

ProperLoss::ProperLoss(double tail) : tail_(tail) {
  if (!(tail >= 0 && std::isfinite(tail)))
    throw UsageError("tail = " + shortest(tail) + " must be finite and at least 0");
}

void ProperLoss::find_range() {
  bare_lower_ = -bare_partial(1, -infinity);
  bare_upper_ = bare_partial(0, infinity);
  lower_ = tail_ > 0 ? -infinity : bare_lower_;
  upper_ = tail_ > 0 ? infinity : bare_upper_;
}

std::string ProperLoss::name() const {
  const bool bounded = std::isfinite(bare_lower_) || std::isfinite(bare_upper_);
  return tail_ == (bounded ? default_tail : 0.0) ? bare_name() : bare_name() + ",tail=" + shortest(tail_);
}

double ProperLoss::partial(int y, Probability u) const {
  const double bare = bare_partial(y, u.logit());
  return tail_ > 0 ? bare - tail_ * u.log_of(y) : bare;
}

double ProperLoss::bayes_risk(Probability u) const {
  double risk = 0;
  for (const int y : {0, 1})
    if (u.of(y) > 0) risk += u.of(y) * partial(y, u);
  return risk;
}

double ProperLoss::link(Probability u) const { return link_at(u.logit()); }

double ProperLoss::link_at(double t) const {
  const double bare = bare_partial(0, t) - bare_partial(1, t);
  return tail_ > 0 ? bare + tail_ * t : bare;
}

ProperLoss::LogitLink ProperLoss::logit_link(double t) const {
  const LogitLink bare = bare_link(t);
  if (tail_ == 0) return bare;
  const double log_slope = log_add(bare.log_slope, std::log(tail_));
  const double share = std::exp(bare.log_slope - log_slope);
  return {log_slope, bare.second * share, bare.third * share};
}

Probability ProperLoss::inverse_link(double nu) const {
  if (!(nu > lower_)) return Probability::from_logit(-infinity);
  if (!(nu < upper_)) return Probability::from_logit(infinity);
  if (tail_ == 0)
    if (const auto t = bare_inverse(nu)) return Probability::from_logit(*t);
  // Newton's method on psi(t) = nu, kept inside a bracket that a bisection halves when a step leaves it or is
  // slow.
  double left = -1;
  double right = 1;
  while (link_at(left) > nu) left *= 2;
  while (link_at(right) < nu) right *= 2;
  double t = std::clamp(nu, left, right);
  double last_width = right - left;
  for (int step = 0; step < 200; ++step) {
    const double excess = link_at(t) - nu;
    if (excess == 0) break;
    (excess > 0 ? right : left) = t;
    double next = t - excess * std::exp(-logit_link(t).log_slope);
    const bool slow = step % 4 == 3 && right - left > 0.5 * last_width;
    if (step % 4 == 3) last_width = right - left;
    if (slow || !(next > left && next < right)) next = left + 0.5 * (right - left);
    const double move = std::abs(next - t);
    t = next;
    if (move <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-3)) break;
  }
  return Probability::from_logit(t);
}

double ProperLoss::canonical(int y, double nu) const {
  // Outside of the link's range the supremum of the conjugate is at an end: (-L)* = 0 below and nu above.
  if (nu <= lower_) return y == 1 ? -nu : 0.0;
  if (nu >= upper_) return y == 1 ? 0.0 : nu;
  return partial(y, inverse_link(nu));
}

double ProperLoss::conjugate(double nu) const { return canonical(0, nu); }

double ProperLoss::weight(Probability u) const {
  // psi'(u) = psi'(t) dt/du, du/dt = u (1 - u)
  return std::exp(logit_link(u.logit()).log_slope - u.log_one() - u.log_zero());
}

double ProperLoss::log_odds_slope(Probability u) const { return std::exp(-logit_link(u.logit()).log_slope); }

Derivatives3 ProperLoss::log_likelihood(int y, double nu) const {
  if (nu <= lower_ || nu >= upper_) {
    if ((nu >= upper_) == (y == 1)) return {0, 0, 0, 0};
    // The limit at the end of the range.
    const double sign = y == 1 ? 1 : -1;
    return {-infinity, sign * infinity, -infinity, sign * infinity};
  }
  const Probability u = inverse_link(nu);
  const LogitLink link = logit_link(u.logit());
  // With r = dt/dnu = 1/psi', a = psi''/psi', b = psi'''/psi': t'' = -a r^2, t''' = (3 a^2 - b) r^3; and
  // d log p/dt = q, -p q, -p q (q - p). The other label is the mirror image t -> -t, for which r and a change
  // sign.
  const double s = y == 1 ? 1 : -1;
  const double p = u.of(y);
  const double q = u.of(1 - y);
  const double r = std::exp(-link.log_slope);
  const double a = s * link.second;
  const double b = link.third;
  return {u.log_of(y), s * q * r, -q * r * r * (p + a),
          s * q * r * r * r * (p * (p - q) + 3 * p * a + 3 * a * a - b)};
}

}  // namespace linkgistic
