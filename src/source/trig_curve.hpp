// One source, its coefficients known: a straight line and harmonics of t = (x - middle)/half on [-1, 1],
// straight outside.
#pragma once

#include <vector>

#include "loss/source.hpp"
#include "numeric/types.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

/// nu = constant + line t + sum_j (cosine_j cos j theta + sine_j sin j theta), theta = pi t / 2. That is the
/// form of every source on the trigonometric basis: nu itself a harmonic sum (gp) or the integral of the
/// square of one.
struct TrigCoefficients {
  double middle = 0, half = 1;  // half > 0
  double constant = 0, line = 1;
  std::vector<double> cosine, sine;  // of one length
  double slope_bound = 1;            // an upper bound of dnu/dx
};

class TrigCurve final : public Source {
 public:
  /// Throws an InputError for invalid coefficients.
  explicit TrigCurve(TrigCoefficients coefficients);

  [[nodiscard]] const TrigCoefficients& coefficients() const { return c_; }
  [[nodiscard]] Values at(double x) const override;
  [[nodiscard]] double slope_bound() const override { return c_.slope_bound; }

 private:
  TrigCoefficients c_;
};

/// The curve kappa . Phi((x - middle)/half) of a source on the trigonometric basis of base frequency 1/2,
/// with the triangle inequality's bound on its slope. Of a source on the Nystrom basis: of the harmonics that
/// are nearest to it (nystrom_curve.hpp).
TrigCoefficients trig_coefficients(const SourceModel& source, const Vector& kappa, double middle,
                                   double half);

}  // namespace linkgistic
