// The reading of a table into single-precision rows by an encoding.
#pragma once

#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "rows/row_matrix.hpp"
#include "table/labels.hpp"
#include "table/roles.hpp"
#include "table/table.hpp"

namespace linkgistic {

struct EncodeOptions {
  bool training = false;  // medians are learned; otherwise they stand for missing values
  bool drop = false;  // leave out a row with a missing value: in training any, otherwise of label or weight
  std::size_t budget = 0;               // bytes
  std::vector<double> origin;           // (columns of the encoding)
  const LabelColumn* labels = nullptr;  // of every row of the table, where they are in a file
};

struct EncodedTable {
  RowMatrix rows;
  std::vector<double> origin;  // (features)
  LabelColumn labels;
  std::vector<double> weights;
  std::size_t dropped = 0;
  std::size_t imputed = 0;  // missing numbers of columns that have no indicator
  std::size_t unseen = 0;   // number of texts that are not a category
};

/// Reads every row. In training the medians of `encoding` are set. Throws an InputError with the place for a
/// number that is not finite in single precision, a missing label or weight, or a negative weight.
EncodedTable encode_table(Table& table, const ColumnRoles& roles, FeatureEncoding& encoding,
                          const EncodeOptions& options);

}  // namespace linkgistic
