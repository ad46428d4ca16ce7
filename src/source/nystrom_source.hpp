// Sources on the Nystrom basis of the Gaussian kernel b exp(-(a/2)(x - z)^2): nystrom_basis.hpp.
//
// Priors as in trig_source.hpp; the offset prior gives half of its variance v to the constant. The basis
// moves with a, so the evidence is differentiated by finite differences, and a pass over N rows costs O(N
// m^4) for m functions: for small data.
#pragma once

#include <optional>

#include <linkgistic/source.hpp>

#include "source/source_family.hpp"

namespace linkgistic {

class NystromSource final : public SourceFamily {
 public:
  /// Points equally spaced a tenth of the range beyond [lower, upper], and the pinned origin, to either side.
  NystromSource(PriorKind kind, int points, double lower, double upper,
                std::optional<double> pinned_origin = std::nullopt);

  [[nodiscard]] const std::vector<HyperParameter>& hyper_parameters() const override { return hyper_; }
  [[nodiscard]] SourceModel at(const Vector& theta) const override;
  [[nodiscard]] bool basis_moves() const override { return true; }

 private:
  PriorKind kind_;
  Vector points_;
  std::optional<double> pinned_origin_;
  std::vector<HyperParameter> hyper_;
};

}  // namespace linkgistic
