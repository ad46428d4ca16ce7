// Which cells of a table are missing, and what happens to their rows.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// What a reader does with a missing value in one of the columns it reads.
enum class MissingValues {
  error,   // throws an InputError
  drop,    // leaves the row out
  impute,  // a number becomes the column's median, with an indicator column; a text, a category of its own
};

/// The words that stand for a missing value by default: NA, N/A, NaN, null, NULL, None, ? and a single dot.
/// An empty cell, and NaN in any case, is always missing.
LINKGISTIC_API const std::vector<std::string>& default_missing_words();

}  // namespace linkgistic
