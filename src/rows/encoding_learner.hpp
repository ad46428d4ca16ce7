// The first reading of a training table: which columns are numbers, which text and with what categories.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "rows/column_facts.hpp"

namespace linkgistic {

struct LearnedEncoding {
  FeatureEncoding encoding;   // medians are still to come
  std::vector<double> means;  // (columns of the encoding): of the numbers
  std::size_t rows = 0;       // of the table
  std::size_t dropped = 0;    // of these
  std::vector<std::string> notes;
};

/// Reads the table once, and once more for the categories of a text column that holds numbers too. A table
/// without rows and what encoding_of refuses are an InputError. The sums behind the means are those of the
/// tree of numeric/tree_sum.hpp: parts of the rows have the same.
LearnedEncoding learn_encoding(Table& table, const ColumnRoles& roles, const DatasetOptions& options);

}  // namespace linkgistic
