// How the columns of a table become features, learned on training data and applied to any other by the names
// of its columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/missing_values.hpp>

namespace linkgistic {

/// A column of numbers is one feature, and one more that is 1 where the value was missing if it has an
/// indicator. A column of text is one feature a category, 1 where the row is of it and else 0.
struct LINKGISTIC_API ColumnEncoding {
  std::string name;
  bool text = false;
  double median = 0;                    // numbers: stands for a missing value
  bool indicator = false;               // numbers: some were missing in training
  std::vector<std::string> categories;  // text: sorted; "" is a missing value

  [[nodiscard]] std::size_t width() const;
};

/// What it takes to read another file as the training file was read.
struct LINKGISTIC_API FeatureEncoding {
  /// Empty: the rows came without names, feature j is column j.
  std::vector<ColumnEncoding> columns;
  std::string label, weights;         // names of columns; empty: none
  std::vector<std::string> positive;  // labels that make up the second of two classes; empty: as they are
  bool zero_based = false;            // sparse text: the first index is 0
  std::vector<std::string> na = default_missing_words();  // words that stood for a missing value
  // How the training file was read; another file may be read in another way.
  bool labels_within = false;  // the rows had their labels, without a column or another file
  MissingValues missing = MissingValues::error;
  std::vector<std::string> drop;         // names of columns that were left out
  std::vector<std::string> categorical;  // names of columns that were read as text
  std::string delimiter;                 // of CSV; empty: found from the header

  [[nodiscard]] std::size_t width() const;
  /// age, "age missing", "sex=female", "sex=male".
  [[nodiscard]] std::vector<std::string> feature_names() const;
};

/// How to read a file.
struct DatasetOptions {
  std::string label;                     // name of the column of labels
  std::string labels;                    // or a file of them
  bool labelled = true;                  // false: labels are neither needed nor read
  std::string weights;                   // name of a column; empty: every row counts once
  std::vector<std::string> drop;         // names of columns to leave out
  std::vector<std::string> categorical;  // names of columns whose values are text, even if they are numbers
  MissingValues missing = MissingValues::error;
  /// Words that stand for a missing value. If these are the default ones, a file read by an encoding has the
  /// encoding's words.
  std::vector<std::string> na = default_missing_words();
  /// Labels that make up the second of two classes, all others being the first; empty: every label is a
  /// class. One label of two only says which of them is the second.
  std::vector<std::string> positive;
  char delimiter = 0;             // of CSV; 0: found from the header
  bool zero_based = false;        // sparse text: the first index is 0, not 1
  std::size_t memory_budget = 0;  // bytes of one array beyond which it goes to a file; 0: half of the memory
};

}  // namespace linkgistic
