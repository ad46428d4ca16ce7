#include "response/responses.hpp"

#include <string>
#include <utility>

#include <linkgistic/error.hpp>

namespace linkgistic {

// Each is defined in its own file, src/response/NAME.cpp, which clang-tidy may have read before this one.
// NOLINTBEGIN(readability-redundant-declaration)
std::shared_ptr<const Response> make_bernoulli_response();
std::shared_ptr<const Response> make_gamma_response();
std::shared_ptr<const Response> make_gaussian_response();
std::shared_ptr<const Response> make_negative_binomial_response();
std::shared_ptr<const Response> make_poisson_response();
std::shared_ptr<const Response> make_student_response();
// NOLINTEND(readability-redundant-declaration)

namespace {

using Make = std::shared_ptr<const Response> (*)();
std::shared_ptr<const Response> make_one_trial() { return make_binomial_response(1); }

// One line for each, by its name.
constexpr std::pair<std::string_view, Make> responses[] = {
    {"bernoulli", make_bernoulli_response}, {"binomial", make_one_trial},
    {"gamma", make_gamma_response},         {"gaussian", make_gaussian_response},
    {"poisson", make_poisson_response},     {"negative-binomial", make_negative_binomial_response},
    {"student", make_student_response}};

}  // namespace

std::shared_ptr<const Response> named_response(std::string_view wanted) {
  std::string known;
  for (const auto& [name, make] : responses) {
    if (wanted == name) return make();
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw UsageError("response = " + std::string(wanted) + ": it is not known; there are " + known);
}

}  // namespace linkgistic
