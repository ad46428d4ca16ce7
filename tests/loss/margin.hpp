// Margin losses G(y h), y in {-1, 1}: which of them are proper losses in disguise, and which rank labels
// rightly.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <linkgistic/error.hpp>

#include "loss/proper_loss.hpp"
#include "loss/source.hpp"

namespace linkgistic {

/// A convex, twice differentiable G.
struct MarginLoss {
  struct Values {
    double value;   ///< G(z)
    double first;   ///< G'(z)
    double second;  ///< G''(z)
  };
  std::function<Values(double)> at;
};

/// logistic log(1 + e^-z), exponential e^-z, square (1 - z)^2, matsushita (sqrt(z^2 + 4) - z)/2. Throws
/// UsageError.
inline MarginLoss make_margin_loss(std::string_view name) {
  using Values = MarginLoss::Values;
  if (name == "logistic")
    return {[](double z) {
      const double p = sigmoid(z);
      const double q = sigmoid(-z);
      return Values{softplus(-z), -q, p * q};
    }};
  if (name == "exponential")
    return {[](double z) {
      const double e = std::exp(-z);
      return Values{e, -e, e};
    }};
  if (name == "square") return {[](double z) { return Values{(1 - z) * (1 - z), 2 * (z - 1), 2}; }};
  if (name == "matsushita")
    return {[](double z) {
      const double s = std::sqrt(z * z + 4);
      // (s - z)/2 without cancellation for large z
      const double value = z > 0 ? 2 / (s + z) : (s - z) / 2;
      return Values{value, -value / s, 2 / (s * s * s)};
    }};
  throw UsageError("margin loss = " + std::string(name) +
                   " must be logistic, exponential, square or matsushita");
}

/// G(z) = (-L)*(-z), the margin form of a proper canonical loss. Throws UsageError where the loss is not
/// symmetric.
inline MarginLoss margin_form(std::shared_ptr<const ProperLoss> loss) {
  if (!loss->symmetric())
    throw UsageError("loss = " + loss->name() + " must be symmetric to have a margin form");
  return {[loss = std::move(loss)](double z) {
    // G' = -psi^-1(-z), G'' = 1/w
    const Probability u = loss->inverse_link(-z);
    const bool inside = -z > loss->link_lower() && -z < loss->link_upper();
    return MarginLoss::Values{loss->conjugate(-z), -u.one(), inside ? 1 / loss->weight(u) : 0.0};
  }};
}

/// chi^-1(x) = G'(-x)/(G'(-x) + G'(x)): the only inverse link under which G(y chi(u)) can be a proper loss
/// l(y, u) (the paper's equation defREP). A probability, increasing, where G is convex and decreasing.
inline double representing_inverse_link(const MarginLoss& margin, double x) {
  const double reversed = margin.at(-x).first;
  const double forward = margin.at(x).first;
  // The quotient by the larger of the two, which may overflow together.
  if (std::abs(reversed) > std::abs(forward)) return 1 / (1 + forward / reversed);
  const double ratio = reversed / forward;
  return ratio / (1 + ratio);
}

/// Whether (G, chi) is representable as a proper loss on [-range, range]: |chi^-1 -
/// representing_inverse_link| <= tolerance on 201 points.
inline bool representable(const MarginLoss& margin, const std::function<double(double)>& inverse_link,
                          double range = 5, double tolerance = 1e-9) {
  for (int i = 0; i <= 200; ++i) {
    const double x = range * (i - 100) / 100.0;
    if (!(std::abs(inverse_link(x) - representing_inverse_link(margin, x)) <= tolerance)) return false;
  }
  return true;
}

/// Whether a convex G ranks labels rightly: G'(0) < 0 (Bartlett, Jordan & McAuliffe 2006, theorem 6).
inline bool classification_calibrated(const MarginLoss& margin) { return margin.at(0).first < 0; }

/// G_nu = G o nu^-1. At 0 its slope is G'(x0)/nu'(x0) with nu(x0) = 0: negative for every calibrated G where
/// nu(0) = 0, and for every decreasing G whatever nu(0) is.
inline MarginLoss compose_with_source(MarginLoss margin, std::shared_ptr<const Source> source) {
  return {[margin = std::move(margin), source = std::move(source)](double z) {
    const double x = invert_source(*source, z);
    const Source::Values nu = source->at(x);
    const MarginLoss::Values g = margin.at(x);
    // dx/dz = 1/nu', d2x/dz2 = -nu''/nu'^3
    const double slope = 1 / nu.first;
    return MarginLoss::Values{g.value, g.first * slope,
                              (g.second - g.first * nu.second * slope) * slope * slope};
  }};
}

/// g^-1(v) = chi^-1(nu^-1(v)) with the representing chi: the inverse canonical link for which (G, nu^-1 o g)
/// is representable (theorem thREPRES (i) of the paper).
inline double constructed_inverse_link(const MarginLoss& margin, const Source& source, double v) {
  return representing_inverse_link(margin, invert_source(source, v));
}

}  // namespace linkgistic
