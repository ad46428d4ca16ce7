// What a fitted regression is made of.
#pragma once

#include <functional>
#include <memory>

#include <linkgistic/monotone_regression.hpp>

#include "inference/posterior.hpp"
#include "regression/scaling.hpp"
#include "response/response.hpp"
#include "source/places.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

struct NoiseCurve;

/// The posterior of nu(t), u and t the fit's coordinates; the response says what u is, given nu.
struct FittedRegressionState {
  MonotoneRegressionOptions options;
  RegressionSummary summary;
  Scaling scaling;
  Vector theta;  // the hyper-parameters' coordinates, the source's then the response's
  SourceModel source;
  std::shared_ptr<const Posterior> posterior;
  std::shared_ptr<const Response> response;
  std::shared_ptr<const NoiseCurve> noise;  // null: the noise is constant, or not Gaussian
  std::vector<EvidenceProfile> profiles;
  std::map<std::string, std::string> columns;

  /// The coordinates of the response's hyper-parameters.
  [[nodiscard]] Vector eta() const {
    return theta.tail(static_cast<Index>(response->hyper_parameters().size()));
  }
  /// The same at the places, where the noise may vary: eta is called with the number of a place.
  [[nodiscard]] std::function<Vector(std::size_t)> eta_at(const Places& at) const;
  /// E y where the source is nu, in the units of the data. Without units nu has its shift already (`places`).
  [[nodiscard]] double mean_y(double nu, const Vector& eta) const {
    const double mean = response->mean(nu, eta);
    return response->has_units() ? scaling.to_y(mean) : mean;
  }
  /// The same on the scale of the link.
  [[nodiscard]] double link_y(double nu) const { return response->has_units() ? scaling.to_y(nu) : nu; }
};

/// The family of sources that the options name, for t in [-1, 1] and a response with or without units.
std::shared_ptr<const SourceFamily> make_family(const MonotoneRegressionOptions& options, bool y_has_units);

/// x in the fit's coordinate, and what is added to nu there: where y has no units, its origin, offset and the
/// logarithm of the exposure. Throws an InputError with the row if a number is not finite, or an exposure not
/// positive.
Places places(const FittedRegressionState& state, const RowBlock& rows);
inline Places places(const FittedRegressionState& state, std::span<const double> x) {
  return places(state, RowBlock{x, {}, {}});
}

/// (rows, levels): quantiles of a new observation, in the units of the data; of trials the share.
Matrix observation_quantiles(const FittedRegressionState& state, const RowBlock& rows, const Places& at,
                             std::span<const double> levels);

/// f^2 is a slope, so f has the unit of its root. A UsageError for the gp prior, which has no f.
double latent_unit(const FittedRegressionState& state);

/// (D, places): f = a'g for each column a.
Matrix latent_features(const FittedRegressionState& state, const Places& at);

}  // namespace linkgistic
