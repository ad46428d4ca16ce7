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
class CalibrationData final : public DataTerm {
 public:
  /// The table has minus the log likelihood of a row.
  CalibrationData(const std::shared_ptr<const Features>& features,
                  const std::shared_ptr<const Response>& response, LossTable table, LabelCounts counts);

  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override { return {}; }
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override {
    return rows_.value(kappa, eta);
  }
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override {
    return rows_.derivatives(kappa, eta);
  }
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override;
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override {
    return rows_.third(kappa, eta, t);
  }
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override {
    return rows_.hyper_derivatives(kappa, eta, i);
  }

 private:
  PointwiseData rows_;
  LossTable table_;
  LabelCounts counts_;
  Matrix phi_;  // (P, N)
};

}  // namespace linkgistic
