#include "loss/margin.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {

MarginLoss make_margin_loss(std::string_view name) {
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

MarginLoss margin_form(std::shared_ptr<const ProperLoss> loss) {
  if (!loss->symmetric())
    throw UsageError("loss = " + loss->name() + " must be symmetric to have a margin form");
  return {[loss = std::move(loss)](double z) {
    // G' = -psi^-1(-z), G'' = 1/w
    const Probability u = loss->inverse_link(-z);
    const bool inside = -z > loss->link_lower() && -z < loss->link_upper();
    return MarginLoss::Values{loss->conjugate(-z), -u.one(), inside ? 1 / loss->weight(u) : 0.0};
  }};
}

double representing_inverse_link(const MarginLoss& margin, double x) {
  const double reversed = margin.at(-x).first;
  const double forward = margin.at(x).first;
  // The quotient by the larger of the two, which may overflow together.
  if (std::abs(reversed) > std::abs(forward)) return 1 / (1 + forward / reversed);
  const double ratio = reversed / forward;
  return ratio / (1 + ratio);
}

bool representable(const MarginLoss& margin, const std::function<double(double)>& inverse_link, double range,
                   double tolerance) {
  for (int i = 0; i <= 200; ++i) {
    const double x = range * (i - 100) / 100.0;
    if (!(std::abs(inverse_link(x) - representing_inverse_link(margin, x)) <= tolerance)) return false;
  }
  return true;
}

bool classification_calibrated(const MarginLoss& margin) { return margin.at(0).first < 0; }

MarginLoss compose_with_source(MarginLoss margin, std::shared_ptr<const Source> source) {
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

double constructed_inverse_link(const MarginLoss& margin, const Source& source, double v) {
  return representing_inverse_link(margin, invert_source(source, v));
}

}  // namespace linkgistic
