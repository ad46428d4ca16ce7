// The variational Gaussian: of all q = N(m, S) over the coordinates g the one with the greatest lower bound
// of the evidence,
//
//   log p(D) >= E_q log p(D, g) - E_q log q(g) = E_q sum_n l_n - KL(q, prior).
//
// nu(x) = kappa(g) . Phi(x) is quadratic in g, so E_q nu and E_q nu^2 are closed. A Gaussian response needs
// no more and the bound is exact; for other likelihoods l_n is replaced by a quadratic lower bound of it
// (DataTerm:: quadratic_bound) whose place of contact is optimised too. docs/math.md, "Variational Gaussian".
#pragma once

#include <optional>
#include <vector>

#include "inference/log_joint.hpp"

namespace linkgistic {

/// q in the whitened free coordinates of a LogJoint.
struct WhiteGaussian {
  Vector mean;                                   // (d)
  Matrix covariance;                             // (d, d)
  std::optional<double> log_det = std::nullopt;  // of the covariance, where it is known
};

/// The bound as a function of q, for fixed hyper-parameters and a fixed place of contact.
class VariationalBound {
 public:
  /// `joint` must outlive this object.
  explicit VariationalBound(const LogJoint& joint);

  /// Moves the place of contact to the best one for q: the bound at q does not fall.
  void touch(const WhiteGaussian& q);
  [[nodiscard]] double value(const WhiteGaussian& q) const;
  /// The value with its derivative in the mean, and that of L = E_q sum_n l_n alone in the covariance
  /// (symmetric: dL = sum_ij d_covariance_ij dS_ij); the whole value has (S^-1 - I)/2 more.
  double derivatives(const WhiteGaussian& q, Vector& d_mean, Matrix& d_covariance) const;
  /// (H): derivatives in the coordinates of the source's, then the likelihood's hyper-parameters, q held in
  /// terms of g. At the best q this is the gradient of the greatest bound. Not for sources whose basis moves.
  [[nodiscard]] Vector hyper_gradient(const WhiteGaussian& q) const;

 private:
  struct Moments;
  [[nodiscard]] Moments moments(const WhiteGaussian& q) const;
  [[nodiscard]] double expected(const QuadraticBound& data, const Matrix& weighted_gram,
                                const Moments& at) const;
  /// minus KL(q, N(0, I)).
  static double minus_divergence(const WhiteGaussian& q);

  const LogJoint& joint_;
  SquareForm squares_;
  Matrix white_points_;  // (Q, d): points in the whitened coordinates
  QuadraticBound data_;
  Matrix weighted_gram_;  // (Q, Q): weights' gram weights
};

/// What the data add to the prior to make a Gaussian q: q(g) ~ p(g) exp(shift . g - g' precision g/2), g the
/// free coordinates. Where the prior moves, this is what of q stays.
struct GaussianSite {
  Matrix precision;  // (d, d)
  Vector shift;      // (d)
};

/// The site of the q with mean g and the given site precision (d, d).
GaussianSite site_at(const LogJoint& joint, const Vector& g, const Matrix& precision);

struct VariationalOptions {
  int max_iterations = 500;
  double tolerance = 1e-7;  // stop when an iteration gains less, beyond rounding
  /// The start's mean is a mode and its precision a guess: the covariance alone moves until that gains
  /// little. One far too wide would drive the mean from its mode.
  bool from_mode = false;
};

struct VariationalFit {
  Vector mean;        // (D) of g
  Matrix covariance;  // (D, D), zero where clamped
  GaussianSite site;
  double bound = 0;  // log p(D) >= bound
  int iterations = 0;
  bool converged = false;
  std::vector<double> trace;  // the bound at the start and after each iteration: it never falls
};

/// The best q that is reached from the prior times `start` by natural-gradient steps,
///   S^-1 <- (1 - step) S^-1 + step (I - 2 dL/dS),   m <- m + step S (dL/dm - m),   L = E_q sum_n l_n,
/// which at step 1 are Newton's in m; the step is halved until the bound rises. Of a start whose precision is
/// too negative for the prior only the positive part is used.
VariationalFit maximise_bound(const LogJoint& joint, const GaussianSite& start,
                              const VariationalOptions& options = {});

/// q of a fit in the whitened coordinates.
WhiteGaussian to_white(const LogJoint& joint, const VariationalFit& fit);

}  // namespace linkgistic
