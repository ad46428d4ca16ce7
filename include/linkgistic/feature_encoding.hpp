// How the columns of a table become features. An encoding is learned from training data and applied to other
// tables by the names of their columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/missing_values.hpp>

namespace linkgistic {

/// A column of numbers is one feature; if it has an indicator, a second feature is 1 where the value was
/// missing. A column of text has one feature for each category, 1 in the rows of that category and else 0.
struct LINKGISTIC_API ColumnEncoding {
  std::string name;
  bool text = false;
  double median = 0;                    // numbers: replaces a missing value
  bool indicator = false;               // numbers: some were missing in training
  std::vector<std::string> categories;  // text: sorted; "" is a missing value

  [[nodiscard]] std::size_t width() const;
};

/// Everything that is needed to read another file as the training file was read.
struct LINKGISTIC_API FeatureEncoding {
  /// If empty, the rows had no column names and feature j is column j.
  std::vector<ColumnEncoding> columns;
  std::string label, weights;         // names of columns; empty: none
  std::vector<std::string> positive;  // labels that make up the second of two classes; empty: as they are
  bool zero_based = false;            // sparse text: the first index is 0
  std::vector<std::string> na = default_missing_words();  // words that stood for a missing value
  // How the training file was read; other files may be read in another way.
  bool labels_within = false;  // the format itself has labels (libsvm): no column or file of labels
  MissingValues missing = MissingValues::error;
  std::vector<std::string> drop;         // names of columns that were left out
  std::vector<std::string> categorical;  // names of columns that were read as text
  std::string delimiter;                 // of CSV; empty: found from the header
  std::string decimal = ".";             // of the numbers of CSV

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
  /// Words that stand for a missing value. If these are the default ones, a file that is read with an
  /// encoding uses the encoding's words.
  std::vector<std::string> na = default_missing_words();
  /// Labels that make up the second of two classes; all others are the first. If empty, every label is a
  /// class. If the data have two labels and one is named here, it becomes the second class.
  std::vector<std::string> positive;
  char delimiter = 0;             // of CSV; 0: found from the header
  char decimal = '.';             // of the numbers of CSV: a point or a comma
  bool zero_based = false;        // sparse text: the first index is 0, not 1
  std::size_t memory_budget = 0;  // bytes of one array beyond which it goes to a file; 0: half of the memory
};

}  // namespace linkgistic
