// Changes of a JSON text that leave it JSON: changed bytes would mostly be refused by the parser.
#pragma once

#include <string>
#include <string_view>

namespace linkgistic::fuzz {

/// The text with one to three of its values changed; empty if it is not JSON.
std::string mutate_json(std::string_view text, unsigned seed);

}  // namespace linkgistic::fuzz
