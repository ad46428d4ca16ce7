#include "inference/variational.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "numeric/decompositions.hpp"

namespace linkgistic {

// Moments of kappa under q. With u = points g: E kappa = kappa(m) + weights diag(Cov u), and
// Cov kappa = J S J' + 2 weights (Cov u o Cov u) weights', o entry by entry.
struct VariationalBound::Moments {
  Vector kappa;     // (P): E kappa
  Matrix jacobian;  // (P, d): J, of the whitened coordinates
  Matrix us;        // (Q, d): Cov(u, xi)
  Matrix uu;        // (Q, Q): Cov u
  const Matrix& covariance;
};

VariationalBound::VariationalBound(const LogJoint& joint)
    : joint_(joint),
      squares_(joint.source().squares ? *joint.source().squares : polarised(*joint.source().map)),
      white_points_(squares_.points(Eigen::all, joint.free_coordinates()) * joint.prior_sd().asDiagonal()) {}

VariationalBound::Moments VariationalBound::moments(const WhiteGaussian& q) const {
  const QuadraticMap& map = *joint_.source().map;
  const Vector g = joint_.to_full(q.mean);
  Moments at{map.value(g),
             map.jacobian(g)(Eigen::all, joint_.free_coordinates()) * joint_.prior_sd().asDiagonal(),
             white_points_ * q.covariance,
             {},
             q.covariance};
  at.uu = at.us * white_points_.transpose();
  at.kappa += squares_.weights * Vector(at.uu.diagonal());  // of a Gaussian process both are empty
  return at;
}

void VariationalBound::touch(const WhiteGaussian& q) {
  if (joint_.data().is_quadratic() && data_.linear.size() > 0) return;
  Matrix covariance;
  const Moments at = moments(q);
  if (!joint_.data().is_quadratic()) {
    covariance = at.jacobian * q.covariance * at.jacobian.transpose();
    covariance += 2 * squares_.weights * at.uu.cwiseAbs2() * squares_.weights.transpose();
  }
  data_ = joint_.data().quadratic_bound(at.kappa, covariance, joint_.eta());
  weighted_gram_ = data_.products(squares_.weights).j_gram_j;
}

// E_q of the data's quadratic function of kappa.
double VariationalBound::expected(const QuadraticBound& data, const Matrix& weighted_gram,
                                  const Moments& at) const {
  const double linear = data.products(at.jacobian).j_gram_j.cwiseProduct(at.covariance).sum();
  const double quadratic = weighted_gram.cwiseProduct(at.uu.cwiseAbs2()).sum();
  return data.at(at.kappa) - linear / 2 - quadratic;
}

double VariationalBound::minus_divergence(const WhiteGaussian& q) {
  double log_det = q.log_det.value_or(0);
  if (!q.log_det) {
    const Cholesky root(q.covariance);
    if (!root.positive()) return -std::numeric_limits<double>::infinity();
    log_det = root.log_determinant();
  }
  return (static_cast<double>(q.mean.size()) + log_det - q.covariance.trace() - q.mean.squaredNorm()) / 2;
}

double VariationalBound::value(const WhiteGaussian& q) const {
  return expected(data_, weighted_gram_, moments(q)) + minus_divergence(q);
}

double VariationalBound::derivatives(const WhiteGaussian& q, Vector& d_mean, Matrix& d_covariance) const {
  const Moments at = moments(q);
  const Vector r = data_.slope(at.kappa);                               // of the data's part in E kappa
  const auto [gram_jacobian, curvature] = data_.products(at.jacobian);  // gram J, J' gram J
  const Matrix& t = squares_.weights;
  const Matrix& f = white_points_;
  // L = ... - tr(J' gram J S)/2 - sum weighted_gram o Cov u o Cov u, with J = 2 weights diag(E u) points +
  // const.
  const Vector spread = (t.transpose() * gram_jacobian).cwiseProduct(at.us).rowwise().sum();
  d_mean = at.jacobian.transpose() * r - 2 * (f.transpose() * spread) - q.mean;
  Matrix inner = -2 * weighted_gram_.cwiseProduct(at.uu);
  inner.diagonal() += t.transpose() * r;
  d_covariance = f.transpose() * inner * f - curvature / 2;
  const double data = data_.at(at.kappa) - curvature.cwiseProduct(q.covariance).sum() / 2 -
                      weighted_gram_.cwiseProduct(at.uu.cwiseAbs2()).sum();
  return data + minus_divergence(q);
}

Vector VariationalBound::hyper_gradient(const WhiteGaussian& q) const {
  const GaussianPrior& prior = joint_.source().prior;
  const auto& free = joint_.free_coordinates();
  const Index n_source = prior.d_mean.cols();
  Vector gradient(n_source + joint_.eta().size());
  const Moments at = moments(q);
  // The derivative of the data's part in all coordinates of E g: hyper-parameters move the clamped ones.
  const Vector r = data_.slope(at.kappa);
  const Matrix gram_jacobian = data_.products(at.jacobian).gram_j;
  const Vector spread = (squares_.weights.transpose() * gram_jacobian).cwiseProduct(at.us).rowwise().sum();
  const Vector d_data = joint_.source().map->jacobian(joint_.to_full(q.mean)).transpose() * r -
                        2 * squares_.points.transpose() * spread;
  for (Index k = 0; k < n_source; ++k) {
    const Vector delta = prior.d_log_precision.col(k)(free);
    const Vector d_mean = prior.d_mean.col(k)(free);
    // E log p(g): xi = sqrt(precision) (g - mean) has mean m and variances S_ii.
    gradient[k] =
        (delta.array() * (1 - q.mean.array().square() - q.covariance.diagonal().array())).sum() / 2 +
        q.mean.cwiseQuotient(joint_.prior_sd()).dot(d_mean);
    for (Index i = 0; i < prior.mean.size(); ++i) {
      if (prior.clamped(i)) gradient[k] += d_data[i] * prior.d_mean(i, k);
    }
  }
  for (Index k = 0; k < joint_.eta().size(); ++k) {
    const QuadraticBound d = joint_.data().quadratic_bound_derivative(joint_.eta(), k);
    gradient[n_source + k] = expected(d, d.products(squares_.weights).j_gram_j, at);
  }
  return gradient;
}

namespace {

WhiteGaussian from_precision(Vector mean, const Cholesky& precision) {
  return {std::move(mean), precision.inverse(), -precision.log_determinant()};
}

// The precision of q in the whitened coordinates, I + that of the site.
Matrix white_precision(const LogJoint& joint, const GaussianSite& site) {
  const Vector& sd = joint.prior_sd();
  const Matrix data = sd.asDiagonal() * site.precision * sd.asDiagonal();
  Matrix precision = data + Matrix::Identity(sd.size(), sd.size());
  if (Cholesky(precision).positive()) return precision;
  const SymmetricEigen eigen(data);
  return eigen.with(1 + eigen.eigenvalues().array().max(0));
}

// Its mean: (I + D) xi = sd (shift - precision prior mean), with no division by a deviation that has shrunk.
WhiteGaussian white_gaussian(const LogJoint& joint, const GaussianSite& site, const Matrix& precision) {
  const Cholesky root(precision);
  const Vector prior_mean = joint.source().prior.mean(joint.free_coordinates());
  const Vector pull = joint.prior_sd().cwiseProduct(site.shift - site.precision * prior_mean);
  return from_precision(root.solve(pull), root);
}

}  // namespace

GaussianSite site_at(const LogJoint& joint, const Vector& g, const Matrix& precision) {
  const auto& free = joint.free_coordinates();
  return {precision, precision * Vector(g(free)) + joint.to_white(g).cwiseQuotient(joint.prior_sd())};
}

WhiteGaussian to_white(const LogJoint& joint, const VariationalFit& fit) {
  return white_gaussian(joint, fit.site, white_precision(joint, fit.site));
}

VariationalFit maximise_bound(const LogJoint& joint, const GaussianSite& start,
                              const VariationalOptions& options) {
  const Index d = joint.prior_sd().size();
  VariationalBound bound(joint);
  Matrix precision = white_precision(joint, start);
  WhiteGaussian q = white_gaussian(joint, start, precision);
  bound.touch(q);
  constexpr double little = 1e-2;  // of the bound
  bool mean_moves = !options.from_mode;
  VariationalFit fit;
  Vector d_mean;
  Matrix d_covariance;
  double current = bound.derivatives(q, d_mean, d_covariance);
  fit.trace.push_back(current);
  double step = 1;
  while (fit.iterations < options.max_iterations && !fit.converged) {
    const double rounding = 1e-13 * (1 + std::abs(current));
    const Matrix target = Matrix::Identity(d, d) - 2 * d_covariance;
    double gain = 0, raised = current;
    for (step = std::min(1.0, 2 * step); step > 1e-9; step /= 2) {
      const Matrix next_precision = (1 - step) * precision + step * target;
      const Cholesky root(next_precision);
      if (!root.positive()) continue;
      WhiteGaussian next =
          from_precision(mean_moves ? Vector(q.mean + step * root.solve(d_mean)) : q.mean, root);
      const double value = bound.value(next);
      if (!(value > current)) continue;
      gain = value - current;
      raised = value;
      q = std::move(next);
      precision = next_precision;
      break;
    }
    if (gain <= 0 && !mean_moves) {
      mean_moves = true;
      step = 1;
      continue;
    }
    if (gain <= 0) {
      // No step gains: converged when the first order promises no more than rounding could hide.
      const double promise = d_mean.dot(q.covariance * d_mean);
      fit.converged = promise <= std::fmax(options.tolerance, 1e3 * rounding);
      break;
    }
    ++fit.iterations;
    bound.touch(q);
    current = std::fmax(raised, bound.derivatives(q, d_mean, d_covariance));
    fit.trace.push_back(current);
    if (!mean_moves) {
      mean_moves = gain <= little;
      continue;
    }
    fit.converged = step == 1 && current - fit.trace[fit.trace.size() - 2] <= options.tolerance + rounding;
  }
  const auto& free = joint.free_coordinates();
  const Vector& sd = joint.prior_sd();
  const Vector inverse_sd = sd.cwiseInverse();
  fit.mean = joint.to_full(q.mean);
  fit.covariance = Matrix::Zero(fit.mean.size(), fit.mean.size());
  fit.covariance(free, free) = sd.asDiagonal() * q.covariance * sd.asDiagonal();
  fit.site =
      site_at(joint, fit.mean,
              inverse_sd.asDiagonal() * (precision - Matrix::Identity(d, d)) * inverse_sd.asDiagonal());
  fit.bound = current;
  return fit;
}

}  // namespace linkgistic
