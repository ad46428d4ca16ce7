#include "source/hyper_parameter.hpp"

#include <cmath>

namespace linkgistic {

double HyperParameter::to_theta(double value) const {
  switch (coordinate) {
    case Coordinate::log:
      return std::log(value);
    case Coordinate::log_minus_one:
      return std::log(value - 1);
    case Coordinate::logit:
      return std::log(value) - std::log1p(-value);
    case Coordinate::identity:
      break;
  }
  return value;
}

double HyperParameter::to_value(double theta) const {
  switch (coordinate) {
    case Coordinate::log:
      return std::exp(theta);
    case Coordinate::log_minus_one:
      return 1 + std::exp(theta);
    case Coordinate::logit:
      return 1 / (1 + std::exp(-theta));
    case Coordinate::identity:
      break;
  }
  return theta;
}

Vector start_theta(const std::vector<HyperParameter>& hyper) {
  Vector theta(static_cast<Index>(hyper.size()));
  for (std::size_t i = 0; i < hyper.size(); ++i)
    theta[static_cast<Index>(i)] = hyper[i].to_theta(hyper[i].start);
  return theta;
}

}  // namespace linkgistic
