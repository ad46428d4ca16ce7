// Reads labelled rows from a file: CSV, NPY, JSON Lines, IDX or libsvm, also packed with gzip.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// Rows that a classifier is fitted to or tested on, with notes on how they were read.
struct Dataset : ClassificationData {
  std::size_t dropped = 0;            // number of rows left out because of missing values
  std::vector<std::string> notes;     // "column 'sex' is text: one-hot encoded, ..."
  std::vector<std::string> warnings;  // values never seen in training, ...
};

/// Reads training data. The format is recognised by content and name, and text columns are one-hot encoded.
/// Throws an InputError with file and place for what cannot be read, and a UsageError for an option that does
/// not fit the file.
LINKGISTIC_API Dataset read_dataset(const std::string& path, const DatasetOptions& options);

/// Reads data with the encoding of the training data. Columns are found by name, in any order, and other
/// columns are ignored. The label and weight columns are those of the training data unless the options name
/// others. Missing numbers are imputed, no row is left out for a missing feature, and a text that is not a
/// known category has 0 in all features of its column.
LINKGISTIC_API Dataset read_dataset(const std::string& path, const DatasetOptions& options,
                                    const ClassificationData& training);
LINKGISTIC_API Dataset read_dataset(const std::string& path, const DatasetOptions& options,
                                    const FittedLinkgisticClassifier& fit);

}  // namespace linkgistic
