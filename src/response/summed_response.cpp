#include "response/summed_response.hpp"

#include <cmath>

namespace linkgistic {

double SummedResponse::scale(const Vector& eta) const { return eta.size() > 0 ? std::exp(eta[0]) : 1; }

LogDensity SummedResponse::at(double y, double nu, const Vector& eta) const {
  const RowMeasures m = measures(y);
  const LogDensity b = partition(nu);
  const double s = scale(eta), a = sign() * m.a;
  return {s * (a * nu - m.b * b.value + m.scaled) + m.constant + normaliser(eta).value,
          s * (a - m.b * b.first), -s * m.b * b.second, -s * m.b * b.third};
}

// ds/deta = s: the derivatives in nu are proportional to s.
LogDensity SummedResponse::hyper_derivative(double y, double nu, const Vector& eta, Index) const {
  const RowMeasures m = measures(y);
  const LogDensity b = partition(nu);
  const double s = scale(eta), a = sign() * m.a;
  return {s * (a * nu - m.b * b.value + m.scaled) + normaliser(eta).slope, s * (a - m.b * b.first),
          -s * m.b * b.second, 0};
}

}  // namespace linkgistic
