// The text format of LIBSVM and SVMlight.
#include "data/libsvm_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <linkgistic/error.hpp>

#include "data/file_bytes.hpp"
#include "data/message.hpp"

namespace linkgistic {
namespace {

class LibsvmParser {
 public:
  LibsvmParser(std::string path, std::string_view text, const LibsvmOptions& options)
      : path_(std::move(path)), text_(text), options_(options) {
    // Sizes first, so that no vector grows past what it needs.
    const auto entries = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    column_.reserve(entries);
    value_.reserve(entries);
    start_.reserve(lines + 1);
    labels_.reserve(lines);
  }

  LabelledRows parse() {
    start_.push_back(0);
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = text_.find('\n');
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);
      parse_line(line.substr(0, line.find('#')));
    }
    if (labels_.empty()) throw InputError(path_ + ": has no rows");
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(path_ + ", line " + std::to_string(line_) + ": " + what);
  }

  static std::string_view next_token(std::string_view& line) {
    constexpr std::string_view blank = " \t\r\v\f";
    const std::size_t first = line.find_first_not_of(blank);
    if (first == std::string_view::npos) return line = {};
    line.remove_prefix(first);
    const std::string_view token = line.substr(0, line.find_first_of(blank));
    line.remove_prefix(token.size());
    return token;
  }

  double number(std::string_view token, const std::string& what) const {
    std::string_view digits = token;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value)) {
      fail(what + quoted(token) + " is not a finite number");
    }
    return value;
  }

  void parse_line(std::string_view line) {
    std::string_view token = next_token(line);
    if (token.empty()) return;
    labels_.push_back(number(token, "label "));
    std::int64_t previous = -1;
    while (!(token = next_token(line)).empty()) {
      if (!token.starts_with("qid:")) previous = parse_entry(token, previous);
    }
    start_.push_back(static_cast<std::int64_t>(value_.size()));
  }

  std::int64_t parse_entry(std::string_view token, std::int64_t previous) {
    std::int64_t index = -1;
    const char* last = token.data() + token.size();
    const auto [end, error] = std::from_chars(token.data(), last, index);
    if (error != std::errc() || end == last || *end != ':' || index < 0) {
      fail(quoted(token) + " is not index:value");
    }
    if (index == 0 && options_.base == IndexBase::one) {
      fail("index 0, but indices start at 1 (read the file as 0-based if its first column is 0)");
    }
    if (index <= previous) {
      fail("index " + std::to_string(index) + " after " + std::to_string(previous) +
           ": indices must increase");
    }
    if (index > std::numeric_limits<std::int32_t>::max())
      fail("index " + std::to_string(index) + " is too large");
    const double value = number(token.substr(static_cast<std::size_t>(end + 1 - token.data())), "value ");
    if (std::abs(value) > double{std::numeric_limits<float>::max()}) {
      fail(quoted(token) + ": the value is too large for single precision");
    }
    if (index > largest_) largest_ = index, largest_line_ = line_;
    has_zero_ = has_zero_ || index == 0;
    column_.push_back(static_cast<std::int32_t>(index));
    value_.push_back(static_cast<float>(value));
    return index;
  }

  LabelledRows finish() {
    const bool zero_based =
        options_.base == IndexBase::zero || (options_.base == IndexBase::detect && has_zero_);
    const std::int64_t offset = zero_based ? 0 : 1;
    const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(0, largest_ - offset + 1));
    if (options_.columns != 0 && columns > options_.columns) {
      throw InputError(path_ + ", line " + std::to_string(largest_line_) + ": index " +
                       std::to_string(largest_) + " is beyond the " + std::to_string(options_.columns) +
                       " columns expected");
    }
    if (offset != 0) {
      for (std::int32_t& column : column_) --column;
    }
    CsrRows rows{labels_.size(), std::max(columns, options_.columns), std::move(start_), std::move(column_),
                 std::move(value_)};
    return {RowMatrix(std::move(rows)), std::move(labels_)};
  }

  std::string path_;
  std::string_view text_;
  LibsvmOptions options_;
  std::size_t line_ = 0;
  std::int64_t largest_ = -1;
  std::size_t largest_line_ = 0;
  bool has_zero_ = false;
  std::vector<std::int64_t> start_;
  std::vector<std::int32_t> column_;
  std::vector<float> value_;
  std::vector<double> labels_;
};

}  // namespace

LabelledRows read_libsvm(const std::string& path, const LibsvmOptions& options) {
  const SharedSpan<std::uint8_t> bytes = read_file_bytes(path);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return LibsvmParser(path, text, options).parse();
}

}  // namespace linkgistic
