// A response whose rows enter a fit through two measures over x. With z = nu + shift,
//   l = s(eta) (sign a z - b B(z) + scaled) + constant + normaliser(eta),
// where a, b >= 0 and the constants follow from the row alone: sum a nu is linear in kappa, and sum b B(z)
// needs the measure b over x and nothing else of the rows. Cells with the moments of both measures then stand
// for any number of rows (measure_data.hpp).
#pragma once

#include "response/response.hpp"

namespace linkgistic {

/// What a row of weight 1 adds.
struct RowMeasures {
  double a = 0, b = 0;
  double constant = 0, scaled = 0;
};

class SummedResponse : public Response {
 public:
  /// Of y with an exposure, or a number of trials where the response has them.
  [[nodiscard]] virtual RowMeasures measures(double y, double exposure, double trials) const = 0;
  /// The sign before a.
  [[nodiscard]] virtual double sign() const { return 1; }
  /// B and its three derivatives; B is convex.
  [[nodiscard]] virtual LogDensity partition(double z) const = 0;
  /// s, which is the exponential of eta[0] where there is one.
  [[nodiscard]] double scale(const Vector& eta) const;
  /// The normaliser and its derivative in eta[0].
  struct Normaliser {
    double value = 0, slope = 0;
  };
  [[nodiscard]] virtual Normaliser normaliser(const Vector& /*eta*/) const { return {}; }
  /// Of rows whose measures sum to a and b.
  [[nodiscard]] double centre(double a, double b) const override = 0;

  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
  [[nodiscard]] LogDensity hyper_derivative(double y, double nu, const Vector& eta, Index i) const override;

 protected:
  /// Those of a new observation with an exposure of 1; a response of many trials has its own.
  [[nodiscard]] virtual RowMeasures measures(double y) const { return measures(y, 1, 1); }
};

}  // namespace linkgistic
