// The log likelihood of all rows as a function of the source's coefficients kappa (nu_n = kappa . Phi_n).
#pragma once

#include <utility>
#include <vector>

#include "numeric/types.hpp"
#include "source/hyper_parameter.hpp"

namespace linkgistic {

/// sum_n l_n and its derivatives in kappa.
struct DataDerivatives {
  double value = 0;
  Vector gradient;   // (P): sum l'_n Phi_n
  Matrix curvature;  // (P, P): sum l''_n Phi_n Phi_n'
};

/// A function quadratic in kappa: constant + linear . kappa - kappa' gram kappa / 2.
struct QuadraticBound {
  double constant = 0;
  Vector linear;  // (P)
  Matrix gram;    // (P, P)
  /// The square completed, top - |root kappa - centre|^2/2, where it is known; else no root. Where kappa is
  /// large and its terms cancel, this form is at most its top; kappa' gram kappa is rounding, of either sign.
  double top = 0;
  Vector centre = {};  // (R): linear = root' centre
  Matrix root = {};    // (R, P): gram = root' root

  [[nodiscard]] double at(const Vector& kappa) const;
  [[nodiscard]] Vector slope(const Vector& kappa) const;  // (P)
  /// (P, n) and (n, n): gram j and j' gram j.
  struct Products {
    Matrix gram_j, j_gram_j;
  };
  [[nodiscard]] Products products(const Matrix& j) const;
};

/// What a sampler needs: the value with its first derivatives.
struct DataGradient {
  double value = 0;
  Vector kappa;  // (P)
  Vector eta;    // of the response's hyper-parameters
};

class DataTerm {
 public:
  virtual ~DataTerm() = default;
  /// The response's own hyper-parameters; eta below are their coordinates.
  [[nodiscard]] virtual std::vector<HyperParameter> hyper_parameters() const = 0;
  [[nodiscard]] virtual double value(const Vector& kappa, const Vector& eta) const = 0;
  [[nodiscard]] virtual DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const = 0;
  /// The same value and gradient without the curvature, with the gradient in eta if requested. A term that is
  /// sampled from overrides it with something faster.
  [[nodiscard]] virtual DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const {
    DataDerivatives d = derivatives(kappa, eta);
    DataGradient result{d.value, std::move(d.gradient), Vector::Zero(eta.size())};
    for (Index i = 0; eta_asked && i < eta.size(); ++i)
      result.eta[i] = hyper_derivatives(kappa, eta, i).value;
    return result;
  }
  /// (P): sum_n l'''_n (Phi_n' t Phi_n) Phi_n.
  [[nodiscard]] virtual Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const = 0;
  /// Derivative of the above in eta_i.
  [[nodiscard]] virtual DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                          Index i) const = 0;

  /// A lower bound of value(kappa, eta) for every kappa, the best in the mean when kappa has the given
  /// moments. A UsageError where none is known.
  [[nodiscard]] virtual QuadraticBound quadratic_bound(const Vector& kappa_mean,
                                                       const Matrix& kappa_covariance,
                                                       const Vector& eta) const;
  /// Derivative of that bound in eta_i, its place of contact held.
  [[nodiscard]] virtual QuadraticBound quadratic_bound_derivative(const Vector& eta, Index i) const;
  /// Whether quadratic_bound equals the value and does not depend on the moments.
  [[nodiscard]] virtual bool is_quadratic() const { return false; }
};

}  // namespace linkgistic
