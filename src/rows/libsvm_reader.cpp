// The text format of LIBSVM and SVMlight.
#include "rows/libsvm_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

class LibsvmParser {
 public:
  LibsvmParser(ByteSource& source, const LibsvmOptions& options)
      : source_(source), options_(options), column_(options.memory_budget), value_(options.memory_budget) {}

  SparseFile parse() {
    start_.push_back(0);
    // Whole lines of the buffer are parsed where they lie; what is left moves to the front.
    std::vector<char> buffer(std::size_t{1} << 18);
    std::size_t have = 0;
    for (bool more = true; more;) {
      const std::size_t room = buffer.size() - have;
      const std::size_t got = source_.read(std::span(buffer).subspan(have));
      more = got == room;
      have += got;
      const std::string_view text(buffer.data(), have);
      const std::size_t whole = more ? text.rfind('\n') + 1 : have;  // npos + 1 = 0
      parse_lines(text.substr(0, whole));
      std::copy(text.begin() + static_cast<std::ptrdiff_t>(whole), text.end(), buffer.begin());
      have -= whole;
      if (have == buffer.size()) buffer.resize(2 * have);
    }
    if (labels_.empty()) throw InputError(source_.name() + ": has no rows");
    return finish();
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(source_.name() + ", line " + std::to_string(line_) + ": " + what);
  }

  void parse_lines(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      parse_line(line.substr(0, line.find('#')));
    }
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
      fail(what + in_quotes(token) + " is not a finite number");
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
      fail(in_quotes(token) + " is not index:value");
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
      fail(in_quotes(token) + ": the value is too large for single precision");
    }
    if (options_.ignore_beyond && is_beyond(index)) {
      ++beyond_;
      return index;
    }
    if (index > largest_) largest_ = index, largest_line_ = line_;
    column_.push_back(static_cast<std::int32_t>(index));
    value_.push_back(static_cast<float>(value));
    return index;
  }

  [[nodiscard]] bool is_beyond(std::int64_t index) const {
    return index - first_index() >= static_cast<std::int64_t>(options_.columns);
  }

  [[nodiscard]] std::int64_t first_index() const { return options_.base == IndexBase::zero ? 0 : 1; }

  SparseFile finish() {
    const std::int64_t offset = first_index();
    const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(0, largest_ - offset + 1));
    if (options_.columns != 0 && columns > options_.columns) {
      throw InputError(source_.name() + ", line " + std::to_string(largest_line_) + ": index " +
                       std::to_string(largest_) + " is beyond the " + std::to_string(options_.columns) +
                       " columns expected");
    }
    if (offset != 0) {
      for (std::size_t i = 0; i < column_.size(); ++i) --column_.data()[i];
    }
    CsrRows rows{labels_.size(), std::max(columns, options_.columns), std::move(start_), column_.share(),
                 value_.share()};
    return {RowMatrix(std::move(rows)), std::move(labels_), beyond_};
  }

  ByteSource& source_;
  LibsvmOptions options_;
  std::size_t line_ = 0;
  std::int64_t largest_ = -1;
  std::size_t largest_line_ = 0;
  std::size_t beyond_ = 0;
  std::vector<std::int64_t> start_;
  SpillBuffer<std::int32_t> column_;
  SpillBuffer<float> value_;
  std::vector<double> labels_;
};

}  // namespace

SparseFile read_libsvm(const std::string& path, const LibsvmOptions& options) {
  return read_libsvm(*open_source(path), options);
}

SparseFile read_libsvm(ByteSource& source, const LibsvmOptions& options) {
  return LibsvmParser(source, options).parse();
}

}  // namespace linkgistic
