#include "inference/posterior.hpp"

#include <mutex>
#include <utility>

#include "numeric/normal.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

struct GaussianPosterior::Cache {
  std::once_flag once;
  std::shared_ptr<const QuadraticMap> map;
  SourceCovariance covariance;
};

GaussianPosterior::GaussianPosterior(Vector centre, Matrix factor)
    : centre_(std::move(centre)),
      factor_(std::move(factor)),
      covariance_(factor_ * factor_.transpose()),
      cache_(std::make_shared<Cache>()) {}

Matrix GaussianPosterior::draw(Index count, std::uint64_t seed) const {
  Matrix z(factor_.cols(), count);
  for (Index s = 0; s < count; ++s) {
    RandomStream random(seed, static_cast<std::uint64_t>(s));
    for (Index i = 0; i < z.rows(); ++i) z(i, s) = random.normal();
  }
  return (factor_ * z).colwise() + centre_;
}

Vector GaussianPosterior::point_coefficients(const QuadraticMap& map) const { return map.value(centre_); }

Vector GaussianPosterior::mean_coefficients(const QuadraticMap& map) const {
  // E kappa_p = kappa_p(mode) + tr(kappa''_p Sigma)/2.
  return map.value(centre_) + map.trace(covariance_) / 2;
}

SourceCovariance GaussianPosterior::source_covariance(const QuadraticMap& map) const {
  const Matrix root = map.jacobian(centre_) * factor_;
  SourceCovariance result{root * root.transpose(), Matrix(map.outputs(), map.outputs())};
  // tr(c_p Sigma c_q Sigma) = <m_p, m_q>, m_p = L' c_p L for Sigma = L L'.
  const Index n = factor_.cols();
  Matrix flat(n * n, map.outputs());
  for (Index p = 0; p < map.outputs(); ++p) {
    const Matrix m = factor_.transpose() * map.curvature(Vector::Unit(map.outputs(), p)) * factor_;
    flat.col(p) = m.reshaped();
  }
  result.quadratic = flat.transpose() * flat / 2;
  return result;
}

double GaussianPosterior::variance(const QuadraticMap& map, const Vector& phi) const {
  // nu = phi . kappa is quadratic in g with gradient d and constant second derivative c:
  // Var nu = d' Sigma d + tr(c Sigma c Sigma)/2.
  const Vector d = map.jacobian(centre_).transpose() * phi;
  const Matrix c_sigma = map.curvature(phi) * covariance_;
  return d.dot(covariance_ * d) + c_sigma.cwiseProduct(c_sigma.transpose()).sum() / 2;
}

const SourceCovariance& GaussianPosterior::covariance_of(const SourceModel& source) const {
  std::call_once(cache_->once, [&] {
    cache_->covariance = source_covariance(*source.map);
    cache_->map = source.map;
  });
  if (cache_->map != source.map) throw std::logic_error("a posterior belongs to one source");
  return cache_->covariance;
}

Vector GaussianPosterior::variances(const SourceModel& source, const Places& at, int threads) const {
  const SourceCovariance& covariance = covariance_of(source);
  const Vector linear = quadratic_forms(*source.features, at, covariance.linear, threads);
  if (!source.basis) return linear.cwiseMax(0);
  return linear.cwiseMax(quadratic_forms(*source.features, at, covariance.quadratic, threads)).cwiseMax(0);
}

VariationalPosterior::VariationalPosterior(Vector mean, Matrix factor, Matrix spread)
    : GaussianPosterior(std::move(mean), std::move(factor)), spread_(std::move(spread)) {}

double VariationalPosterior::variance(const QuadraticMap& map, const Vector& phi) const {
  const double own = GaussianPosterior::variance(map, phi);
  return spread_.size() > 0 ? own + (spread_.transpose() * phi).squaredNorm() : own;
}

Vector VariationalPosterior::variances(const SourceModel& source, const Places& at, int threads) const {
  const SourceCovariance& covariance = covariance_of(source);
  Matrix total = covariance.linear + covariance.quadratic;
  if (spread_.size() > 0) total += spread_ * spread_.transpose();
  return quadratic_forms(*source.features, at, total, threads).cwiseMax(0);
}

NormalValues GaussianPosterior::normal_at(const SourceModel& source, const Places& at, int threads) const {
  return {source_values(*source.features, at, point_coefficients(*source.map), threads),
          variances(source, at, threads)};
}

Matrix GaussianPosterior::quantiles(const SourceModel& source, const Places& at,
                                    std::span<const double> levels, int threads) const {
  const auto [centre, variance] = normal_at(source, at, threads);
  const Vector sd = variance.cwiseSqrt();
  Matrix result(centre.size(), static_cast<Index>(levels.size()));
  for (Index k = 0; k < result.cols(); ++k) {
    result.col(k) = centre + normal_quantile(levels[static_cast<std::size_t>(k)]) * sd;
  }
  return result;
}

Matrix GaussianPosterior::observation_quantiles(const SourceModel& source, const Places& at,
                                                std::span<const double> levels, const Response& response,
                                                const Vector& eta, int threads) const {
  const auto [centre, variance] = normal_at(source, at, threads);
  Matrix result(centre.size(), static_cast<Index>(levels.size()));
  for (Index k = 0; k < result.cols(); ++k) {
    result.col(k) = response.normal_quantiles(levels[static_cast<std::size_t>(k)], centre, variance, eta);
  }
  return result;
}

Matrix GaussianPosterior::linear_quantiles(const Matrix& a, std::span<const double> levels) const {
  const Vector centre = a.transpose() * centre_;
  const Vector sd = (factor_.transpose() * a).colwise().norm().transpose();
  Matrix result(centre.size(), static_cast<Index>(levels.size()));
  for (Index k = 0; k < result.cols(); ++k) {
    result.col(k) = centre + normal_quantile(levels[static_cast<std::size_t>(k)]) * sd;
  }
  return result;
}

}  // namespace linkgistic
