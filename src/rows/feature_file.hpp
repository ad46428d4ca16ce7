// Reads a file of features of any format. Bytes stay bytes and sparse rows stay sparse; everything else
// becomes single precision.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "rows/row_matrix.hpp"
#include "rows/shared_table.hpp"
#include "table/labels.hpp"
#include "table/table.hpp"

namespace linkgistic {

struct FeatureFile {
  RowMatrix rows;
  std::vector<double> origin;              // of the stored values; empty: 0
  std::vector<std::string> feature_names;  // empty: x1, x2, ...
  std::optional<LabelColumn> labels;       // none if they were not requested
  std::vector<double> weights;             // empty: every row counts once
  FeatureEncoding encoding;
  std::size_t dropped = 0;
  std::vector<std::string> notes, warnings;
};

/// The features that a model knows.
struct KnownFeatures {
  const FeatureEncoding& encoding;
  std::size_t count;
};

/// Reads a table (CSV, NPY, JSON Lines), IDX or libsvm, also packed with gzip; "-" is standard input. Without
/// `known` the encoding is learned. With it the file is read by that encoding: columns are found by name, in
/// any order, and others are ignored. Uncompressed IDX files and NPY arrays of bytes or single precision,
/// stored by rows, are mapped into memory. Everything else is converted in one pass (plus one or two for the
/// encoding) into memory or, beyond the budget, into a temporary file that is mapped. Throws an InputError
/// with file and place.
FeatureFile read_feature_file(const std::string& path, const DatasetOptions& options,
                              const KnownFeatures* known = nullptr);

/// The same by processes that read together: files of a table with its labels and without missing values are
/// decoded by one of them each (rows/shared_table.hpp); everything else each process reads whole. Up to `few`
/// rows, each has all of them.
FeatureFile read_feature_file(const std::string& path, const DatasetOptions& options, Readers& readers,
                              std::size_t few);

/// The same of a table that is open.
FeatureFile read_feature_table(Table& table, const DatasetOptions& options,
                               const KnownFeatures* known = nullptr);

}  // namespace linkgistic
