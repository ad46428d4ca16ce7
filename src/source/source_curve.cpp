#include "source/source_curve.hpp"

#include <utility>

#include "source/places.hpp"

namespace linkgistic {

SourceCurve::SourceCurve(std::shared_ptr<const Features> features, Vector kappa, double lower, double upper)
    : features_(std::move(features)), kappa_(std::move(kappa)), lower_(lower), upper_(upper) {}

Vector SourceCurve::values(std::span<const double> t, int threads) const {
  return source_values(*features_, Places(t, lower_, upper_), kappa_, threads);
}

SourceCurve::Points SourceCurve::at(std::span<const double> t, int threads) const {
  const Places places(t, lower_, upper_);
  Points points{features_->values(places.inside, kappa_, threads),
                features_->slopes(places.inside, kappa_, threads)};
  const auto beyond = Eigen::Map<const Vector>(places.beyond.data(), points.slope.size());
  points.value += points.slope.cwiseProduct(beyond);
  return points;
}

}  // namespace linkgistic
