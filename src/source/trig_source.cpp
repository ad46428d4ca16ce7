#include "source/trig_source.hpp"

#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>

#include "source/harmonics.hpp"
#include "source/integrated_harmonics.hpp"
#include "source/spectrum.hpp"

namespace linkgistic {
namespace {

using std::numbers::pi;

class TrigBasis final : public Basis {
 public:
  TrigBasis(bool constant, int harmonics, double c, double origin)
      : constant_(constant), harmonics_(harmonics), c_(c), origin_(origin) {}
  [[nodiscard]] Index size() const override {
    return 2 * static_cast<Index>(harmonics_) + (constant_ ? 1 : 0);
  }
  void evaluate(double x, VectorRef phi) const override {
    const double theta = pi * c_ * (x - origin_);
    const Index first = constant_ ? 1 : 0;
    if (constant_) phi[0] = 1;
    for (int m = 1; m <= harmonics_; ++m) {
      phi[first + m - 1] = std::cos(m * theta);
      phi[first + harmonics_ + m - 1] = std::sin(m * theta);
    }
  }

 private:
  bool constant_;
  int harmonics_;
  double c_, origin_;
};

// f^2 as a trigonometric polynomial, integrated: the products of two basis functions are
//   cos m cos n -> (C_|m-n| + C_{m+n})/2,  sin m sin n -> (C_|m-n| - C_{m+n})/2,
//   sin m cos n -> (S_{m+n} + sgn(m-n) S_|m-n|)/2.
std::shared_ptr<const QuadraticMap> squared_map(bool constant, int harmonics,
                                                const IntegratedHarmonics& phi) {
  const Index first = constant ? 1 : 0;
  const Index weights = 2 * static_cast<Index>(harmonics) + first;
  auto map = std::make_shared<QuadraticMap>(weights + 1, phi.size());
  const auto cos_index = [&](int m) { return m == 0 ? Index{0} : first + m - 1; };
  const auto sin_index = [&](int m) { return first + harmonics + m - 1; };
  const int lowest = constant ? 0 : 1;
  for (int m = lowest; m <= harmonics; ++m) {
    for (int n = lowest; n <= m; ++n) {
      const double half = m == n ? 0.5 : 1.0;  // a pair of different indices counts twice
      map->add_quadratic(phi.c_index(m - n), cos_index(m), cos_index(n), half);
      map->add_quadratic(phi.c_index(m + n), cos_index(m), cos_index(n), half);
    }
  }
  for (int m = 1; m <= harmonics; ++m) {
    for (int n = 1; n <= m; ++n) {
      const double half = m == n ? 0.5 : 1.0;
      map->add_quadratic(phi.c_index(m - n), sin_index(m), sin_index(n), half);
      map->add_quadratic(phi.c_index(m + n), sin_index(m), sin_index(n), -half);
    }
  }
  for (int m = 1; m <= harmonics; ++m) {
    for (int n = lowest; n <= harmonics; ++n) {
      map->add_quadratic(phi.s_index(m + n), sin_index(m), cos_index(n), 1.0);
      if (m != n)
        map->add_quadratic(phi.s_index(std::abs(m - n)), sin_index(m), cos_index(n), m > n ? 1.0 : -1.0);
    }
  }
  map->add_linear(0, weights, 1.0);  // nu0
  return map;
}

// f^2 has degree 2K, so its 4K + 1 coefficients are sums over 4K + 1 equally spaced points of a period.
std::shared_ptr<const SquareForm> squares_on_grid(const TrigBasis& basis, int harmonics, double c,
                                                  double origin, const IntegratedHarmonics& phi) {
  const int n = 4 * harmonics + 1;
  auto form = std::make_shared<SquareForm>();
  form->points = Matrix::Zero(n, basis.size() + 1);
  form->weights = Matrix::Zero(phi.size(), n);
  Vector values(basis.size());
  for (int q = 0; q < n; ++q) {
    const double theta = 2 * pi * q / n;
    basis.evaluate(origin + theta / (pi * c), values);
    form->points.row(q).head(basis.size()) = values.transpose();
    form->weights(phi.c_index(0), q) = 1.0 / n;
    for (int j = 1; j <= 2 * harmonics; ++j) {
      form->weights(phi.c_index(j), q) = 2.0 / n * std::cos(j * theta);
      form->weights(phi.s_index(j), q) = 2.0 / n * std::sin(j * theta);
    }
  }
  return form;
}

std::shared_ptr<const QuadraticMap> linear_map(int harmonics) {
  const Index weights = 2 * static_cast<Index>(harmonics);
  auto map = std::make_shared<QuadraticMap>(weights + 1, weights + 1);
  for (Index i = 0; i < weights; ++i) map->add_linear(i + 1, i, 1.0);
  map->add_linear(0, weights, 1.0);
  return map;
}

// The integral of the feature p, in features: visit(feature, factor) for each (integrated_harmonics.hpp).
template <class Visit>
void integral_of(const IntegratedHarmonics& phi, Index p, const Visit& visit) {
  if (p == phi.c_index(0)) return visit(phi.square_index(), 1.0);
  const bool cosine = p <= phi.c_index(phi.harmonics());
  const int j = static_cast<int>(p - (cosine ? phi.c_index(0) : phi.s_index(0)));
  if (cosine) return visit(phi.s_index(j), phi.scale(j));
  visit(phi.c_index(0), phi.scale(j));
  visit(phi.c_index(j), -phi.scale(j));
}

// The map and the squares of f^2 integrated twice from those of one integral; the slope is the coordinate
// behind nu0.
std::shared_ptr<const QuadraticMap> twice(const QuadraticMap& once, const IntegratedHarmonics& phi,
                                          const Curvature& curvature) {
  const Index slope = once.inputs();
  auto map = std::make_shared<QuadraticMap>(slope + 1, phi.size());
  for (const auto& term : once.quadratic_terms()) {
    integral_of(phi, term.p, [&](Index p, double factor) {
      map->add_quadratic(p, term.i, term.j, curvature.sign * factor * term.value);
    });
  }
  map->add_linear(0, slope - 1, 1.0);  // nu0
  if (curvature.increasing) {
    map->add_quadratic(phi.c_index(0), slope, slope, 1.0);
  } else {
    map->add_linear(phi.c_index(0), slope, 1.0);
  }
  return map;
}

std::shared_ptr<const SquareForm> twice(const SquareForm& once, const IntegratedHarmonics& phi,
                                        const Curvature& curvature) {
  const Index squares = once.points.rows(), slope = once.points.cols();
  const Index more = curvature.increasing ? 1 : 0;
  auto form = std::make_shared<SquareForm>();
  form->points = Matrix::Zero(squares + more, slope + 1);
  form->points.topLeftCorner(squares, slope) = once.points;
  form->weights = Matrix::Zero(phi.size(), squares + more);
  for (Index p = 1; p < phi.square_index(); ++p) {
    integral_of(phi, p, [&](Index to, double factor) {
      form->weights.row(to).head(squares) += curvature.sign * factor * once.weights.row(p);
    });
  }
  if (more > 0) {
    form->points(squares, slope) = 1;
    form->weights(phi.c_index(0), squares) = 1;
  }
  return form;
}

}  // namespace

TrigSource::TrigSource(PriorKind kind, int harmonics, double c, const Curvature& curvature,
                       SpectrumKind spectrum)
    : kind_(kind),
      spectrum_(spectrum),
      harmonics_(harmonics),
      curvature_(curvature),
      hyper_(prior_hyper_parameters(kind, false, true)) {
  const bool constant = kind == PriorKind::offset;
  const auto integrated = std::make_shared<IntegratedHarmonics>(2 * harmonics, c, curvature.origin, true);
  features_ = integrated;
  map_ = twice(*squared_map(constant, harmonics, *integrated), *integrated, curvature);
  const auto basis = std::make_shared<TrigBasis>(constant, harmonics, c, curvature.origin);
  basis_ = basis;
  squares_ =
      twice(*squares_on_grid(*basis, harmonics, c, curvature.origin, *integrated), *integrated, curvature);
}

TrigSource::TrigSource(PriorKind kind, int harmonics, double c, std::optional<double> pinned_origin,
                       SpectrumKind spectrum)
    : kind_(kind),
      spectrum_(spectrum),
      harmonics_(harmonics),
      pinned_origin_(pinned_origin),
      hyper_(prior_hyper_parameters(kind, pinned_origin.has_value())) {
  if (kind == PriorKind::gp) {
    features_ = std::make_shared<Harmonics>(harmonics, c);
    map_ = linear_map(harmonics);
    return;
  }
  const bool constant = kind == PriorKind::offset;
  const double origin = pinned_origin.value_or(0.0);
  const auto integrated = std::make_shared<IntegratedHarmonics>(2 * harmonics, c, origin);
  features_ = integrated;
  map_ = squared_map(constant, harmonics, *integrated);
  const auto basis = std::make_shared<TrigBasis>(constant, harmonics, c, origin);
  basis_ = basis;
  squares_ = squares_on_grid(*basis, harmonics, c, origin, *integrated);
}

SourceModel TrigSource::at(const Vector& theta) const {
  return {features_, map_, basis_, prior_at(theta), squares_};
}

GaussianPrior TrigSource::prior_at(const Vector& theta) const {
  GaussianPrior prior(map_->inputs(), static_cast<Index>(hyper_.size()));
  const Spectrum spectrum = trig_spectrum(kind_, spectrum_, harmonics_, theta);
  const bool constant = kind_ == PriorKind::offset;
  const Index first = constant ? 1 : 0;
  const auto set = [&](Index i, int m) {
    const Index row = m - spectrum.lowest;
    prior.log_precision[i] = -spectrum.log_variance[row];
    prior.d_log_precision.row(i) = -spectrum.d_log_variance.row(row);
  };
  if (constant) {
    set(0, 0);
    prior.mean[0] = spectrum.mean;
    prior.d_mean.row(0) = spectrum.d_mean.transpose();
  }
  for (int m = 1; m <= harmonics_; ++m) {
    set(first + m - 1, m);
    set(first + harmonics_ + m - 1, m);
  }
  const HyperLayout at = hyper_layout(kind_);
  const Index level = first + 2 * static_cast<Index>(harmonics_);
  set_intercept(at, theta, spectrum, pinned_origin_, level, prior);
  if (!curvature_) return prior;
  const Index slope = level + 1, scale = at.mu + 1;
  if (curvature_->increasing) {
    prior.mean[slope] = std::exp(theta[scale] / 2) * std::numbers::sqrt2 / 2;
    prior.d_mean(slope, scale) = prior.mean[slope] / 2;
    prior.log_precision[slope] = std::numbers::ln2 - theta[scale];
    prior.d_log_precision(slope, scale) = -1;
  } else {
    prior.log_precision[slope] = -2 * theta[scale];
    prior.d_log_precision(slope, scale) = -2;
  }
  return prior;
}

double trig_kernel(double x, double z, double a, double b, double c, int harmonics) {
  const std::complex<double> q = std::polar(1 / a, pi * c * std::abs(x - z));
  return b * (q * (1.0 - std::pow(q, harmonics)) / (1.0 - q)).real();
}

double trig_kernel_limit(double x, double z, double a, double b, double c) {
  // 1 - cos t = 2 sin^2(t/2), so that nothing is lost for a and cos t near 1.
  const double s = std::sin(pi * c * (x - z) / 2);
  const double fall = 2 * a * s * s;  // a (1 - cos t)
  return b * (a - 1 - fall) / ((a - 1) * (a - 1) + 2 * fall);
}

}  // namespace linkgistic
