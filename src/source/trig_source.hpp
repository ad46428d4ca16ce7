// Sources on the trigonometric basis: f (or nu) = sum_m p_m cos(m theta) + q_m sin(m theta), theta = pi c x.
//
// with r_m = a^-m or another of SpectrumKind:
//   isgp    p_m, q_m ~ N(0, b r_m), m = 1..K;               E nu(x) = mu + k(0,0) x, k(0,0) = b sum_m r_m
//   offset  m = 0..K, lambda_m = s v r_m / sum_m r_m, and p_0 has mean sqrt(s (1-v));  E nu(x) = mu + s x
//   gp      nu itself, p_m, q_m ~ N(0, b r_m), m = 1..K
// and nu0 ~ N(mu, 1/gamma). With a pinned origin r (Origin::shifted) the integral starts at r, left of the
// data, and nu0 = mu + r E f^2 is not a random variable: then E nu(x) = mu + x E f^2 as before.
//
// Integrated twice, f^2 is not the slope but the curvature, and nu is convex or concave (Curvature below).
#pragma once

#include <optional>

#include <linkgistic/source.hpp>

#include "source/source_family.hpp"

namespace linkgistic {

/// nu = nu0 + slope (x - origin) + sign int int f^2, both integrals from the origin: convex for sign = 1,
/// concave for -1. The slope at the origin is a Gaussian coordinate, the last one: N(0, s^2), s a
/// hyper-parameter. For `increasing` it is the square of one, with E slope = s, N(sqrt(s/2), s/2), and nu
/// increases where sign (x - origin) >= 0.
struct Curvature {
  int sign = 1;
  bool increasing = false;
  double origin = 0;
};

class TrigSource final : public SourceFamily {
 public:
  /// `harmonics` is K, the period is 2/c; `pinned_origin` must lie left of the data (isgp and offset only).
  TrigSource(PriorKind kind, int harmonics, double c, std::optional<double> pinned_origin = std::nullopt,
             SpectrumKind spectrum = SpectrumKind::analytic);
  /// f^2 integrated twice (isgp and offset).
  TrigSource(PriorKind kind, int harmonics, double c, const Curvature& curvature,
             SpectrumKind spectrum = SpectrumKind::analytic);

  [[nodiscard]] const std::vector<HyperParameter>& hyper_parameters() const override { return hyper_; }
  [[nodiscard]] SourceModel at(const Vector& theta) const override;
  [[nodiscard]] GaussianPrior prior_at(const Vector& theta) const override;
  [[nodiscard]] bool basis_moves() const override { return false; }

 private:
  PriorKind kind_;
  SpectrumKind spectrum_;
  int harmonics_;
  std::optional<double> pinned_origin_;
  std::optional<Curvature> curvature_;
  std::vector<HyperParameter> hyper_;
  std::shared_ptr<const Features> features_;
  std::shared_ptr<const QuadraticMap> map_;
  std::shared_ptr<const Basis> basis_;
  std::shared_ptr<const SquareForm> squares_;
};

/// The kernel in closed form: k(x, z) = b Re[q (1 - q^K)/(1 - q)], q = exp(i pi c |x - z|)/a.
double trig_kernel(double x, double z, double a, double b, double c, int harmonics);
/// Its limit for infinitely many harmonics, b Re[q/(1 - q)] = b (a cos t - 1)/(a^2 - 2 a cos t + 1), t = pi c
/// (x - z).
double trig_kernel_limit(double x, double z, double a, double b, double c);

}  // namespace linkgistic
