// The first reading of a training table: which columns are numbers, which text and with what categories.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "table/roles.hpp"
#include "table/table.hpp"

namespace linkgistic {

/// A column with more categories than this is taken for an identifier, and so is a text column of at least
/// `least_distinct` rows that are all distinct.
inline constexpr std::size_t most_categories = 10'000;
inline constexpr std::size_t least_distinct = 20;

struct LearnedEncoding {
  FeatureEncoding encoding;   // medians are still to come
  std::vector<double> means;  // (columns of the encoding): of the numbers
  std::size_t rows = 0;       // of the table
  std::size_t dropped = 0;    // of these
  std::vector<std::string> notes;
};

/// Reads the table once, and once more for the categories of a text column that holds numbers too. A column
/// is text if more than half of its values are words, or if it is among those that the options call
/// categorical. A missing value that is not allowed, a word or an infinite value in a column of numbers, a
/// column without values, an identifier and a table without rows are an InputError.
LearnedEncoding learn_encoding(Table& table, const ColumnRoles& roles, const DatasetOptions& options);

}  // namespace linkgistic
