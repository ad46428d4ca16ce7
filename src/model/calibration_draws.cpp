#include "model/calibration_draws.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "compute/loss_table.hpp"
#include "inference/laplace.hpp"
#include "inference/variational.hpp"
#include "likelihood/pointwise_data.hpp"
#include "likelihood/proper_loss_likelihood.hpp"
#include "model/calibration_source.hpp"
#include "model/fitted_calibrator.hpp"
#include "numeric/chain_diagnostics.hpp"
#include "numeric/elliptical_slice.hpp"
#include "numeric/pareto.hpp"
#include "prior/features.hpp"

namespace linkgistic {
namespace {

constexpr int cells = 128;
constexpr int outer_nodes = 48;
constexpr int warmup = 200;
constexpr int kept = calibration_draw_count;
constexpr int thinning = 8;  // moves a kept draw

std::vector<double> make_nodes(double lower, double upper) {
  const double range = upper > lower ? upper - lower : 1;
  std::vector<double> q;
  for (int i = outer_nodes; i > 0; --i) q.push_back(lower - range * std::expm1(0.2 * i) / 20);
  for (int i = 0; i <= cells; ++i) {
    const double share = static_cast<double>(i) / cells;
    q.push_back((1 - share) * lower + share * upper);
    if (!(upper > lower)) break;
  }
  for (int i = 1; i <= outer_nodes; ++i) q.push_back(upper + range * std::expm1(0.2 * i) / 20);
  return q;
}

// The posterior in coordinates z around a Gaussian approximation, Laplace's or the variational one:
// u = u* + root z the whitened ones of g.
class PosteriorFrame {
 public:
  explicit PosteriorFrame(const FittedCalibratorState& state)
      : state_(state),
        loss_(make_table(state)),
        source_(CalibrationSource(state.options.prior, state.options.harmonics, state.period(), state.origin)
                    .rough()) {
    const WeightedRows& rows = state.rows;
    std::vector<double> t(rows.size());
    for (std::size_t n = 0; n < t.size(); ++n) t[n] = state.t(rows.x[n]);
    const auto likelihood = make_likelihood(make_loss(state.options.loss));
    const PointwiseData data(source_.features, likelihood, t, rows.y, rows.weight, 1);
    const LogJoint joint(source_, data, Vector());
    const Mode mode = find_mode(joint, state.components.back().mode);
    sd_ = joint.prior_sd();
    if (state.options.inference == Inference::variational) {
      place_at_bound(joint, mode);
    } else {
      place_at_mode(joint, mode);
    }
    phi_.resize(static_cast<Index>(t.size()), source_.features->size());
    for (std::size_t n = 0; n < t.size(); ++n) {
      phi_.row(static_cast<Index>(n)) = source_.features->at(t[n]).transpose();
    }
  }

  [[nodiscard]] Index dimension() const { return centre_.size(); }

  [[nodiscard]] Vector kappa(const Vector& z) const { return coefficients(centre_ + root_ * z); }

  // log p(D, g) - log N(z; 0, I), up to a constant.
  [[nodiscard]] double operator()(const Vector& z) const {
    const Vector u = centre_ + root_ * z;
    const Vector nu = phi_ * coefficients(u);
    double sum = (z.squaredNorm() - u.squaredNorm()) / 2;
    const WeightedRows& rows = state_.rows;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      sum -= rows.weight[n] * loss_.at(rows.y[n] > 0.5 ? 1 : 0, nu[static_cast<Index>(n)]).value;
    }
    return sum;
  }

  [[nodiscard]] const Features& features() const { return *source_.features; }

 private:
  void place_at_mode(const LogJoint& joint, const Mode& mode) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(mode.whitened_hessian);
    // Slices move easily in a Gaussian wider than the posterior, and hardly where it has the heavier tails.
    const double wider = state_.options.inference == Inference::mcmc ? 3 : 1;
    const Vector precision =
        (eigen.eigenvalues() / (wider * wider)).cwiseMax(1.0);  // no wider than the prior
    root_ = eigen.eigenvectors() * precision.array().rsqrt().matrix().asDiagonal();
    centre_ = joint.to_white(mode.g);
  }

  void place_at_bound(const LogJoint& joint, const Mode& mode) {
    const Index d = sd_.size();
    const Vector unit = sd_.cwiseInverse();
    const Matrix precision =
        unit.asDiagonal() * (mode.whitened_hessian - Matrix::Identity(d, d)) * unit.asDiagonal();
    VariationalOptions options;
    options.from_mode = true;
    const WhiteGaussian q =
        to_white(joint, maximise_bound(joint, site_at(joint, mode.g, precision), options));
    centre_ = q.mean;
    root_ = q.covariance.llt().matrixL();
  }

  static LossTable make_table(const FittedCalibratorState& state) {
    if (!state.loss) return LossTable::logistic();
    const auto likelihood = make_likelihood(state.loss);
    const Vector none;
    // Cells of 1/16.
    return LossTable::tabulate(-40, 40, 4, [&](int label, double nu) {
      const LogDensity l = likelihood->at(label, nu, none);
      return LossNode{-l.value, -l.first};
    });
  }

  [[nodiscard]] Vector coefficients(const Vector& u) const {
    return source_.map->value(source_.prior.mean + sd_.cwiseProduct(u));
  }

  const FittedCalibratorState& state_;
  LossTable loss_;  // minus the log likelihood of a row
  SourceModel source_;
  Matrix root_;
  Vector centre_, sd_;
  Matrix phi_;  // (rows, P)
};

// (kept, P): kappa of draws of the frame's Gaussian, with how well it stands for the posterior.
Matrix gaussian_draws(const PosteriorFrame& frame, Inference inference, PosteriorQuality& quality) {
  Matrix kappa(kept, frame.features().size());
  std::vector<double> log_ratio(kept);
  for (int s = 0; s < kept; ++s) {
    RandomStream random(0, static_cast<std::uint64_t>(s));
    Vector z(frame.dimension());
    for (double& x : z) x = random.normal();
    kappa.row(s) = frame.kappa(z).transpose();
    log_ratio[static_cast<std::size_t>(s)] = frame(z);
  }
  quality = gaussian_quality(inference, pareto_shape(std::move(log_ratio)), true);
  return kappa;
}

Matrix slice_draws(const PosteriorFrame& frame) {
  RandomStream random(0);
  Vector z = Vector::Zero(frame.dimension());
  double value = frame(z);
  for (int s = 0; s < warmup; ++s) elliptical_slice(z, value, frame, random);
  Matrix kappa(kept, frame.features().size());
  for (int s = 0; s < kept; ++s) {
    for (int i = 0; i < thinning; ++i) elliptical_slice(z, value, frame, random);
    kappa.row(s) = frame.kappa(z).transpose();
  }
  return kappa;
}

// Of the source at nine nodes across the training scores.
PosteriorQuality chain_quality(const Matrix& nu) {
  SamplingDiagnostics d;
  d.chains = 1;
  d.draws = static_cast<int>(nu.rows());
  d.bulk_ess = d.tail_ess = d.draws;
  const Index inner = nu.cols() - 2 * outer_nodes;
  for (Index i = 0; i < 9; ++i) {
    const ChainDiagnostics at = diagnose_chains(nu.col(outer_nodes + i * (inner - 1) / 8));
    d.r_hat = std::max(d.r_hat, at.r_hat);
    d.bulk_ess = std::min(d.bulk_ess, at.bulk_ess);
    d.tail_ess = std::min(d.tail_ess, at.tail_ess);
  }
  return sample_quality(d);
}

}  // namespace

CalibrationDraws::Place CalibrationDraws::place(double q) const {
  const auto above = static_cast<std::size_t>(std::upper_bound(node.begin(), node.end(), q) - node.begin());
  const std::size_t k = std::clamp<std::size_t>(above, 1, node.size() - 1) - 1;
  return {k, (q - node[k]) / (node[k + 1] - node[k])};
}

CalibrationDraws draw_maps(const FittedCalibratorState& state) {
  const PosteriorFrame frame(state);
  CalibrationDraws result;
  result.node = make_nodes(state.q_lower, state.q_upper);
  const auto nodes = static_cast<Index>(result.node.size());
  Matrix phi(frame.features().size(), nodes);
  const TangentExtension features(frame.features(), state.t(state.q_lower), state.t(state.q_upper));
  for (Index i = 0; i < nodes; ++i) {
    phi.col(i) = features.at(state.t(result.node[static_cast<std::size_t>(i)]));
  }
  const Inference inference = state.options.inference;
  if (inference == Inference::mcmc) {
    result.nu = slice_draws(frame) * phi;
    result.quality = chain_quality(result.nu);
  } else {
    result.nu = gaussian_draws(frame, inference, result.quality) * phi;
  }
  return result;
}

const CalibrationDraws& LazyCalibrationDraws::get(const FittedCalibratorState& state) {
  const std::lock_guard lock(mutex_);
  if (!draws_) draws_ = draw_maps(state);
  return *draws_;
}

}  // namespace linkgistic
