#include "loss/log_loss.hpp"

namespace linkgistic {

LogLoss::LogLoss(double tail) : ProperLoss(tail) { find_range(); }

std::string LogLoss::bare_name() const { return "log"; }

double LogLoss::bare_partial(int y, double t) const { return softplus(y == 1 ? -t : t); }

ProperLoss::LogitLink LogLoss::bare_link(double) const { return {0, 0, 0}; }

std::optional<double> LogLoss::bare_inverse(double nu) const { return nu; }

}  // namespace linkgistic
