// Labels as others have them, text or integers, to the places and names that the library works with.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/export.hpp>

namespace linkgistic {

struct EncodedLabels {
  std::vector<std::int32_t> labels;  // places in names
  std::vector<std::string> names;    // each label once, sorted
};

/// Text: numbers by value, then the others.
LINKGISTIC_API EncodedLabels encode_labels(std::span<const std::string> labels);

/// A vector, array or span of integers of any type, or of bool.
template <class Range>
concept IntegerLabels =
    std::ranges::forward_range<const Range> && std::integral<std::ranges::range_value_t<const Range>> &&
    !std::same_as<std::ranges::range_value_t<const Range>, char>;

/// Integers, by value; their names are their decimal digits.
template <IntegerLabels Range>
[[nodiscard]] EncodedLabels encode_labels(const Range& labels) {
  std::vector<std::ranges::range_value_t<const Range>> values(std::ranges::begin(labels),
                                                              std::ranges::end(labels));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  EncodedLabels encoded;
  for (const auto value : values) encoded.names.push_back(std::to_string(+value));
  for (const auto label : labels) {
    const auto place = std::lower_bound(values.begin(), values.end(), label) - values.begin();
    encoded.labels.push_back(static_cast<std::int32_t>(place));
  }
  return encoded;
}

}  // namespace linkgistic
