// Points cut into the place inside a range and the way beyond its edge. Outside its range a source continues
// straight: Phi(t) = Phi(e) + (t - e) Phi'(e), e the nearer edge.
#pragma once

#include <span>
#include <vector>

#include "source/features.hpp"

namespace linkgistic {

struct Places {
  std::vector<double> inside, beyond;
  double lower = -1, upper = 1;  // the range
  std::vector<double> shift;     // added to nu at each place; empty: nothing

  Places() = default;
  explicit Places(std::span<const double> t, double from = -1, double to = 1);
  [[nodiscard]] std::size_t size() const { return inside.size(); }
};

/// kappa . Phi, plus the shift.
Vector source_values(const Features& features, const Places& at, const Vector& kappa, int threads);
/// Phi' c Phi for a symmetric c (P, P).
Vector quadratic_forms(const Features& features, const Places& at, const Matrix& c, int threads);
/// (P, count): Phi at the places from `first` on.
Matrix feature_columns(const Features& features, const Places& at, std::size_t first, std::size_t count);

}  // namespace linkgistic
