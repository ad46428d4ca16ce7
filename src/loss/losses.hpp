// The proper losses that make_loss knows, each defined in the file of its name.
#pragma once

#include "loss/proper_loss.hpp"

namespace linkgistic {

std::shared_ptr<const ProperLoss> make_log_loss(double tail);
std::shared_ptr<const ProperLoss> make_square_loss(double tail);
std::shared_ptr<const ProperLoss> make_matsushita_loss(double tail);
/// 0.01 <= alpha <= 100.
std::shared_ptr<const ProperLoss> make_alpha_loss(double alpha, double tail);
std::shared_ptr<const ProperLoss> make_spherical_loss(double tail);
/// 0 < cost < 1.
std::shared_ptr<const ProperLoss> make_cost_loss(double cost, double tail);
/// -1 < a, b <= 20.
std::shared_ptr<const ProperLoss> make_beta_loss(double a, double b, double tail);

}  // namespace linkgistic
