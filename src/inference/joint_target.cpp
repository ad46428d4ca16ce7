#include "inference/joint_target.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "numeric/decompositions.hpp"
#include "numeric/lower_triangular.hpp"

namespace linkgistic {
namespace {

constexpr int jump_attempts = 4;  // between two paths

}  // namespace

JointTarget::JointTarget(const Problem& problem, const DataTerm& data, const std::vector<Place>& modes,
                         Index symmetric)
    : problem_(problem),
      data_(data),
      symmetric_(symmetric),
      n_source_(problem.source_hyper()),
      held_(problem.source_at(problem.theta)),
      free_(held_.prior.free_coordinates()) {
  for (std::size_t i = 0; i < problem.learned.size(); ++i) {
    const auto k = static_cast<Index>(i);
    if (k >= n_source_ && problem.hyper[i].is_scale) scale_ = k;
    if (!problem.learned[i]) continue;
    learned_.push_back(k);
    (k < n_source_ ? source_learned_ : eta_learned_) = true;
  }
  n_free_ = static_cast<Index>(free_.size());
  n_learned_ = static_cast<Index>(learned_.size());
  const Vector tau = Vector(held_.prior.log_precision(free_)).array().exp();
  const Vector root = tau.cwiseSqrt();
  const Vector mean = held_.prior.mean(free_);
  for (const Place& place : modes) {
    const SymmetricEigen eigen((place.whitened_hessian + place.whitened_hessian.transpose()) / 2);
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
    held_frames_.resize(modes_.size());
    for (std::size_t i = 0; i < modes_.size(); ++i)
      make_frame(held_.prior, problem_.theta, i, held_frames_[i]);
  }
}

struct JointTarget::Scratch {
  Vector theta, d_theta;
  GaussianPrior prior;
  Frame made;
  const Frame* frame = nullptr;  // `made`, or one that is held
  Vector v, g_free, g, kappa;    // v = u + s
  Vector away;                   // g - m, free
  DataGradient data;
  Vector d_data, d_u, d_h;  // d_data: d log p(D | g)/dg, that of the labels included
  Matrix inverse;           // L^-T
  Vector sum_d, sum_s, w;
  Vector log_q, share;
  Matrix slopes;
};

JointTarget::Scratch& JointTarget::scratch() {
  static thread_local Scratch kept;
  return kept;
}

GaussianPrior JointTarget::prior(const Vector& theta) const {
  return source_learned_ ? problem_.family->prior_at(theta.head(n_source_)) : held_.prior;
}

Vector JointTarget::theta(const Vector& x) const {
  Vector theta = problem_.theta;
  theta(learned_) = x.tail(n_learned_);
  return theta;
}

double JointTarget::information_scale(const Vector& theta) const {
  return scale_ < 0 ? 1 : std::exp(theta[scale_] - problem_.theta[scale_]);
}

void JointTarget::make_frame(const GaussianPrior& prior, const Vector& theta, std::size_t label,
                             Frame& frame) const {
  const LabelledMode& mode = modes_[label];
  const double scale = information_scale(theta);
  frame.mean = prior.mean(free_);
  frame.tau = prior.log_precision(free_);
  frame.log_tau = frame.tau.sum();
  frame.tau = frame.tau.array().exp();
  frame.lower = scale * mode.information;
  frame.lower.diagonal() += frame.tau;
  cholesky_in_place(frame.lower);
  frame.s = frame.tau.cwiseProduct(frame.mean) + scale * mode.pull;
  solve_lower(frame.lower, frame.s);
}

void JointTarget::place(const Vector& x, std::size_t label, Scratch& at) const {
  at.theta = problem_.theta;
  at.theta(learned_) = x.tail(n_learned_);
  if (held_frames_.empty()) {
    if (source_learned_) at.prior = problem_.family->prior_at(at.theta.head(n_source_));
    make_frame(source_learned_ ? at.prior : held_.prior, at.theta, label, at.made);
    at.frame = &at.made;
  } else {
    at.frame = &held_frames_[label];
  }
  at.v = x.head(n_free_) + at.frame->s;
  at.g_free = at.v;
  solve_lower_transposed(at.frame->lower, at.g_free);
  at.g = source_learned_ ? at.prior.mean : held_.prior.mean;
  at.g(free_) = at.g_free;
}

Vector JointTarget::g(const Vector& x, std::size_t label) const {
  Scratch& at = scratch();
  place(x, label, at);
  return at.g;
}

Vector JointTarget::coordinates(const Vector& g, const Vector& theta, std::size_t label) const {
  Frame f;
  make_frame(prior(theta), theta, label, f);
  Vector u;
  lower_transposed_product(f.lower, g(free_), u);
  Vector x(dimension());
  x.head(n_free_) = u - f.s;
  x.tail(n_learned_) = theta(learned_);
  return x;
}

void JointTarget::log_bells(const Vector& g, Vector& log_q, Matrix* slopes) const {
  constexpr double freedom = 5;
  const double power = freedom + static_cast<double>(n_free_);
  const auto modes = static_cast<Index>(modes_.size());
  const Index sides = symmetric_ > 0 ? 2 : 1;
  log_q.resize(sides * modes);
  if (slopes != nullptr) slopes->resize(n_free_, sides * modes);
  Vector at = g(free_);
  Vector away, slope;
  for (Index side = 0; side < sides; ++side) {
    if (side == 1) at.head(symmetric_) *= -1;
    for (Index i = 0; i < modes; ++i) {
      const LabelledMode& mode = modes_[static_cast<std::size_t>(i)];
      away = at - mode.mean;
      slope.noalias() = mode.precision * away;
      const double square = away.dot(slope);
      log_q[side * modes + i] = mode.log_root_det - power / 2 * std::log1p(square / freedom);
      if (slopes == nullptr) continue;
      slope *= power / (freedom + square);
      if (side == 1) slope.head(symmetric_) *= -1;
      slopes->col(side * modes + i) = slope;
    }
  }
}

double JointTarget::evaluate(const Vector& x, std::size_t label, Vector* gradient) const {
  Scratch& at = scratch();
  place(x, label, at);
  const Frame& f = *at.frame;
  held_.map->value(at.g, at.kappa);
  at.data = data_.gradient(at.kappa, at.theta.tail(at.theta.size() - n_source_),
                           gradient != nullptr && eta_learned_);
  // The prior's part and the Jacobian, -log det H/2.
  at.away = at.g_free - f.mean;
  double value = at.data.value +
                 (f.log_tau - at.away.dot(f.tau.cwiseProduct(at.away)) -
                  static_cast<double>(n_free_) * std::log(2 * std::numbers::pi)) /
                     2 -
                 f.lower.diagonal().array().log().sum();
  const bool labelled = modes_.size() > 1 || symmetric_ > 0;
  const auto own = static_cast<Index>(label);
  if (labelled) {
    log_bells(at.g, at.log_q, gradient != nullptr ? &at.slopes : nullptr);
    const double most = at.log_q.maxCoeff();
    at.share = (at.log_q.array() - most).exp();
    const double sum = at.share.sum();
    at.share /= sum;
    value += at.log_q[own] - most - std::log(sum);
  }
  for (const Index i : learned_) {
    const HyperParameter& h = problem_.hyper[static_cast<std::size_t>(i)];
    const double z = (at.theta[i] - h.prior_mean) / h.prior_sd;
    value -= z * z / 2 + std::log(h.prior_sd) + std::log(2 * std::numbers::pi) / 2;
  }
  if (gradient == nullptr) return value;

  held_.map->pull_back(at.g, at.data.kappa, at.d_data);
  if (labelled) {
    at.d_u.noalias() = at.slopes * at.share;
    at.d_u -= at.slopes.col(own);
    for (Index i = 0; i < n_free_; ++i) at.d_data[free_[static_cast<std::size_t>(i)]] += at.d_u[i];
  }
  at.d_u = at.d_data(free_);
  at.d_u -= f.tau.cwiseProduct(at.away);
  solve_lower(f.lower, at.d_u);  // L^-1 d log p/dg
  gradient->resize(dimension());
  gradient->head(n_free_) = at.d_u;
  if (learned_.empty()) return value;

  at.d_theta.setZero(at.theta.size());
  at.d_theta.tail(at.data.eta.size()) = at.data.eta;
  add_source_gradient(label, at);
  for (Index k = 0; k < n_learned_; ++k) {
    const Index i = learned_[static_cast<std::size_t>(k)];
    const HyperParameter& h = problem_.hyper[static_cast<std::size_t>(i)];
    (*gradient)[n_free_ + k] = at.d_theta[i] - (at.theta[i] - h.prior_mean) / (h.prior_sd * h.prior_sd);
  }
  return value;
}

// With d = L^-1 dlog p/dg, s = L^-1 h, v = u + s, E = L^-1 dH L^-T and Phi(E) its lower triangle with half of
// the diagonal: dL = L Phi(E) and
//   d . L' dg = -tr(Phi(E)(d v' + s d')) + (L^-T d) . dh = -<dH, L^-T N L^-1> + (L^-T d) . dh,
// N the symmetric matrix whose upper triangle is half of that of d v' + s d'. With the Jacobian's
// -tr(H^-1 dH)/2 it is W = L^-T (N + 1/2) L^-1. dH = diag(tau dlog tau) + I dlog alpha, <H, W> = tr(N + 1/2).
// Only the diagonal of W is needed. With l the column i of L^-1,
//   W_ii = sum_k l_k (l_k (N_kk + 1/2) + v_k sum_{j<k} d_j l_j + d_k sum_{j<k} s_j l_j).
void JointTarget::add_source_gradient(std::size_t label, Scratch& at) const {
  const Frame& f = *at.frame;
  invert_lower_transposed(f.lower, at.inverse);
  at.w.setZero(n_free_);
  at.sum_d.setZero(n_free_);
  at.sum_s.setZero(n_free_);
  double trace = 0;
  for (Index k = 0; k < n_free_; ++k) {
    const auto l = at.inverse.col(k).head(k + 1).array();  // l_k for all i <= k
    const double diagonal = (at.d_u[k] * (at.v[k] + f.s[k]) + 1) / 2;
    trace += diagonal;
    at.w.head(k + 1).array() += l * (l * diagonal + at.v[k] * at.sum_d.head(k + 1).array() +
                                     at.d_u[k] * at.sum_s.head(k + 1).array());
    at.sum_d.head(k + 1).array() += at.d_u[k] * l;
    at.sum_s.head(k + 1).array() += f.s[k] * l;
  }
  at.d_h = at.d_u;
  solve_lower_transposed(f.lower, at.d_h);

  if (scale_ >= 0) {
    // alpha j = h - tau m.
    const double pull = information_scale(at.theta) * at.d_h.dot(modes_[label].pull);
    at.d_theta[scale_] += pull - (trace - f.tau.dot(at.w));
  }
  if (!source_learned_) return;
  const GaussianPrior& prior = at.prior;
  for (Index k = 0; k < n_free_; ++k) {
    const Index i = free_[static_cast<std::size_t>(k)];
    const double d_log_tau = f.tau[k] * (f.mean[k] * at.d_h[k] - at.w[k] - at.away[k] * at.away[k] / 2) + 0.5;
    at.d_data[i] = f.tau[k] * (at.away[k] + at.d_h[k]);  // d log p/d mean
    at.d_theta.head(n_source_) += d_log_tau * prior.d_log_precision.row(i).transpose();
  }
  // Clamped coordinates are at their mean, wherever it goes.
  at.d_theta.head(n_source_).noalias() += prior.d_mean.transpose() * at.d_data;
}

void JointTarget::draw_label(TargetPoint& point, RandomStream& random) const {
  Vector at = g(point.x, point.label);
  Vector log_q;
  log_bells(at, log_q, nullptr);
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
    const std::size_t label = other < point.label ? other : other + 1;
    const double log_density = evaluate(point.x, label, nullptr);
    if (!std::isfinite(log_density) || !(std::log(chance) < log_density - point.log_density)) continue;
    point.label = label;
    point.log_density = evaluate(point.x, label, &point.gradient);
    moved = true;
  }
  return moved;
}

}  // namespace linkgistic
