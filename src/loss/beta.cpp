// Beta family (Buja, Stuetzle & Shen 2005): the proper losses of weight function w(u) = 2^(a+b) u^(a-1) (1 -
// u)^(b-1),
//   l(0, u) = 2^(a+b) B(u; a + 1, b), l(1, u) = 2^(a+b) B(1 - u; b + 1, a), B the incomplete beta function.
// The scale makes w(1/2) = 4, as the log loss (a = b = 0) has it; a = b = -1/2 is Matsushita's loss, a = b =
// 1 twice the square loss. a != b weighs the two kinds of error differently. The link is bounded at 0 for a >
// 0 and at 1 for b > 0.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <linkgistic/error.hpp>

#include "loss/losses.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

/// sum_n (c)_n/n! term(n), (c)_n = c (c+1) ... (c+n-1): the powers of 1/(1 - v)^c integrated term by term.
/// The terms fall at least as fast as 2^-n times a power of n.
template <class Term>
double binomial_series(double c, Term term) {
  double coefficient = 1;
  double sum = 0;
  for (int n = 0; n < 200; ++n) {
    const double add = coefficient * term(n);
    sum += add;
    if (n > c && n > -c && std::abs(add) <= 1e-18 * std::abs(sum)) break;
    coefficient *= (c + n) / (n + 1);
    if (coefficient == 0) break;
  }
  return sum;
}

/// 2^(a+b) times the integral of v^a (1 - v)^(b-1) over [0, sigmoid(t)], from the logarithms of both ends:
/// series about 0 up to 1/2, and from there on a series about 1.
double scaled_incomplete_beta(double a, double b, double t) {
  const double log_p = -softplus(-std::min(t, 0.0));
  const double p = std::exp(log_p);
  // B(p; a+1, b) = p^(a+1) sum_n (1-b)_n/n! p^n/(a+1+n)
  double power = 1;
  const double near_zero = binomial_series(1 - b, [&](int n) {
    const double term = power / (a + 1 + n);
    power *= p;
    return term;
  });
  const double scale = (a + b) * std::numbers::ln2;
  const double left = std::exp((a + 1) * log_p + scale) * near_zero;
  if (t <= 0) return left;
  // The integral of v^(b-1) (1-v)^a over [q, 1/2] = sum_n (-a)_n/n! (2^-s - q^s)/s, s = b + n
  const double log_2q = std::numbers::ln2 - softplus(t);
  const double near_one = binomial_series(-a, [&](int n) {
    const double s = b + n;
    const double integral = s == 0 ? -log_2q : -std::expm1(s * log_2q) / s;
    return std::ldexp(integral, -n);
  });
  return left + std::exp(a * std::numbers::ln2) * near_one;
}

class BetaLoss final : public ProperLoss {
 public:
  BetaLoss(double a, double b, double tail) : ProperLoss(tail), a_(a), b_(b) {
    if (!(a > -1 && a <= 20)) throw UsageError("beta: a = " + shortest(a) + " must be in (-1, 20]");
    if (!(b > -1 && b <= 20)) throw UsageError("beta: b = " + shortest(b) + " must be in (-1, 20]");
    find_range();
  }
  [[nodiscard]] bool symmetric() const override { return a_ == b_; }

 protected:
  [[nodiscard]] std::string bare_name() const override { return "beta=" + shortest(a_) + "," + shortest(b_); }
  [[nodiscard]] double bare_partial(int y, double t) const override {
    return y == 1 ? scaled_incomplete_beta(b_, a_, -t) : scaled_incomplete_beta(a_, b_, t);
  }
  [[nodiscard]] LogitLink bare_link(double t) const override {
    // psi'(t) = 2^(a+b) u^a (1 - u)^b
    const double p = sigmoid(t);
    const double q = sigmoid(-t);
    const double second = a_ * q - b_ * p;
    return {(a_ + b_) * std::numbers::ln2 - a_ * softplus(-t) - b_ * softplus(t), second,
            second * second - (a_ + b_) * p * q};
  }

 private:
  double a_, b_;
};

}  // namespace

std::shared_ptr<const ProperLoss> make_beta_loss(double a, double b, double tail) {
  return std::make_shared<BetaLoss>(a, b, tail);
}

}  // namespace linkgistic
