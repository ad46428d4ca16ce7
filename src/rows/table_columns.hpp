// Which columns of a table are features, label and weight.
#pragma once

#include <optional>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "rows/records.hpp"

namespace linkgistic {

struct TableColumns {
  std::vector<std::size_t> features;
  std::optional<std::size_t> label, weight;

  /// The first of them with a missing value in the row at hand.
  [[nodiscard]] std::optional<std::size_t> missing_in(const Records& records) const;
};

/// Label and weight by their names, features all other columns but those to drop. A name that is not there,
/// or twice, is an InputError.
TableColumns training_columns(const std::string& table, const std::vector<std::string>& names,
                              const DatasetOptions& options);
/// The features of an encoding by their names, in its order; label and weight as the options say.
TableColumns encoded_columns(const std::string& table, const std::vector<std::string>& names,
                             const FeatureEncoding& encoding, const DatasetOptions& options);

}  // namespace linkgistic
