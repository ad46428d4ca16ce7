// y in {0, 1} with P(1 | nu) = psi^-1(nu), psi the canonical link of a proper loss: the Bernoulli likelihood
// of any base loss. A y between the two counts as both labels, in shares y and 1 - y.
#pragma once

#include <memory>
#include <string>

#include "loss/proper_loss.hpp"
#include "response/likelihood.hpp"

namespace linkgistic {

class ProperLossLikelihood final : public Likelihood {
 public:
  /// UsageError for a loss whose link is bounded: beyond its ends one label is impossible.
  explicit ProperLossLikelihood(std::shared_ptr<const ProperLoss> loss);
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector& eta) const override;

 private:
  std::shared_ptr<const ProperLoss> loss_;
  std::string name_;
};

/// Whether it is the log loss itself, whose link is the log odds.
bool is_log_loss(const ProperLoss& loss);

/// The likelihood of a base loss: BernoulliLikelihood for the log loss.
std::shared_ptr<const Likelihood> make_likelihood(const std::shared_ptr<const ProperLoss>& loss);

}  // namespace linkgistic
