// The base of a classifier or calibrator: a proper loss whose canonical link psi takes probabilities to nu.
// The response at nu is psi^-1(nu); with the log loss nu are the log odds.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>

#include "loss/proper_loss.hpp"
#include "numeric/loss_table.hpp"
#include "response/response.hpp"

namespace linkgistic {

class BaseLoss {
 public:
  /// A name that make_loss reads; UsageError where the link is not onto the reals.
  explicit BaseLoss(std::string_view name);
  /// The log loss, shared.
  static std::shared_ptr<const BaseLoss> log();

  /// Log odds t of the response at nu, and dt/dnu.
  struct LogOdds {
    double value, slope;
  };
  [[nodiscard]] LogOdds at(double nu) const;
  [[nodiscard]] double log_odds(double nu) const { return is_log_ ? nu : loss_->inverse_link(nu).logit(); }
  /// -log p(label | nu).
  [[nodiscard]] double log_loss(bool positive, double nu) const;
  /// Fisher's information of nu in a label, p (1-p) (dt/dnu)^2, plus a hundredth of dt/dnu squared at p =
  /// 1/2, which keeps rows in the tails from counting for nothing.
  [[nodiscard]] double information(double nu) const;
  /// psi(p).
  [[nodiscard]] double nu_of(double probability) const { return loss_->link(Probability(probability)); }

  /// -log p(label | m), of the identity as the link. The grid covers the probabilities of log odds -30 to 30
  /// within |m| <= 128, with a step of about 1/32 of log odds where they change fastest.
  /// It is computed on first use.
  [[nodiscard]] const LossTable& table() const;
  [[nodiscard]] const std::shared_ptr<const Response>& response() const { return response_; }

 private:
  std::shared_ptr<const ProperLoss> loss_;
  std::shared_ptr<const Response> response_;
  bool is_log_;
  double least_information_;
  mutable std::once_flag table_made_;
  mutable LossTable table_;
};

}  // namespace linkgistic
