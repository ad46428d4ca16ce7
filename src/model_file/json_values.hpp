// Vectors and matrices in model files.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "numeric/types.hpp"

namespace linkgistic {

std::vector<double> to_std(const Vector& v);

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

/// A whole number that the type holds; any other is an InputError.
template <WholeNumber T>
T whole_number(const nlohmann::json& j) {
  if (j.is_number_unsigned()) {
    if (const auto value = j.get<std::uint64_t>(); std::in_range<T>(value)) return static_cast<T>(value);
  } else if (j.is_number_integer()) {
    if (const auto value = j.get<std::int64_t>(); std::in_range<T>(value)) return static_cast<T>(value);
  } else if (j.is_number()) {
    constexpr double exact = 9007199254740992.0;  // 2^53: below it each whole double is one whole number
    const double value = j.get<double>();
    if (std::trunc(value) == value && std::abs(value) < exact) {
      if (const auto whole = static_cast<std::int64_t>(value); std::in_range<T>(whole))
        return static_cast<T>(whole);
    }
  }
  throw InputError("a whole number from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                   std::to_string(std::numeric_limits<T>::max()) + " is needed, not " + j.dump());
}

/// InputError for a number that is not finite.
Vector to_vector(const nlohmann::json& j);

/// InputError, which names `what`, for numbers of which sums of fourth powers could overflow: sources are
/// squares of coordinates, and bands sums of squares of those.
void check_moderate(const Matrix& numbers, const char* what);

nlohmann::json columns_to_json(const Matrix& m);
/// And back, to columns of length `rows`; another length is an InputError that names `what`.
Matrix columns_from_json(const nlohmann::json& columns, Index rows, const std::string& what);

/// The rows of a matrix that is zero above the diagonal, from the diagonal to the left.
nlohmann::json lower_to_json(const Matrix& factor);
/// And back, to n rows; another size is an InputError that names `what`.
Matrix lower_from_json(const nlohmann::json& rows, Index n, Index columns, const std::string& what);

}  // namespace linkgistic
