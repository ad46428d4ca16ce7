// The log likelihood of a calibrator's labels as its chains ask for it: scores merged, losses tabulated.
#pragma once

#include <memory>
#include <vector>

#include "compute/loss_table.hpp"
#include "likelihood/data_term.hpp"
#include "likelihood/likelihood.hpp"
#include "prior/features.hpp"

namespace linkgistic {

/// Rows of label 0 and of label 1 at one place.
struct LabelCounts {
  std::vector<double> x, negative, positive;
};

/// sum over the places of both labels' log likelihoods. The gradient is that of the table, cells of 1/16 or
/// less, everything else exact. There are no hyper-parameters.
class CalibrationData final : public DataTerm {
 public:
  CalibrationData(const Features& features, std::shared_ptr<const Likelihood> likelihood, LossTable table,
                  LabelCounts counts);

  [[nodiscard]] std::vector<HyperParameter> hyper_parameters() const override { return {}; }
  [[nodiscard]] double value(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataDerivatives derivatives(const Vector& kappa, const Vector& eta) const override;
  [[nodiscard]] DataGradient gradient(const Vector& kappa, const Vector& eta, bool eta_asked) const override;
  [[nodiscard]] Vector third(const Vector& kappa, const Vector& eta, const Matrix& t) const override;
  [[nodiscard]] DataDerivatives hyper_derivatives(const Vector& kappa, const Vector& eta,
                                                  Index i) const override;

 private:
  // Of both labels at place n.
  [[nodiscard]] LogDensity at(std::size_t n, double nu, const Vector& eta) const;

  std::shared_ptr<const Likelihood> likelihood_;
  LossTable table_;  // minus the log likelihood of a row
  LabelCounts counts_;
  Matrix phi_;  // (P, N)
};

}  // namespace linkgistic
