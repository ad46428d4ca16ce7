// The responses by name.
#pragma once

#include <memory>
#include <string_view>

#include "response/response.hpp"

namespace linkgistic {

/// Throws a UsageError that lists the names for an unknown one. Responses of a base loss are in
/// proper_loss_response.hpp.
std::shared_ptr<const Response> named_response(std::string_view name);

/// The number of successes in `trials` trials.
std::shared_ptr<const Response> make_binomial_response(double trials);

}  // namespace linkgistic
