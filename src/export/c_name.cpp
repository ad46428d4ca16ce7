#include "export/c_name.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

// Of C up to C23 and of C++ up to C++23.
constexpr auto keywords = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char8_t",
    "char16_t",
    "char32_t",
    "class",
    "compl",
    "concept",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "const_cast",
    "continue",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
});

// Functions and types of math.h; most have a twin for float and one for long double.
constexpr auto functions_of_math = std::to_array<std::string_view>({
    "acos",      "acosh",       "asin",       "asinh", "atan",      "atan2",  "atanh",   "cbrt",
    "ceil",      "copysign",    "cos",        "cosh",  "erf",       "erfc",   "exp",     "exp2",
    "expm1",     "fabs",        "fdim",       "floor", "fma",       "fmax",   "fmin",    "fmod",
    "frexp",     "hypot",       "ilogb",      "ldexp", "lgamma",    "llrint", "llround", "log",
    "log10",     "log1p",       "log2",       "logb",  "lrint",     "lround", "modf",    "nan",
    "nearbyint", "nextafter",   "nexttoward", "pow",   "remainder", "remquo", "rint",    "round",
    "scalbln",   "scalbn",      "sin",        "sinh",  "sqrt",      "tan",    "tanh",    "tgamma",
    "trunc",     "j0",          "j1",         "jn",    "y0",        "y1",     "yn",      "gamma",
    "drem",      "significand", "finite",     "isnan", "isinf",     "scalb",  "pow10",   "exp10",
    "sincos",
});
constexpr auto other_names_of_math = std::to_array<std::string_view>({
    "double_t",  "float_t",     "fpclassify",       "isfinite", "isgreater",   "isgreaterequal",
    "isless",    "islessequal", "islessgreater",    "isnormal", "isunordered", "lgamma_r",
    "lgammaf_r", "lgammal_r",   "math_errhandling", "signbit",  "signgam",     "HUGE",
    "HUGE_VAL",  "HUGE_VALF",   "HUGE_VALL",        "INFINITY", "MAXFLOAT",    "NAN",
});

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <class Names>
bool is_among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_of_math(std::string_view name) {
  if (is_among(functions_of_math, name) || is_among(other_names_of_math, name)) return true;
  return (name.ends_with('f') || name.ends_with('l')) &&
         is_among(functions_of_math, name.substr(0, name.size() - 1));
}

}  // namespace

void check_c_name(const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError("name = " + in_quotes(name) + ": the name of a function of C " + why);
  };
  const bool usual =
      std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (name.empty() || !usual || is_digit(name.front()))
    refuse("has letters from a to z, digits and underscores, and no digit at first");
  if (is_among(keywords, name)) refuse("must not be a keyword of C or C++");
  if (is_of_math(name)) refuse("must not be a name of math.h, which the header includes");
  if (name == "main") refuse("must not be that of the program's first one");
  if (name[0] == '_' && (name.size() == 1 || name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z')))
    refuse(
        "must not begin with an underscore that is followed by a capital or by another: compilers keep "
        "these");
}

}  // namespace linkgistic
