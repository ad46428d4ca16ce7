// A vector of quadratic polynomials, kappa_p(g) = linear_p . g + sum over pairs of value g_i g_j, as a sparse
// list.
//
// A source is nu(x) = kappa(g) . Phi(x), g its Gaussian coordinates: linear for a Gaussian process, quadratic
// when f^2 is integrated. The second derivative of kappa is constant, so gradient, Hessian and the third
// derivatives that the evidence needs all come from the contractions below, each O(number of terms).
#pragma once

#include <vector>

#include "numeric/types.hpp"

namespace linkgistic {

class QuadraticMap {
 public:
  /// kappa_p += value g_i.
  struct LinearTerm {
    Index p, i;
    double value;
  };
  /// kappa_p += value g_i g_j.
  struct QuadraticTerm {
    Index p, i, j;
    double value;
  };

  QuadraticMap(Index inputs, Index outputs) : inputs_(inputs), outputs_(outputs) {}

  void add_linear(Index p, Index i, double value) { linear_.push_back({p, i, value}); }
  void add_quadratic(Index p, Index i, Index j, double value) { quadratic_.push_back({p, i, j, value}); }

  [[nodiscard]] const std::vector<QuadraticTerm>& quadratic_terms() const { return quadratic_; }
  [[nodiscard]] Index inputs() const { return inputs_; }    // D
  [[nodiscard]] Index outputs() const { return outputs_; }  // P

  [[nodiscard]] Vector value(const Vector& g) const;                       // (P)
  [[nodiscard]] Matrix jacobian(const Vector& g) const;                    // (P, D)
  [[nodiscard]] Vector pull_back(const Vector& g, const Vector& r) const;  // (D): J' r
  /// The same, into a vector that the caller keeps. Fast where terms of one i follow one another.
  void value(const Vector& g, Vector& kappa) const;
  void pull_back(const Vector& g, const Vector& r, Vector& result) const;
  [[nodiscard]] Matrix curvature(const Vector& r) const;  // (D, D): sum_p r_p kappa''_p
  [[nodiscard]] Vector trace(const Matrix& s) const;      // (P): tr(kappa''_p s), s symmetric
  [[nodiscard]] Vector contract(const Matrix& y) const;   // (D): sum_{p,i} kappa''_{p,i,.} y_{p,i}

 private:
  Index inputs_, outputs_;
  std::vector<LinearTerm> linear_;
  std::vector<QuadraticTerm> quadratic_;
};

}  // namespace linkgistic
