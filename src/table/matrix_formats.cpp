// How files of rows without names are known; src/rows reads them.
#include <algorithm>
#include <string_view>

#include "table/format.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

std::string_view next_word(std::string_view& line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = std::min(line.find_first_not_of(blanks), line.size());
  line.remove_prefix(first);
  const std::string_view word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

bool is_number(std::string_view word) {
  double value = 0;
  return parse_number(word, value) == NumberKind::finite;
}

// A line of libsvm: a number, then index:value. `pairs` counts these.
bool is_libsvm_line(std::string_view line, std::size_t& pairs) {
  if (!is_number(next_word(line))) return false;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const std::size_t colon = word.find(':');
    if (colon == word.npos || (word.substr(0, colon) != "qid" && !is_number(word.substr(0, colon))) ||
        !is_number(word.substr(colon + 1))) {
      return false;
    }
    ++pairs;
  }
  return true;
}

// The whole lines at the beginning of a file; `complete`: there is nothing behind them.
bool looks_like_libsvm(std::string_view text, bool complete) {
  std::size_t pairs = 0;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    if (end == text.npos && !complete) {  // a first line that is very long: its whole words
      if (pairs > 0) break;
      end = text.find_last_of(" \t");
    }
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (!is_libsvm_line(line, pairs)) return false;
  }
  return pairs > 0;
}

bool is_idx(const FileStart& start) {
  const std::string_view bytes = start.bytes;
  return bytes.size() >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] >= 0x08 && bytes[2] <= 0x0e &&
         bytes[3] > 0;
}

bool is_libsvm(const FileStart& start) {
  if (start.named({".libsvm", ".svm", ".svmlight"})) return true;
  return !start.named({".csv", ".tsv"}) && looks_like_libsvm(start.bytes, start.complete);
}

}  // namespace

extern const Format idx_format{"an IDX file", Layout::images, is_idx, nullptr};
extern const Format libsvm_format{"a libsvm file", Layout::sparse, is_libsvm, nullptr};

}  // namespace linkgistic
