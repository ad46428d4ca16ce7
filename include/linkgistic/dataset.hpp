// From a file to labelled rows: CSV, NPY, JSON Lines, IDX or libsvm, also packed by gzip.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

namespace linkgistic {

/// What a classifier is fitted to, or tested on, with what a user should know of how it was read.
struct Dataset : ClassificationData {
  std::size_t dropped = 0;            // rows with missing values left out
  std::vector<std::string> notes;     // "column 'sex' is text: one-hot encoded, ..."
  std::vector<std::string> warnings;  // values never seen in training, ...
};

/// Training data. Format by content and name; text columns are one-hot encoded; what cannot be read is an
/// InputError with file and place, an option that does not fit the file a UsageError.
LINKGISTIC_API Dataset read_dataset(const std::string& path, const DatasetOptions& options);

/// Data encoded as the data of a fit, or the fit itself, were: columns by name, in any order, others ignored;
/// the label and weight columns of the training data unless the options name others. Missing numbers are
/// imputed, no row is left out for a missing feature, and a text that is no category is all zeros.
LINKGISTIC_API Dataset read_dataset(const std::string& path, const DatasetOptions& options,
                                    const ClassificationData& training);
LINKGISTIC_API Dataset read_dataset(const std::string& path, const DatasetOptions& options,
                                    const FittedLinkgisticClassifier& fit);

}  // namespace linkgistic
