// Laplace's approximation: the mode of log p(D, g), the curvature there, the evidence and its gradient.
#pragma once

#include "inference/log_joint.hpp"

namespace linkgistic {

/// A mode of log p(D, g).
struct Mode {
  Vector g;  // (D), all coordinates
  double log_joint = 0;
  Matrix whitened_hessian;  // of -log p in the whitened free coordinates; the identity where the data say
                            // nothing
  int iterations = 0;
  NewtonStop stop = NewtonStop::iteration_limit;
};

Mode find_mode(const LogJoint& joint, const Vector& start, const NewtonOptions& options = {});

/// The curvature at a mode with its eigenvalues kept at or above a floor.
///
/// Where an eigenvalue of the whitened Hessian tends to 0 the Laplace evidence grows without bound and the
/// posterior covariance explodes, and maximising the evidence leads there. An eigenvalue below 1 claims that
/// the posterior is wider than the prior; `floor` bounds that claim: the posterior's variance is at most
/// prior variance / floor in any direction.
struct GuardedCurvature {
  double log_det = 0;  // sum log max(eigenvalue, floor)
  Matrix inverse;      // sum over eigenvalues above the floor of u u'/eigenvalue: d log_det = tr(inverse dH)
  Vector unfloored;    // diagonal of the projection on those eigenvectors
  int floored = 0;     // number of eigenvalues below the floor
};
GuardedCurvature guard_curvature(const Matrix& whitened_hessian, double floor);

/// Log evidence log p(D | theta) ~ log p(D, mode) + (d/2) log 2 pi - (1/2) log det H.
struct Evidence {
  double value = 0;
  int floored = 0;
  Vector gradient;  // in the coordinates of the source's, then the likelihood's hyper-parameters
};

double laplace_evidence(const LogJoint& joint, const Mode& mode, double floor);
/// The same with the curvature known: log det H is that of the prior precision plus that of the whitened
/// Hessian.
double laplace_evidence(const LogJoint& joint, const Mode& mode, const GuardedCurvature& curvature);
/// The value with its exact gradient, the movement of the mode included. Not for sources whose basis moves.
Evidence laplace_evidence_gradient(const LogJoint& joint, const Mode& mode, double floor);

}  // namespace linkgistic
