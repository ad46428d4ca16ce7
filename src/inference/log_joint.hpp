// log p(D, g) = log likelihood + log prior of the coordinates g = (w, nu0), for fixed hyper-parameters.
//
// Optimisation runs in whitened free coordinates xi: g_i = mean_i + xi_i / sqrt(precision_i), where the prior
// is N(0, I). Clamped coordinates stay at their mean and have no xi.
#pragma once

#include <vector>

#include "numeric/newton.hpp"
#include "response/data_term.hpp"
#include "source/source_family.hpp"

namespace linkgistic {

class LogJoint final : public NewtonObjective {
 public:
  /// The references must outlive this object. eta: coordinates of the likelihood's hyper-parameters.
  LogJoint(const SourceModel& source, const DataTerm& data, const Vector& eta);

  [[nodiscard]] Vector to_full(const Vector& xi) const;
  [[nodiscard]] Vector to_white(const Vector& g) const;
  /// log p(D, g), normalised.
  [[nodiscard]] double log_joint(const Vector& g) const;

  // The objective is -log p(D, g(xi)).
  [[nodiscard]] double value(const Vector& xi) const override;
  double derivatives(const Vector& xi, Vector& gradient, Matrix& hessian) const override;

  [[nodiscard]] const std::vector<Index>& free_coordinates() const { return free_; }
  /// 1/sqrt(precision) of the free coordinates.
  [[nodiscard]] const Vector& prior_sd() const { return sd_; }
  [[nodiscard]] const SourceModel& source() const { return source_; }
  [[nodiscard]] const DataTerm& data() const { return data_; }
  [[nodiscard]] const Vector& eta() const { return eta_; }

 private:
  const SourceModel& source_;
  const DataTerm& data_;
  Vector eta_;
  std::vector<Index> free_;
  Vector sd_;
  double log_normaliser_;  // sum over free coordinates of (log precision - log 2 pi)/2
};

}  // namespace linkgistic
