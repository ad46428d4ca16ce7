#include "response/base_loss.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/logistic.hpp"
#include "response/proper_loss_response.hpp"

namespace linkgistic {
namespace {

// -log p(label) and its slope in nu.
LossNode node(int label, const BaseLoss::LogOdds& t) {
  const double s = label == 1 ? -t.value : t.value;
  return {softplus(s), (label == 1 ? -1 : 1) * sigmoid(s) * t.slope};
}

LossTable identity_table(const BaseLoss& base, const ProperLoss& loss) {
  constexpr double most_log_odds = 30;
  constexpr double most_nu = 128;
  const double low = std::max(loss.link(Probability::from_logit(-most_log_odds)), -most_nu);
  const double high = std::min(loss.link(Probability::from_logit(most_log_odds)), most_nu);
  double steepest = 0;
  for (double t = -most_log_odds; t <= most_log_odds; t += 0.125)
    steepest = std::max(steepest, loss.log_odds_slope(Probability::from_logit(t)));
  constexpr double most_cells = 32768;  // 1 MB of coefficients in single precision
  const double wanted = std::max(0.03125 / steepest, (high - low) / most_cells);
  const int k = static_cast<int>(std::floor(-std::log2(wanted)));
  return LossTable::tabulate(low, high, k, [&](int label, double m) { return node(label, base.at(m)); });
}

}  // namespace

BaseLoss::BaseLoss(std::string_view name)
    : loss_(make_loss(name)), response_(make_response(loss_)), is_log_(loss_->name() == "log") {
  const double centre = is_log_ ? 1 : loss_->log_odds_slope(Probability(0.5));
  least_information_ = 0.01 * centre * centre;
}

const LossTable& BaseLoss::table() const {
  if (is_log_) return LossTable::logistic();
  std::call_once(table_made_, [&] { table_ = identity_table(*this, *loss_); });
  return table_;
}

std::shared_ptr<const BaseLoss> BaseLoss::log() {
  static const auto base = std::make_shared<const BaseLoss>("log");
  return base;
}

BaseLoss::LogOdds BaseLoss::at(double nu) const {
  if (is_log_) return {nu, 1};
  const Probability u = loss_->inverse_link(nu);
  return {u.logit(), loss_->log_odds_slope(u)};
}

double BaseLoss::log_loss(bool positive, double nu) const {
  const double t = log_odds(nu);
  return softplus(positive ? -t : t);
}

double BaseLoss::information(double nu) const {
  const LogOdds t = at(nu);
  const double p = sigmoid(t.value);
  return p * (1 - p) * t.slope * t.slope + least_information_;
}

}  // namespace linkgistic
