// A source on the Nystrom basis written in harmonics, the form that a learned loss and its file have.
#pragma once

#include <optional>

#include "source/source_family.hpp"

namespace linkgistic {

struct HarmonicSource {
  SourceModel source;  // of base frequency 1/2; its prior has no meaning
  Vector kappa;
};

/// kappa . Phi on [-1, 1] of a source on the Nystrom basis; empty for another basis. Its functions phi_i are
/// replaced by the nearest sums of 2 n harmonics, n the number of points, and then nu' = sum_ij S_ij phi_i
/// phi_j is that of the sums: it stays a sum of squares, so that an increasing source remains one.
std::optional<HarmonicSource> as_harmonics(const SourceModel& source, const Vector& kappa);

}  // namespace linkgistic
