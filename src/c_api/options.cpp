#include "c_api/options.hpp"

namespace linkgistic::c_api {

nlohmann::json parse_options(const char* text) {
  if (text == nullptr) return nlohmann::json::object();
  nlohmann::json given;
  try {
    given = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& e) {
    throw UsageError("options: this is not JSON at byte " + std::to_string(e.byte) + ": " + in_quotes(text));
  } catch (const nlohmann::json::exception&) {
    throw UsageError("options: a number is too large");
  }
  if (!given.is_object()) throw UsageError("options: a JSON object is expected, not " + in_quotes(text));
  return given;
}

}  // namespace linkgistic::c_api
