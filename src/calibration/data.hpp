// The log likelihood of a calibrator's labels for its chains: scores are merged and losses tabulated.
#pragma once

#include <memory>
#include <vector>

#include "numeric/loss_table.hpp"
#include "response/pointwise_data.hpp"

namespace linkgistic {

/// Rows of label 0 and of label 1 at one place.
struct LabelCounts {
  std::vector<double> x, negative, positive;
};

/// sum over the places of both labels' log likelihoods. The gradient, which the chains use, is that of the
/// table, cells of 1/16 or less; everything else is that of the rows.
class CalibrationData final : public PointwiseData {
 public:
  /// The table has minus the log likelihood of a row.
  CalibrationData(const std::shared_ptr<const Features>& features,
                  const std::shared_ptr<const Response>& response, LossTable table, LabelCounts counts);

  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override;

 private:
  LossTable table_;
  LabelCounts counts_;
  Matrix phi_;  // (P, N)
};

}  // namespace linkgistic
