#include "source/nystrom_source.hpp"

#include <algorithm>
#include <cmath>

#include "source/nystrom_basis.hpp"
#include "source/spectrum.hpp"

namespace linkgistic {

NystromSource::NystromSource(PriorKind kind, int points, double lower, double upper,
                             std::optional<double> pinned_origin)
    : kind_(kind),
      pinned_origin_(pinned_origin),
      hyper_(prior_hyper_parameters(kind, pinned_origin.has_value())) {
  // From a pinned origin on f must be there, too.
  const double beyond = (upper - lower) / 10;
  points_ =
      Vector::LinSpaced(points, std::min(lower, pinned_origin.value_or(lower)) - beyond, upper + beyond);
  // The kernel's width, 1/sqrt(a), from the spacing of the points to many times the range.
  const double half = (upper - lower) / 2;
  const double step = points > 1 ? points_[1] - points_[0] : half;
  const double centre = 4 / (half * half);  // a width of a quarter of the range
  hyper_[0] = {.name = "a",
               .coordinate = Coordinate::log,
               .start = centre,
               .lower = 0.05 / (half * half),
               .upper = 1 / (step * step),
               .prior_mean = std::log(centre),
               .prior_sd = 1.5,
               .unit = {-2, 0},
               .meaning = "1 / (length scale of {x})^2"};
}

SourceModel NystromSource::at(const Vector& theta) const {
  const HyperLayout layout = hyper_layout(kind_);
  const double amplitude = std::exp(theta[layout.amplitude]);
  const bool constant = kind_ == PriorKind::offset;
  const auto basis = std::make_shared<NystromBasis>(points_, std::exp(theta[layout.a]), constant);
  const Index m = basis->size();

  SourceModel model;
  if (kind_ == PriorKind::gp) {
    model.features = std::make_shared<NystromFunctions>(basis);
    auto map = std::make_shared<QuadraticMap>(m + 1, m + 1);
    for (Index i = 0; i < m; ++i) map->add_linear(1 + i, i, 1.0);
    map->add_linear(0, m, 1.0);
    model.map = map;
  } else {
    model.basis = basis;
    model.features = std::make_shared<NystromProducts>(basis, pinned_origin_.value_or(0.0));
    auto map = std::make_shared<QuadraticMap>(m + 1, model.features->size());
    for (Index j = 0; j < m; ++j) {
      for (Index i = 0; i <= j; ++i)
        map->add_quadratic(1 + NystromBasis::pair(i, j), i, j, i == j ? 1.0 : 2.0);
    }
    map->add_linear(0, m, 1.0);
    model.map = map;
  }

  Spectrum spectrum;
  spectrum.mean_square = amplitude;
  spectrum.d_mean_square = Vector::Zero(theta.size());
  model.prior = GaussianPrior(m + 1, theta.size());
  double variance = amplitude;
  if (constant) {
    const double v = 1 / (1 + std::exp(-theta[*layout.v]));
    variance = amplitude * v / 2;
    model.prior.mean[0] = std::sqrt(amplitude * (1 - v));
  }
  model.prior.log_precision.head(m).setConstant(-std::log(variance));
  set_intercept(layout, theta, spectrum, pinned_origin_, m, model.prior);
  return model;
}

}  // namespace linkgistic
