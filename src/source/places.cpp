#include "source/places.hpp"

#include <algorithm>

namespace linkgistic {
namespace {

// Phi and its derivative at the left (0) and right (1) edge of the range.
struct Edges {
  Vector phi[2], slope[2];
  Edges(const Features& features, const Places& at) {
    for (const int side : {0, 1}) {
      const double edge = side == 0 ? at.lower : at.upper;
      phi[side] = features.at(edge);
      slope[side].resize(features.size());
      features.derivative(edge, slope[side]);
    }
  }
};

}  // namespace

Places::Places(std::span<const double> t, double from, double to)
    : inside(t.size()), beyond(t.size()), lower(from), upper(to) {
  for (std::size_t i = 0; i < t.size(); ++i) {
    inside[i] = std::clamp(t[i], lower, upper);
    beyond[i] = t[i] - inside[i];
  }
}

Vector source_values(const Features& features, const Places& at, const Vector& kappa, int threads) {
  const Edges edges(features, at);
  Vector nu = features.values(at.inside, kappa, threads);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at.beyond[i] == 0) continue;
    nu[static_cast<Index>(i)] += kappa.dot(edges.slope[at.beyond[i] > 0]) * at.beyond[i];
  }
  for (std::size_t i = 0; i < at.shift.size(); ++i) nu[static_cast<Index>(i)] += at.shift[i];
  return nu;
}

Vector quadratic_forms(const Features& features, const Places& at, const Matrix& c, int threads) {
  const Edges edges(features, at);
  Vector form = features.quadratic_forms(at.inside, c, threads);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at.beyond[i] == 0) continue;
    const bool right = at.beyond[i] > 0;
    const Vector phi = edges.phi[right] + at.beyond[i] * edges.slope[right];
    form[static_cast<Index>(i)] = phi.dot(c * phi);
  }
  return form;
}

Matrix feature_columns(const Features& features, const Places& at, std::size_t first, std::size_t count) {
  const Edges edges(features, at);
  Matrix phi(features.size(), static_cast<Index>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const double beyond = at.beyond[first + i];
    auto column = phi.col(static_cast<Index>(i));
    features.evaluate(at.inside[first + i], column);
    if (beyond != 0) column += beyond * edges.slope[beyond > 0];
  }
  return phi;
}

}  // namespace linkgistic
