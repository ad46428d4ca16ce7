// y in {0, 1} with P(1 | nu) = psi^-1(nu), psi the canonical link of a proper loss: the Bernoulli response of
// any base loss.
#pragma once

#include <memory>
#include <string>

#include "loss/proper_loss.hpp"
#include "response/bernoulli.hpp"

namespace linkgistic {

class ProperLossResponse final : public LabelResponse {
 public:
  /// UsageError for a loss whose link is bounded: beyond its ends one label is impossible.
  explicit ProperLossResponse(std::shared_ptr<const ProperLoss> loss);
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;
  [[nodiscard]] double mean(double nu, const Vector&) const override { return loss_->inverse_link(nu).one(); }

 private:
  std::shared_ptr<const ProperLoss> loss_;
  std::string name_;
};

/// The response of a base loss: BernoulliResponse for the log loss.
std::shared_ptr<const Response> make_response(const std::shared_ptr<const ProperLoss>& loss);

}  // namespace linkgistic
