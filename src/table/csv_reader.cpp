// Written by hand: libcsv calls back for every field and fast-cpp-csv-parser fixes the columns at compile
// time. Here a record is split where it lies in the buffer, without a copy and without a check for the
// buffer's end in the inner loop.
#include "table/csv_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <linkgistic/error.hpp>

#include "text/message.hpp"
#include "text/utf8.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t longest_record = std::size_t{1} << 26;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view delimiters = ",;\t|";

// Writes "" as " within the field and returns what is left of it.
std::string_view undouble(char* begin, std::size_t size) {
  char* out = begin;
  for (const char* in = begin; in != begin + size; ++in) {
    *out++ = *in;
    if (*in == '"') ++in;
  }
  return {begin, static_cast<std::size_t>(out - begin)};
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<ByteSource> source, const CsvOptions& options)
    : source_(std::move(source)),
      block_bytes_(std::max<std::size_t>(options.block_bytes, 1)),
      delimiter_(options.delimiter),
      buffer_(block_bytes_ + 1) {
  if (delimiter_ == '"' || delimiter_ == '\n' || delimiter_ == '\r') {
    throw UsageError("delimiter: must not be a quote or a line end");
  }
  start();
}

void CsvReader::rewind() {
  source_->rewind();
  start();
}

void CsvReader::start() {
  position_ = end_ = 0;
  at_end_ = false;
  next_line_ = 1;
  blank_rows_ = 0;
  while (end_ < byte_order_mark.size() && !at_end_) refill();
  if (std::string_view(buffer_.data(), end_).starts_with(byte_order_mark)) position_ = byte_order_mark.size();
  if (delimiter_ == 0) find_delimiter();
  if (!record()) throw InputError(name() + ": the file is empty");
  if (blank_) fail(1, "blank, where the header should be");
  consume();
  header_.clear();
  for (const std::string_view field : fields_) {
    if (field.find('\0') != field.npos) throw InputError(name() + ": not a text file in UTF-8");
    if (!is_utf8(field)) {
      fail(line_, "the name of column " + std::to_string(header_.size() + 1) +
                      " is not in UTF-8; convert the file, as with iconv -f latin1 -t utf-8");
    }
    header_.emplace_back(trimmed(field));
  }
}

void CsvReader::find_delimiter() {
  std::array<std::size_t, delimiters.size()> counts{};
  bool quoted = false;
  for (std::size_t offset = 0;;) {
    if (position_ + offset == end_) {
      if (at_end_) break;
      refill();
      continue;
    }
    const char c = buffer_[position_ + offset++];
    if (c == '"') quoted = !quoted;
    if (c == '\n' && !quoted) break;
    const auto which = delimiters.find(c);
    if (which != delimiters.npos && !quoted) ++counts[which];
  }
  const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
  delimiter_ = delimiters[static_cast<std::size_t>(most)];
}

bool CsvReader::next() {
  while (blank_rows_ == 0) {
    if (!record()) return false;
    if (!blank_) {
      if (fields_.size() != header_.size()) {
        fail(next_line_,
             counted(fields_.size(), "field") + ", the header has " + std::to_string(header_.size()));
      }
      consume();
      return true;
    }
    // Blank lines are rows (or an error) only when another record follows them.
    std::size_t count = 0;
    for (; blank_; ++count) {
      consume();
      if (!record()) return false;
    }
    if (header_.size() > 1) fail(next_line_ - count, "blank, with more rows below it");
    blank_rows_ = count;
  }
  line_ = next_line_ - blank_rows_--;
  fields_.assign(1, {});
  return true;
}

// Splits the record at position_ into fields_; false when there is none.
bool CsvReader::record() {
  while (!split()) {
    if (at_end_) return false;
    refill();
  }
  return true;
}

void CsvReader::consume() {
  for (const std::size_t i : doubled_) {
    fields_[i] = undouble(buffer_.data() + (fields_[i].data() - buffer_.data()), fields_[i].size());
  }
  position_ = after_;
  line_ = next_line_;
  next_line_ += record_lines_;
}

// One try at the record: false when the buffer ends before the record does, or at the end of the source.
bool CsvReader::split() {
  if (position_ == end_) return false;
  const char* const record_begin = buffer_.data() + position_;
  const char* const end = buffer_.data() + end_;
  const char delimiter = delimiter_;
  const char* p = record_begin;
  fields_.clear();
  doubled_.clear();
  record_lines_ = 1;
  for (;; ++p) {
    if (*p == '"') {
      p = quoted_field(p);
      if (p == nullptr) return false;
    } else {
      const char* const begin = p;
      while (*p != delimiter && *p != '\n') ++p;
      const bool carriage_return = *p == '\n' && p != begin && p[-1] == '\r';
      fields_.emplace_back(begin, static_cast<std::size_t>(p - begin) - (carriage_return ? 1 : 0));
    }
    if (*p == '\n') break;
  }
  if (p == end && !at_end_) return false;
  blank_ = fields_.size() == 1 && fields_[0].empty() && *record_begin != '"';
  after_ = static_cast<std::size_t>(p - buffer_.data()) + (p == end ? 0 : 1);
  return true;
}

// Adds the field whose opening quote is at `open` and returns where it ends, at a delimiter or a line feed;
// null when the buffer does not reach so far.
const char* CsvReader::quoted_field(const char* open) {
  const char* const end = buffer_.data() + end_;
  const char* p = open + 1;
  bool doubled = false;
  for (;;) {
    const void* const quote = std::memchr(p, '"', static_cast<std::size_t>(end - p));
    if (quote == nullptr) {
      if (at_end_) fail(next_line_ + record_lines_ - 1, "a quote opens here and is never closed");
      return nullptr;
    }
    p = static_cast<const char*>(quote) + 1;
    if (*p != '"' || p == end) break;
    doubled = true;
    ++p;
  }
  if (doubled) doubled_.push_back(fields_.size());
  fields_.emplace_back(open + 1, static_cast<std::size_t>(p - open) - 2);
  const auto lines_inside = std::count(open, p, '\n');
  record_lines_ += static_cast<std::size_t>(lines_inside);
  if (*p == '\r' && p[1] == '\n') ++p;
  if (*p != delimiter_ && *p != '\n') fail(next_line_ + record_lines_ - 1, "text after a closing quote");
  return p;
}

// Moves the unread bytes to the front and reads more behind them.
void CsvReader::refill() {
  std::copy(buffer_.data() + position_, buffer_.data() + end_, buffer_.data());
  end_ -= position_;
  position_ = 0;
  if (end_ + 1 == buffer_.size()) {
    if (end_ >= longest_record) fail(next_line_, "a record of more than 64 MiB; is a quote never closed?");
    buffer_.resize(2 * end_ + 1);
  }
  const std::size_t room = buffer_.size() - 1 - end_;
  const std::size_t got = source_->read(std::span(buffer_).subspan(end_, room));
  at_end_ = got < room;
  end_ += got;
  buffer_[end_] = '\n';
}

void CsvReader::fail(std::size_t line, const std::string& what) const {
  throw InputError(name() + ": line " + std::to_string(line) + ": " + what);
}

}  // namespace linkgistic
