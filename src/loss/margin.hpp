// Margin losses G(y h), y in {-1, 1}: which of them are proper losses with a link, and which rank labels
// correctly.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

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
MarginLoss make_margin_loss(std::string_view name);

/// G(z) = (-L)*(-z), the margin form of a proper canonical loss. Throws UsageError where the loss is not
/// symmetric.
MarginLoss margin_form(std::shared_ptr<const ProperLoss> loss);

/// chi^-1(x) = G'(-x)/(G'(-x) + G'(x)): the only inverse link under which G(y chi(u)) can be a proper loss
/// l(y, u) (the paper's equation defREP). A probability, increasing, where G is convex and decreasing.
double representing_inverse_link(const MarginLoss& margin, double x);

/// Whether (G, chi) is representable as a proper loss on [-range, range]: |chi^-1 -
/// representing_inverse_link| <= tolerance on 201 points.
bool representable(const MarginLoss& margin, const std::function<double(double)>& inverse_link,
                   double range = 5, double tolerance = 1e-9);

/// Whether a convex G ranks labels rightly: G'(0) < 0 (Bartlett, Jordan & McAuliffe 2006, theorem 6).
bool classification_calibrated(const MarginLoss& margin);

/// G_nu = G o nu^-1. At 0 its slope is G'(x0)/nu'(x0) with nu(x0) = 0: negative for every calibrated G where
/// nu(0) = 0, and for every decreasing G whatever nu(0) is.
MarginLoss compose_with_source(MarginLoss margin, std::shared_ptr<const Source> source);

/// g^-1(v) = chi^-1(nu^-1(v)) with the representing chi: the inverse canonical link for which (G, nu^-1 o g)
/// is representable (theorem thREPRES (i) of the paper).
double constructed_inverse_link(const MarginLoss& margin, const Source& source, double v);

}  // namespace linkgistic
