#include "inference/joint_target.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <utility>

namespace linkgistic {
namespace {

constexpr int jump_attempts = 4;  // between two paths

}  // namespace

JointTarget::JointTarget(const SourceFamily& family, const DataTerm& data, Hyper hyper,
                         const std::vector<Place>& modes, Index symmetric)
    : family_(family),
      data_(data),
      hyper_(std::move(hyper)),
      symmetric_(symmetric),
      n_source_(static_cast<Index>(family.hyper_parameters().size())),
      held_(family.at(hyper_.theta.head(n_source_))),
      free_(held_.prior.free_coordinates()) {
  for (std::size_t i = 0; i < hyper_.learned.size(); ++i) {
    const auto k = static_cast<Index>(i);
    if (k >= n_source_ && hyper_.all[i].name == "precision") precision_ = k;
    if (!hyper_.learned[i]) continue;
    learned_.push_back(k);
    (k < n_source_ ? source_learned_ : eta_learned_) = true;
  }
  n_free_ = static_cast<Index>(free_.size());
  n_learned_ = static_cast<Index>(learned_.size());
  const Vector tau = Vector(held_.prior.log_precision(free_)).array().exp();
  const Vector root = tau.cwiseSqrt();
  const Vector mean = held_.prior.mean(free_);
  for (const Place& place : modes) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(
        (place.whitened_hessian + place.whitened_hessian.transpose()) / 2);
    const Matrix& u = eigen.eigenvectors();
    const Vector data_share = (eigen.eigenvalues().array() - 1).max(0.0);
    LabelledMode mode;
    mode.mean = place.g(free_);
    mode.information = root.asDiagonal() * (u * data_share.asDiagonal() * u.transpose()) * root.asDiagonal();
    mode.precision = mode.information;
    mode.precision.diagonal() += tau;
    mode.pull = mode.precision * mode.mean - tau.cwiseProduct(mean);
    mode.log_root_det = ((data_share.array() + 1).log().sum() + tau.array().log().sum()) / 2;
    modes_.push_back(std::move(mode));
  }
  if (learned_.empty()) {
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < modes_.size(); ++i) frames.push_back(frame(held_.prior, hyper_.theta, i));
    held_frames_ = std::move(frames);
  }
}

SourceModel JointTarget::source(const Vector& theta) const {
  return source_learned_ ? family_.at(theta.head(n_source_)) : held_;
}

Vector JointTarget::theta(const Vector& x) const {
  Vector theta = hyper_.theta;
  theta(learned_) = x.tail(n_learned_);
  return theta;
}

double JointTarget::information_scale(const Vector& theta) const {
  return precision_ < 0 ? 1 : std::exp(theta[precision_] - hyper_.theta[precision_]);
}

JointTarget::Frame JointTarget::frame(const GaussianPrior& prior, const Vector& theta,
                                      std::size_t label) const {
  if (!held_frames_.empty()) return held_frames_[label];
  const LabelledMode& mode = modes_[label];
  const double scale = information_scale(theta);
  Frame at;
  at.tau = Vector(prior.log_precision(free_)).array().exp();
  at.lower = scale * mode.information;
  at.lower.diagonal() += at.tau;
  Eigen::LLT<Eigen::Ref<Matrix>> llt(at.lower);  // in place
  at.s = at.tau.cwiseProduct(Vector(prior.mean(free_))) + scale * mode.pull;
  at.lower.triangularView<Eigen::Lower>().solveInPlace(at.s);
  return at;
}

Vector JointTarget::g(const Vector& x, std::size_t label) const {
  const Vector at = theta(x);
  const SourceModel model = source(at);
  const Frame f = frame(model.prior, at, label);
  Vector g = model.prior.mean;
  const Vector v = x.head(n_free_) + f.s;
  g(free_) = Vector(f.lower.triangularView<Eigen::Lower>().transpose().solve(v));
  return g;
}

Vector JointTarget::coordinates(const Vector& g, const Vector& theta, std::size_t label) const {
  const Frame f = frame(source(theta).prior, theta, label);
  Vector x(dimension());
  x.head(n_free_) = f.lower.triangularView<Eigen::Lower>().transpose() * Vector(g(free_)) - f.s;
  x.tail(n_learned_) = theta(learned_);
  return x;
}

Vector JointTarget::log_bells(const Vector& g, Matrix* slopes) const {
  constexpr double freedom = 5;
  const double power = freedom + static_cast<double>(n_free_);
  const auto modes = static_cast<Index>(modes_.size());
  const Index sides = symmetric_ > 0 ? 2 : 1;
  Vector log_q(sides * modes);
  if (slopes != nullptr) slopes->resize(n_free_, sides * modes);
  Vector at = g(free_);
  for (Index side = 0; side < sides; ++side) {
    if (side == 1) at.head(symmetric_) *= -1;
    for (Index i = 0; i < modes; ++i) {
      const LabelledMode& mode = modes_[static_cast<std::size_t>(i)];
      const Vector away = at - mode.mean;
      Vector slope = mode.precision * away;
      const double square = away.dot(slope);
      log_q[side * modes + i] = mode.log_root_det - power / 2 * std::log1p(square / freedom);
      if (slopes == nullptr) continue;
      slope *= power / (freedom + square);
      if (side == 1) slope.head(symmetric_) *= -1;
      slopes->col(side * modes + i) = slope;
    }
  }
  return log_q;
}

double JointTarget::value_and_gradient(const Vector& x, std::size_t label, Vector& gradient) const {
  const auto solve_size = static_cast<double>(n_free_);
  const Vector at = theta(x);
  const SourceModel model = source(at);
  const GaussianPrior& prior = model.prior;
  Frame made;
  const Frame& f = held_frames_.empty() ? (made = frame(prior, at, label)) : held_frames_[label];
  const auto lower = f.lower.triangularView<Eigen::Lower>();
  const Vector v = x.head(n_free_) + f.s;
  const Vector g_free = lower.transpose().solve(v);
  Vector g = prior.mean;
  g(free_) = g_free;

  const DataGradient data = data_.gradient(model.map->value(g), at.tail(at.size() - n_source_), eta_learned_);
  Vector d_data = model.map->pull_back(g, data.kappa);
  // The prior's part and the Jacobian, -log det H/2.
  const Vector away = g_free - Vector(prior.mean(free_));
  double value = data.value +
                 (Vector(prior.log_precision(free_)).sum() - away.dot(f.tau.cwiseProduct(away)) -
                  solve_size * std::log(2 * std::numbers::pi)) /
                     2 -
                 f.lower.diagonal().array().log().sum();
  if (modes_.size() > 1 || symmetric_ > 0) {
    Matrix slopes;
    const Vector log_q = log_bells(g, &slopes);
    const auto own = static_cast<Index>(label);
    const double most = log_q.maxCoeff();
    Vector share = (log_q.array() - most).exp();
    const double sum = share.sum();
    share /= sum;
    const Vector d_share = slopes * share - slopes.col(own);
    for (Index i = 0; i < n_free_; ++i) d_data[free_[static_cast<std::size_t>(i)]] += d_share[i];
    value += log_q[own] - most - std::log(sum);
  }
  gradient.resize(dimension());
  const Vector d_u = lower.solve(Vector(d_data(free_)) - f.tau.cwiseProduct(away));  // L^-1 d log p/dg
  gradient.head(n_free_) = d_u;
  if (learned_.empty()) return value;

  Vector d_theta = Vector::Zero(at.size());
  d_theta.tail(data.eta.size()) = data.eta;
  add_source_gradient(prior, f, g, d_data, d_u, v, d_theta);
  for (Index k = 0; k < n_learned_; ++k) {
    const Index i = learned_[static_cast<std::size_t>(k)];
    const HyperParameter& h = hyper_.all[static_cast<std::size_t>(i)];
    const double z = (at[i] - h.prior_mean) / h.prior_sd;
    value -= z * z / 2 + std::log(h.prior_sd) + std::log(2 * std::numbers::pi) / 2;
    gradient[n_free_ + k] = d_theta[i] - z / h.prior_sd;
  }
  return value;
}

// With d = L^-1 dlog p/dg, s = L^-1 h, v = u + s, E = L^-1 dH L^-T and Phi(E) its lower triangle with half of
// the diagonal: dL = L Phi(E) and
//   d . L' dg = -tr(Phi(E)(d v' + s d')) + (L^-T d) . dh = -<dH, L^-T N L^-1> + (L^-T d) . dh,
// N the symmetric matrix whose upper triangle is half of that of d v' + s d'. With the Jacobian's
// -tr(H^-1 dH)/2 it is W = L^-T (N + 1/2) L^-1. dH = diag(tau dlog tau) + I dlog alpha, <H, W> = tr(N + 1/2).
void JointTarget::add_source_gradient(const GaussianPrior& prior, const Frame& f, const Vector& g,
                                      const Vector& d_data, const Vector& d_u, const Vector& v,
                                      Vector& d_theta) const {
  const auto lower = f.lower.triangularView<Eigen::Lower>();
  Matrix n = (d_u * v.transpose() + f.s * d_u.transpose()) / 2;
  n.triangularView<Eigen::StrictlyLower>() = n.transpose();
  n.diagonal().array() += 0.5;
  const double trace = n.trace();
  const Matrix inverse = lower.solve(Matrix::Identity(n_free_, n_free_));  // L^-1
  const Vector w = (n * inverse).cwiseProduct(inverse).colwise().sum();    // diagonal of W
  const Vector d_h = lower.transpose().solve(d_u);

  const Vector mean = prior.mean(free_);
  const Vector away = Vector(g(free_)) - mean;
  const Vector d_log_tau =
      (f.tau.array() * (mean.array() * d_h.array() - w.array() - away.array().square() / 2)) + 0.5;
  // Clamped coordinates are at their mean, wherever it goes.
  Vector d_mean = d_data;
  d_mean(free_) = f.tau.cwiseProduct(away + d_h);
  if (source_learned_) {
    d_theta.head(n_source_) += prior.d_mean.transpose() * d_mean;
    for (Index i = 0; i < n_free_; ++i) {
      d_theta.head(n_source_) +=
          d_log_tau[i] * prior.d_log_precision.row(free_[static_cast<std::size_t>(i)]).transpose();
    }
  }
  if (precision_ >= 0) {
    // alpha j = h - tau m, and h = L s.
    const Vector pull = lower * f.s - f.tau.cwiseProduct(mean);
    d_theta[precision_] += d_h.dot(pull) - (trace - f.tau.dot(w));
  }
}

void JointTarget::draw_label(TargetPoint& point, RandomStream& random) const {
  Vector at = g(point.x, point.label);
  const Vector log_q = log_bells(at, nullptr);
  const Vector share = (log_q.array() - log_q.maxCoeff()).exp();
  double left = random.uniform() * share.sum();
  Index drawn = 0;
  while (drawn + 1 < share.size() && left > share[drawn]) left -= share[drawn++];
  const auto modes = static_cast<Index>(modes_.size());
  const bool image = drawn >= modes;
  if (image) {
    at.head(symmetric_) *= -1;
    drawn -= modes;
  }
  if (!image && drawn == static_cast<Index>(point.label)) return;
  point.label = static_cast<std::size_t>(drawn);
  point.x = coordinates(at, theta(point.x), point.label);
  point.log_density = value_and_gradient(point.x, point.label, point.gradient);
}

bool JointTarget::jump(TargetPoint& point, RandomStream& random) const {
  if (modes_.size() < 2 && symmetric_ == 0) return false;
  draw_label(point, random);
  if (modes_.size() < 2) return false;
  bool moved = false;
  for (int attempt = 0; attempt < jump_attempts; ++attempt) {
    const std::size_t other = random.below(modes_.size() - 1);
    const double chance = random.uniform();
    TargetPoint next = point;
    next.label = other < point.label ? other : other + 1;
    next.log_density = value_and_gradient(next.x, next.label, next.gradient);
    if (!std::isfinite(next.log_density) || !(std::log(chance) < next.log_density - point.log_density))
      continue;
    point = std::move(next);
    moved = true;
  }
  return moved;
}

}  // namespace linkgistic
