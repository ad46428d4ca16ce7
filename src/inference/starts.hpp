// Where Newton's method begins. log p(D, g) has several modes when f^2 is integrated, so several shapes of f
// are tried.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "inference/laplace.hpp"

namespace linkgistic {

/// The range of x in which the data lie.
struct SourceRange {
  double lower = -1, upper = 1;
};

/// Coordinates whose f is close to the given values at `x` (regularised by the prior), with the given nu0.
Vector project_latent(const SourceModel& source, const Vector& x, const Vector& f, double nu0);

/// Starting points: f flat, tilted to either side and with a plateau (a zero of f) in the middle, then
/// `draws` from the prior. One point for a Gaussian process, whose log p(D, g) has one mode under a
/// log-concave likelihood.
std::vector<Vector> start_points(const SourceModel& source, const SourceRange& range, int draws,
                                 std::uint64_t seed);

/// The best of the modes reached from the starts; `stop` is polled between them, and true leaves out the
/// others. Where f and -f are the same model, f is positive on the average over the range.
Mode find_best_mode(const LogJoint& joint, const std::vector<Vector>& starts, const SourceRange& range,
                    const std::function<bool()>& stop = {});

/// Turns f to the sign that is positive on the average over the range, if the prior does not tell f from -f.
void fix_sign(const SourceModel& source, const SourceRange& range, Vector& g);

}  // namespace linkgistic
