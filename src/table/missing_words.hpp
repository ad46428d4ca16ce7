// The words of a table that stand for a missing value.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <linkgistic/missing_values.hpp>

#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {

/// Words are compared as they are spelled, words that are numbers (-999) by value.
class MissingWords {
 public:
  explicit MissingWords(const std::vector<std::string>& words = default_missing_words()) {
    for (const std::string& word : words) {
      double value = 0;
      if (parse_number(word, value) == NumberKind::finite) {
        numbers_.push_back(value);
      } else {
        words_.emplace_back(trimmed(word));
      }
    }
  }

  /// Whether text without blanks at its ends is missing.
  [[nodiscard]] bool has(std::string_view text) const {
    if (text.empty() || std::find(words_.begin(), words_.end(), text) != words_.end()) return true;
    if (numbers_.empty() && !ends_like_nan(text)) return false;
    double value = 0;
    const NumberKind kind = parse_number(text, value);
    return kind == NumberKind::nan || (kind == NumberKind::finite && has(value));
  }
  [[nodiscard]] bool has_numbers() const { return !numbers_.empty(); }
  [[nodiscard]] bool has(double value) const {
    return !numbers_.empty() && std::find(numbers_.begin(), numbers_.end(), value) != numbers_.end();
  }

 private:
  static bool ends_like_nan(std::string_view text) {
    return (text.size() == 3 || text.size() == 4) && (text.back() == 'n' || text.back() == 'N');
  }

  std::vector<std::string> words_;
  std::vector<double> numbers_;
};

}  // namespace linkgistic
