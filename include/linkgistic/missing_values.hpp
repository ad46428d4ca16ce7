// Which cells of a table are missing, and what becomes of their rows.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// A missing value in one of the columns that are read.
enum class MissingValues {
  error,   // is refused
  drop,    // its row is left out
  impute,  // a number: the column's median, with an indicator column; a text: a category of its own
};

/// The words that stand for a missing value unless a reader is given others: NA, N/A, NaN, null, NULL, None,
/// ? and a single dot. An empty cell, and NaN in any case, is missing whatever the words are.
LINKGISTIC_API const std::vector<std::string>& default_missing_words();

}  // namespace linkgistic
