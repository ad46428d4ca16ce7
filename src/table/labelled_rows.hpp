// Columns of numbers, infinite ones allowed, beside a column of labels of any text, read whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {

struct LabelledColumns {
  std::vector<std::string> numbers;
  std::string label;  // empty: none
};

struct LabelledRows {
  std::vector<std::vector<double>> numbers;  // (columns asked for, N)
  std::vector<std::int32_t> labels;          // (N): places in `names`; empty without a label
  std::vector<std::string> names;            // of the labels, in the order they came
  std::vector<std::string> first;            // where each came first: "line 7"
  std::size_t dropped = 0;
};

/// Reads a table, CSV or an NPY array (whose values must be finite, and whose labels are numbers as text).
/// What is no number, a table without rows and, unless dropped, a missing value or label is an InputError
/// with its place.
LabelledRows read_labelled_rows(std::unique_ptr<ByteSource> source, char delimiter,
                                const LabelledColumns& columns, Missing missing);

/// Whether two labels are the same: as text, or as numbers where both are.
bool same_label(const std::string& a, const std::string& b);

}  // namespace linkgistic
