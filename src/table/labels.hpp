// Labels as numbers of their names, and the rules that make classes of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace linkgistic {

/// A label as it is compared: without blanks at its ends, a number in its shortest form, so that 1, +1
/// and 1.0 are one class.
std::string canonical_label(std::string_view text);
std::string canonical_label(double value);

/// Each label once: numbers by value, then text.
std::vector<std::string> sorted_labels(std::span<const std::string> labels);

/// Words on labels of `rows` rows that look like the y of a regression: many different numbers. Else nothing.
std::string regression_suspicion(std::span<const std::string> names, std::size_t rows);

struct LabelColumn {
  std::vector<std::int32_t> codes;  // (rows): places in names
  std::vector<std::string> names;   // canonical, in the order of their first rows
  std::vector<std::string> first;   // (names): where that row is, "line 7"; may be empty
};

/// Collects labels row by row.
class LabelCollector {
 public:
  /// `place` gives the words for the row's place where the label is new.
  template <class Place>
  void add(std::string_view label, const Place& place) {
    if (add(label)) labels_.first.push_back(place());
  }
  /// Returns whether the label is new.
  bool add(std::string_view label);
  LabelColumn take() { return std::move(labels_); }

 private:
  LabelColumn labels_;
  std::unordered_map<std::string, std::int32_t> spellings_;  // any to the code of its label
  std::unordered_map<std::string, std::int32_t> codes_;
  std::string last_;  // spelling
};

/// Labels of which one is positive.
struct BinaryLabels {
  std::vector<std::uint8_t> label;  // (rows)
  std::string positive;
  std::vector<std::string> negatives;  // those that came
};

/// Without `positive` the positive label is the second of two sorted ones; a single label is positive if it
/// is a number above 0. Throws an InputError for a label that a model does not know, and if it is unclear
/// which label is positive; `table` begins the message.
BinaryLabels binary_labels(const std::string& table, const LabelColumn& labels, const std::string& positive,
                           const std::vector<std::string>& known_negatives = {});

/// Labels of many classes.
struct ClassLabels {
  std::vector<std::int32_t> label;  // (rows): places in names
  std::vector<std::string> names;   // (columns)
};

/// The classes are `known`, where a model has them. Otherwise a column of scores belongs to the class that
/// its name is, or ends with; failing that, columns and sorted labels go together in their order.
ClassLabels class_labels(const std::string& table, const LabelColumn& labels,
                         const std::vector<std::string>& columns, const std::vector<std::string>& known);

}  // namespace linkgistic
