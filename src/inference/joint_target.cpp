#include "inference/joint_target.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace linkgistic {

JointTarget::JointTarget(const SourceFamily& family, const DataTerm& data,
                         const std::vector<HyperParameter>& hyper, const Vector& theta,
                         const std::vector<bool>& learned, Vector centring)
    : family_(family),
      data_(data),
      hyper_(hyper),
      theta_(theta),
      n_source_(static_cast<Index>(family.hyper_parameters().size())),
      held_(family.at(theta.head(n_source_))),
      source_learned_(false),
      eta_learned_(false),
      free_(held_.prior.free_coordinates()),
      centring_(std::move(centring)) {
  for (std::size_t i = 0; i < learned.size(); ++i) {
    if (!learned[i]) continue;
    learned_.push_back(static_cast<Index>(i));
    (learned_.back() < n_source_ ? source_learned_ : eta_learned_) = true;
  }
}

Index JointTarget::dimension() const { return free_dimension() + static_cast<Index>(learned_.size()); }

SourceModel JointTarget::source(const Vector& theta) const {
  return source_learned_ ? family_.at(theta.head(n_source_)) : held_;
}

Vector JointTarget::theta(const Vector& x) const {
  Vector theta = theta_;
  theta(learned_) = x.tail(static_cast<Index>(learned_.size()));
  return theta;
}

// xi_i = (c_i - centring_i m_i)/s_i^centring_i.
Vector JointTarget::whitened(const Vector& c, const GaussianPrior& prior) const {
  const Vector mean = prior.mean(free_);
  const Vector log_precision = prior.log_precision(free_);
  return (c - centring_.cwiseProduct(mean)).array() * (centring_.array() * log_precision.array() / 2).exp();
}

Vector JointTarget::g(const Vector& x) const {
  const SourceModel model = source(theta(x));
  Vector g = model.prior.mean;
  const Vector log_precision = model.prior.log_precision(free_);
  g(free_) +=
      Vector(whitened(x.head(free_dimension()), model.prior).array() * (-log_precision / 2).array().exp());
  return g;
}

Vector JointTarget::coordinates(const Vector& g, const Vector& theta) const {
  const SourceModel model = source(theta);
  const Vector mean = model.prior.mean(free_);
  const Vector log_precision = model.prior.log_precision(free_);
  Vector x(dimension());
  // c_i = centring_i m_i + s_i^(centring_i - 1) (g_i - m_i).
  x.head(free_dimension()) =
      centring_.array() * mean.array() +
      (Vector(g(free_)) - mean).array() * ((1 - centring_.array()) * log_precision.array() / 2).exp();
  x.tail(static_cast<Index>(learned_.size())) = theta(learned_);
  return x;
}

double JointTarget::value_and_gradient(const Vector& x, Vector& gradient) const {
  const Index n = free_dimension();
  const Vector at = theta(x);
  const SourceModel model = source(at);
  const GaussianPrior& prior = model.prior;
  const Eigen::ArrayXd log_precision = prior.log_precision(free_);
  const Eigen::ArrayXd xi = whitened(x.head(n), prior);
  const Eigen::ArrayXd phi = centring_;
  Vector g = prior.mean;
  g(free_) += ((-log_precision / 2).exp() * xi).matrix();

  const DataGradient data = data_.gradient(model.map->value(g), at.tail(at.size() - n_source_), eta_learned_);
  const Vector all = model.map->pull_back(g, data.kappa);  // d log p(D | g)/dg
  const Eigen::ArrayXd d_g = all(free_);
  const Eigen::ArrayXd s_centred = (phi * log_precision / 2).exp();     // s^-centring
  const Eigen::ArrayXd s_rest = ((phi - 1) * log_precision / 2).exp();  // s^(1 - centring)

  gradient.resize(dimension());
  gradient.head(n) = d_g * s_rest - xi * s_centred;
  double value = data.value + (phi * log_precision - xi.square()).sum() / 2 -
                 static_cast<double>(n) * std::log(2 * std::numbers::pi) / 2;
  if (learned_.empty()) return value;

  Vector d_theta = Vector::Zero(at.size());
  if (source_learned_) {
    // Clamped coordinates are at their mean, wherever it goes.
    Vector d_mean = all;
    d_mean(free_) = (xi * phi * s_centred + d_g * (1 - phi * s_rest)).matrix();
    const Vector d_log_precision =
        (phi * (1 - xi.square()) - d_g * (1 - phi) * (-log_precision / 2).exp() * xi) / 2;
    d_theta.head(n_source_) = prior.d_mean.transpose() * d_mean;
    for (Index i = 0; i < n; ++i) {
      d_theta.head(n_source_) +=
          d_log_precision[i] * prior.d_log_precision.row(free_[static_cast<std::size_t>(i)]).transpose();
    }
  }
  d_theta.tail(data.eta.size()) = data.eta;
  for (Index k = 0; k < static_cast<Index>(learned_.size()); ++k) {
    const Index i = learned_[static_cast<std::size_t>(k)];
    const HyperParameter& h = hyper_[static_cast<std::size_t>(i)];
    const double z = (at[i] - h.prior_mean) / h.prior_sd;
    value -= z * z / 2 + std::log(h.prior_sd) + std::log(2 * std::numbers::pi) / 2;
    gradient[n + k] = d_theta[i] - z / h.prior_sd;
  }
  return value;
}

}  // namespace linkgistic
