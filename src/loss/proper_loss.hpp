// Proper losses for the probability of a binary label (docs/losses.md has the definitions).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "loss/probability.hpp"

namespace linkgistic {

/// Value and first three derivatives of a function at a point.
struct Derivatives3 {
  double value = 0;
  double first = 0;
  double second = 0;
  double third = 0;
};

/// A strictly proper loss l(y, u), y in {0, 1}: E l(Y, u) is least at u = P(Y = 1), and l(1, 1) = l(0, 0) =
/// 0.
///
/// A concrete loss defines its two partial losses and its canonical link psi in the log-odds t of u; all else
/// follows. `tail` times the log loss is added to it. That is again a proper loss, and for tail > 0 its
/// canonical link maps onto the real line, which some losses (square, spherical) do not do by themselves.
class ProperLoss {
 public:
  /// The tail that make_loss gives to losses whose own link is bounded.
  static constexpr double default_tail = 0.01;

  virtual ~ProperLoss() = default;

  /// As make_loss reads it.
  [[nodiscard]] std::string name() const;
  [[nodiscard]] double tail() const { return tail_; }

  /// l(y, u).
  [[nodiscard]] double partial(int y, Probability u) const;
  /// Conditional Bayes risk L(u) = u l(1, u) + (1 - u) l(0, u): concave, 0 at the ends.
  [[nodiscard]] double bayes_risk(Probability u) const;
  /// Canonical link psi(u) = -L'(u) = l(0, u) - l(1, u).
  [[nodiscard]] double link(Probability u) const;
  /// psi^-1(nu); 0 or 1 where nu is outside of the range of the link.
  [[nodiscard]] Probability inverse_link(double nu) const;
  /// Legendre conjugate (-L)*(nu) = sup over u of u nu + L(u), for every real nu.
  [[nodiscard]] double conjugate(double nu) const;
  /// The proper canonical loss l(y, psi^-1(nu)) = (-L)*(nu) - y nu; convex in nu, its derivative is
  /// psi^-1(nu) - y, so that its Lipschitz constant in nu is 1 for every loss.
  [[nodiscard]] double canonical(int y, double nu) const;
  /// Weight function w(u) = -L''(u) = psi'(u).
  [[nodiscard]] double weight(Probability u) const;
  /// dt/dnu, t the log-odds of u and nu its link: 1 for the log loss.
  [[nodiscard]] double log_odds_slope(Probability u) const;
  /// log P(y | nu), P(1 | nu) = psi^-1(nu), with its derivatives in nu.
  [[nodiscard]] Derivatives3 log_likelihood(int y, double nu) const;

  /// psi(0) and psi(1), infinite where the link is unbounded there.
  [[nodiscard]] double link_lower() const { return lower_; }
  [[nodiscard]] double link_upper() const { return upper_; }
  [[nodiscard]] bool maps_onto_reals() const { return std::isinf(lower_) && std::isinf(upper_); }
  /// Whether l(1, u) = l(0, 1 - u).
  [[nodiscard]] virtual bool symmetric() const { return true; }

 protected:
  /// The link in t: its logarithmic derivatives do not overflow where the link itself does.
  struct LogitLink {
    double log_slope;  ///< log psi'(t)
    double second;     ///< psi''(t) / psi'(t)
    double third;      ///< psi'''(t) / psi'(t)
  };

  explicit ProperLoss(double tail);
  /// Must be called at the end of the constructor of every concrete loss.
  void find_range();

  /// All of these are without the tail.
  [[nodiscard]] virtual std::string bare_name() const = 0;
  [[nodiscard]] virtual double bare_partial(int y, double t) const = 0;
  [[nodiscard]] virtual LogitLink bare_link(double t) const = 0;
  /// The t with link nu, nu inside of the range, where it has a closed form.
  [[nodiscard]] virtual std::optional<double> bare_inverse(double) const { return std::nullopt; }

 private:
  [[nodiscard]] LogitLink logit_link(double t) const;
  [[nodiscard]] double link_at(double t) const;

  double tail_;
  double lower_ = 0;
  double upper_ = 0;
  double bare_lower_ = 0;
  double bare_upper_ = 0;
};

/// The loss of a name: log, square, matsushita, alpha=A, spherical, cost=C, beta=A,B, each with an optional
/// ",tail=T". Without it a loss whose link is bounded gets ProperLoss::default_tail, the others 0. Throws
/// UsageError.
std::shared_ptr<const ProperLoss> make_loss(std::string_view name);

}  // namespace linkgistic
