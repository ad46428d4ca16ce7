#include "source/places.hpp"

#include <algorithm>

namespace linkgistic {
namespace {

// Phi and its derivative at the left (0) and right (1) edge of the data.
struct Edges {
  Vector phi[2], slope[2];
  explicit Edges(const Features& features) {
    for (const int side : {0, 1}) {
      phi[side].resize(features.size());
      slope[side].resize(features.size());
      features.evaluate(side == 0 ? -1 : 1, phi[side]);
      features.derivative(side == 0 ? -1 : 1, slope[side]);
    }
  }
};

}  // namespace

Places::Places(std::span<const double> t) : inside(t.size()), beyond(t.size()) {
  for (std::size_t i = 0; i < t.size(); ++i) {
    inside[i] = std::clamp(t[i], -1.0, 1.0);
    beyond[i] = t[i] - inside[i];
  }
}

Vector source_values(const Features& features, const Places& at, const Vector& kappa, int threads) {
  const Edges edges(features);
  Vector nu = features.values(at.inside, kappa, threads);
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at.beyond[i] == 0) continue;
    nu[static_cast<Index>(i)] += kappa.dot(edges.slope[at.beyond[i] > 0]) * at.beyond[i];
  }
  return nu;
}

Vector quadratic_forms(const Features& features, const Places& at, const Matrix& c, int threads) {
  const Edges edges(features);
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
  const Edges edges(features);
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
