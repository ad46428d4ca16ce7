#include "prior/nystrom_source.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <utility>

#include "prior/gaussian_bumps.hpp"
#include "prior/spectrum.hpp"

namespace linkgistic {
namespace {

class NystromBasis final : public Basis {
 public:
  NystromBasis(bool constant, Vector points, double a, Matrix weights)
      : constant_(constant), points_(std::move(points)), a_(a), weights_(std::move(weights)) {}
  [[nodiscard]] Index size() const override { return weights_.cols() + (constant_ ? 1 : 0); }
  void evaluate(double x, VectorRef phi) const override {
    const Vector kernel = (-a_ / 2 * (points_.array() - x).square()).exp();
    if (constant_) phi[0] = 1;
    phi.tail(weights_.cols()) = weights_.transpose() * kernel;
  }

 private:
  bool constant_;
  Vector points_;
  double a_;
  Matrix weights_;  // (points, functions)
};

// The bumps of the products: a kernel each at the points (for the constant times f), then the 2n-1 midpoints.
std::vector<Bump> product_bumps(const Vector& points, double a, bool constant) {
  std::vector<Bump> bumps;
  const Index n = points.size();
  if (constant) {
    for (Index j = 0; j < n; ++j) bumps.push_back({points[j], a / 2});
  }
  const double half_step = n > 1 ? (points[1] - points[0]) / 2 : 0;
  for (Index s = 0; s < 2 * n - 1; ++s) bumps.push_back({points[0] + half_step * static_cast<double>(s), a});
  return bumps;
}

// kappa in the coordinates (constant, kernel weights v, nu0).
QuadraticMap kernel_map(const Vector& points, double a, bool constant, const GaussianBumps& phi) {
  const Index n = points.size();
  const Index first = constant ? 1 : 0;
  QuadraticMap map(first + n + 1, phi.size());
  const Index products = phi.first_bump() + (constant ? n : 0);
  for (Index i = 0; i < n; ++i) {
    if (constant) map.add_quadratic(phi.first_bump() + i, 0, first + i, 2.0);
    for (Index j = 0; j <= i; ++j) {
      // k(x_i, z) k(x_j, z) = exp(-(a/4)(x_i - x_j)^2) exp(-a (z - m)^2)
      const double gap = points[i] - points[j];
      map.add_quadratic(products + i + j, first + i, first + j,
                        (i == j ? 1 : 2) * std::exp(-a / 4 * gap * gap));
    }
  }
  if (constant) map.add_quadratic(1, 0, 0, 1.0);
  map.add_linear(0, first + n, 1.0);
  return map;
}

}  // namespace

NystromSource::NystromSource(PriorKind kind, int points, double lower, double upper,
                             std::optional<double> pinned_origin)
    : kind_(kind), pinned_origin_(pinned_origin), hyper_(prior_hyper_parameters(kind)) {
  const double beyond = (upper - lower) / 10;
  points_ = Vector::LinSpaced(points, lower - beyond, upper + beyond);
  // The kernel's width, 1/sqrt(a), from the spacing of the points to many times the range.
  const double half = (upper - lower) / 2;
  const double step = points > 1 ? points_[1] - points_[0] : half;
  hyper_[0] = {"a",
               Coordinate::log,
               4 / (half * half),
               0.05 / (half * half),
               1 / (step * step),
               std::log(4 / (half * half)),
               1.5};
}

SourceModel NystromSource::at(const Vector& theta) const {
  const HyperLayout at = hyper_layout(kind_);
  const double a = std::exp(theta[at.a]);
  const double amplitude = std::exp(theta[at.amplitude]);
  const Index n = points_.size();
  const bool constant = kind_ == PriorKind::offset;
  const Index first = constant ? 1 : 0;

  Matrix kernel(n, n);
  for (Index j = 0; j < n; ++j) kernel.col(j) = (-a / 2 * (points_.array() - points_[j]).square()).exp();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(kernel);
  const Vector& lambda = eigen.eigenvalues();  // increasing
  const Index kept = (lambda.array() > 1e-8 * lambda[n - 1]).count();
  const Vector kept_lambda = lambda.tail(kept);
  const Matrix weights = eigen.eigenvectors().rightCols(kept) *
                         (std::sqrt(static_cast<double>(n)) * kept_lambda.cwiseInverse()).asDiagonal();

  // (constant, v, nu0) = transform (constant, w, nu0).
  Matrix transform = Matrix::Zero(first + n + 1, first + kept + 1);
  if (constant) transform(0, 0) = 1;
  transform.block(first, first, n, kept) = weights;
  transform(first + n, first + kept) = 1;

  SourceModel model;
  if (kind_ == PriorKind::gp) {
    std::vector<Bump> bumps;
    for (Index j = 0; j < n; ++j) bumps.push_back({points_[j], a / 2});
    model.features = std::make_shared<GaussianBumps>(std::move(bumps), std::nullopt);
    QuadraticMap map(n + 1, n + 1);
    for (Index j = 0; j < n; ++j) map.add_linear(1 + j, j, 1.0);
    map.add_linear(0, n, 1.0);
    model.map = std::make_shared<QuadraticMap>(map.after(transform));
  } else {
    const auto features =
        std::make_shared<GaussianBumps>(product_bumps(points_, a, constant), pinned_origin_.value_or(0.0));
    model.map = std::make_shared<QuadraticMap>(kernel_map(points_, a, constant, *features).after(transform));
    model.features = features;
    model.basis = std::make_shared<NystromBasis>(constant, points_, a, weights);
  }

  Spectrum spectrum;
  spectrum.d_mean_square = Vector::Zero(theta.size());
  spectrum.mean_square = amplitude;
  double variance = amplitude;  // of the kernel part
  model.prior = GaussianPrior(first + kept + 1, theta.size());
  if (constant) {
    const double v = 1 / (1 + std::exp(-theta[*at.v]));
    variance = amplitude * v / 2;
    model.prior.mean[0] = std::sqrt(amplitude * (1 - v));
    model.prior.log_precision[0] = -std::log(variance);
  }
  model.prior.log_precision.segment(first, kept) =
      -(kept_lambda.array() * variance / static_cast<double>(n)).log().matrix();
  set_intercept(theta, spectrum, pinned_origin_, model.prior);
  return model;
}

}  // namespace linkgistic
