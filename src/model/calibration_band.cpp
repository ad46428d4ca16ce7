#include "model/calibration_band.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/normal.hpp"
#include "prior/features.hpp"

namespace linkgistic {
namespace {

constexpr int cells = 256;
constexpr int outer_nodes = 48;

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

// Mean and standard deviation of nu at the nodes: (nodes, components) each.
struct Normals {
  Matrix mean, sd;
};

Normals normals(const FittedCalibratorState& s, std::span<const double> q) {
  const auto nodes = static_cast<Index>(q.size()), count = static_cast<Index>(s.components.size());
  Normals result{Matrix(nodes, count), Matrix(nodes, count)};
  const double slope = s.line.slope();
  for (Index k = 0; k < count; ++k) {
    const CalibrationComponent& c = s.components[static_cast<std::size_t>(k)];
    const TangentExtension features(*c.source.features, s.t(s.q_lower), s.t(s.q_upper));
    const Vector kappa = c.source.map->value(c.mode);
    const Matrix jacobian = c.source.map->jacobian(c.mode);
    const Matrix root = jacobian * c.factor;  // (P, D)
    const Matrix drift = jacobian * c.drift;  // (P, 2)
    Matrix phi(kappa.size(), nodes);
    Matrix moved(nodes, 2);
    for (Index i = 0; i < nodes; ++i) {
      const double at = q[static_cast<std::size_t>(i)];
      phi.col(i) = features.at(s.t(at));
      // dnu = nu'(t) dt + drift, dt = e^theta q dtheta + db.
      const double steep = kappa.dot(features.derivative(s.t(at)));
      moved.row(i) = steep * (Vector{{slope * at, 1}}.transpose() * s.line.root);
    }
    result.mean.col(k) = phi.transpose() * kappa;
    moved += phi.transpose() * drift;
    const Matrix own = phi.transpose() * root;
    result.sd.col(k) = (own.rowwise().squaredNorm() + moved.rowwise().squaredNorm()).cwiseSqrt();
  }
  return result;
}

// The u with sum_k w_k cdf((u - mean_k)/sd_k) = p.
double mixture_quantile(std::span<const double> weight, const Vector& mean, const Vector& sd, double p) {
  const double z = normal_quantile(p);
  double low = (mean + z * sd).minCoeff(), high = (mean + z * sd).maxCoeff();
  for (int i = 0; i < 40 && high - low > 1e-7 * (1 + std::abs(low)); ++i) {
    const double middle = (low + high) / 2;
    double below = 0;
    for (std::size_t k = 0; k < weight.size(); ++k) {
      const auto i_k = static_cast<Index>(k);
      below += weight[k] * (sd[i_k] > 0 ? normal_cdf((middle - mean[i_k]) / sd[i_k])
                                        : static_cast<double>(middle >= mean[i_k]));
    }
    (below < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

CalibrationBand::CalibrationBand(const FittedCalibratorState& state, double interval)
    : q_(make_nodes(state.q_lower, state.q_upper)) {
  const Normals n = normals(state, q_);
  // Square roots of the weights by evidence, which is surer of v than the bands' coverage bears out.
  double total = 0;
  for (const CalibrationComponent& c : state.components) total += std::sqrt(c.weight);
  std::vector<double> weight;
  for (const CalibrationComponent& c : state.components) {
    // The claims have no posterior: the band is that of the sources.
    weight.push_back(total > 0 ? std::sqrt(c.weight) / total
                               : 1 / static_cast<double>(state.components.size()));
  }
  for (Index i = 0; i < n.mean.rows(); ++i) {
    const Vector mean = n.mean.row(i), sd = n.sd.row(i);
    const double tilt = calibration_tilt * q_[static_cast<std::size_t>(i)];
    ends_.push_back({state.link(mixture_quantile(weight, mean, sd, (1 - interval) / 2)) + tilt,
                     state.link(mixture_quantile(weight, mean, sd, (1 + interval) / 2)) + tilt});
  }
}

CalibrationBand::Ends CalibrationBand::at(double q) const {
  const auto above = static_cast<std::size_t>(std::upper_bound(q_.begin(), q_.end(), q) - q_.begin());
  const std::size_t k = std::clamp<std::size_t>(above, 1, q_.size() - 1);
  // Beyond the last node straight on.
  const double t = (q - q_[k - 1]) / (q_[k] - q_[k - 1]);
  const auto between = [t](double a, double b) { return a + t * (b - a); };
  return {between(ends_[k - 1].lower, ends_[k].lower), between(ends_[k - 1].upper, ends_[k].upper)};
}

}  // namespace linkgistic
