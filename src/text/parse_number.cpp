// std::from_chars, with the cases that it leaves open.
#include "text/parse_number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <system_error>

#include "text/message.hpp"

namespace linkgistic {
namespace {

// from_chars calls overflow and underflow by one name; the stream extractor gives the largest double or about
// 0.
NumberKind out_of_range(std::string_view text, double& value) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  stream >> value;
  return std::abs(value) > 1 ? NumberKind::infinite : NumberKind::finite;
}

NumberKind parse_unusual(std::string_view text, double& value) {
  text = trimmed(text);
  value = std::numeric_limits<double>::quiet_NaN();
  if (text.empty()) return NumberKind::text;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return NumberKind::text;
  if (error == std::errc::result_out_of_range) return out_of_range(text, value);
  if (std::isnan(value)) return NumberKind::nan;
  return std::isinf(value) ? NumberKind::infinite : NumberKind::finite;
}

}  // namespace

NumberKind parse_number(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop == end && error == std::errc{} && std::isfinite(value)) return NumberKind::finite;
  return parse_unusual(text, value);
}

}  // namespace linkgistic
