// The features that an encoding makes of a part of a table, in double precision: the means of all rows, about
// which they are stored, are not known yet.
#pragma once

#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "io/spill_buffer.hpp"
#include "table/labels.hpp"
#include "table/roles.hpp"
#include "table/table.hpp"

namespace linkgistic {

struct EncodedPart {
  explicit EncodedPart(std::size_t budget) : values(budget) {}

  std::size_t rows = 0;
  SpillBuffer<double> values;  // (rows, features)
  LabelColumn labels;
  std::vector<double> weights;
};

/// Texts that are not a category have zeros; a missing value is an InputError with its place.
EncodedPart encode_part(Table& table, const ColumnRoles& roles, const FeatureEncoding& encoding,
                        std::size_t budget);

/// The features alone, of a table that has the columns of the encoding.
std::vector<double> encoded_features(Table& table, const FeatureEncoding& encoding);

}  // namespace linkgistic
