// Labels as numbers of their names, from a column or from a file of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace linkgistic {

struct LabelColumn {
  std::vector<std::int32_t> codes;  // (rows): places in names
  std::vector<std::string> names;   // in the order of their first rows
};

/// A label as it is compared: without blanks at its ends, a number in its shortest form, so that 1, +1
/// and 1.0 are one class.
std::string canonical_label(std::string_view text);
std::string canonical_label(double value);

/// Collects labels, already canonical, row by row.
class LabelCollector {
 public:
  void add(std::string label);
  LabelColumn take() { return std::move(labels_); }

 private:
  LabelColumn labels_;
  std::unordered_map<std::string, std::int32_t> places_;
};

/// The labels of `rows` rows of the file `rows_name`: an IDX file of one number an item, an NPY array, or
/// text with one label a line, a header that is none of them allowed above them. Another count is an
/// InputError that names both files.
LabelColumn read_labels(const std::string& path, std::size_t rows, const std::string& rows_name);

}  // namespace linkgistic
