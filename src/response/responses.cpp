#include "response/responses.hpp"

#include <string>

#include <linkgistic/error.hpp>

// One line for each: src/response/NAME.cpp defines make_NAME_response().
// clang-format off
#define LINKGISTIC_RESPONSES(each) \
  each(bernoulli)                  \
  each(gaussian)                   \
  each(poisson)
// clang-format on

namespace linkgistic {

#define LINKGISTIC_DECLARE(name) std::shared_ptr<const Response> make_##name##_response();
LINKGISTIC_RESPONSES(LINKGISTIC_DECLARE)
#undef LINKGISTIC_DECLARE

std::shared_ptr<const Response> named_response(std::string_view wanted) {
  std::string known;
#define LINKGISTIC_TRY(name)                            \
  if (wanted == #name) return make_##name##_response(); \
  known += (known.empty() ? "" : ", ") + std::string(#name);
  LINKGISTIC_RESPONSES(LINKGISTIC_TRY)
#undef LINKGISTIC_TRY
  throw UsageError("response = " + std::string(wanted) + ": it is not known; there are " + known);
}

}  // namespace linkgistic
