// The responses by name.
#pragma once

#include <memory>
#include <string_view>

#include <linkgistic/response.hpp>

#include "response/response.hpp"

namespace linkgistic {

/// Throws a UsageError that lists the names for an unknown one. Responses of a base loss are in
/// proper_loss_response.hpp.
std::shared_ptr<const Response> named_response(std::string_view name);

/// The number of successes in `trials` trials.
std::shared_ptr<const Response> make_binomial_response(double trials);

/// The same, or a label, with guesses and lapses (forced_choice.cpp).
std::shared_ptr<const Response> make_forced_choice(double trials, bool labels, const Rate& guess,
                                                   const Rate& lapse);

}  // namespace linkgistic
