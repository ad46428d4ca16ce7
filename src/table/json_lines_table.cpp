// JSON Lines (.jsonl, .ndjson) as a table: one object a line, whose keys are columns. A key that a line does
// not have is a missing value, as null is; strings are read as the fields of CSV are. https://jsonlines.org
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <linkgistic/error.hpp>

#include "table/cell_writer.hpp"
#include "table/format.hpp"

namespace linkgistic {
namespace {

/// The lines of a source, one at a time.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  /// Goes to the next line that is not blank; false at the end.
  bool next() {
    do {
      if (!split()) return false;
      ++line_;
      if (line_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    } while (trimmed(text_).empty());
    return true;
  }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  void rewind() {
    source_->rewind();
    buffer_.clear();
    position_ = line_ = 0;
    at_end_ = false;
  }

 private:
  bool split() {
    std::size_t end = buffer_.find('\n', position_);
    while (end == buffer_.npos && !at_end_) {
      const std::size_t have = buffer_.size() - position_;
      buffer_.erase(0, position_);
      position_ = 0;
      buffer_.resize(have + std::max(have, block_bytes));
      const std::size_t got = source_->read(std::span(buffer_).subspan(have));
      at_end_ = have + got < buffer_.size();
      buffer_.resize(have + got);
      end = buffer_.find('\n', have);
    }
    if (end == buffer_.npos && position_ == buffer_.size()) return false;
    text_ = std::string_view(buffer_).substr(position_, end - position_);
    position_ = end == buffer_.npos ? buffer_.size() : end + 1;
    return true;
  }

  static constexpr std::size_t block_bytes = std::size_t{1} << 18;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t position_ = 0, line_ = 0;
  bool at_end_ = false;  // the source has no bytes behind the buffer
  std::string_view text_;
};

struct JsonCell {
  enum class Kind { absent, null, number, text } kind = Kind::absent;
  double number = 0;
  std::string text;
};

/// Takes one object apart. A key that is new becomes a column.
class ObjectReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ObjectReader(const Table& table) : table_(table) {}

  void read(std::string_view text, std::size_t line) {
    for (JsonCell& cell : cells_) cell.kind = JsonCell::Kind::absent;
    line_ = line;
    key_.clear();
    next_ = 0;
    inside_ = false;
    nlohmann::json::sax_parse(text.begin(), text.end(), this);
  }
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  [[nodiscard]] const JsonCell& cell(std::size_t column) const { return cells_[column]; }

  bool null() override { return put(JsonCell::Kind::null); }
  bool boolean(bool value) override { return put(JsonCell::Kind::text, 0, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return put_number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return put_number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return put_number(value); }
  bool string(string_t& value) override { return put(JsonCell::Kind::text, 0, value); }
  bool binary(binary_t& /*value*/) override { fail("holds bytes"); }
  bool start_object(std::size_t /*size*/) override {
    if (inside_) fail("holds an object: a table has numbers, text, true, false and null");
    return inside_ = true;
  }
  bool start_array(std::size_t /*size*/) override {
    refuse_outside();
    fail("holds an array: a table has numbers, text, true, false and null");
  }
  bool end_object() override { return true; }
  bool end_array() override { return true; }

  bool key(string_t& key) override {
    key_ = key;
    // Most lines have the same keys in the same order.
    column_ = next_ < keys_.size() && keys_[next_] == key ? next_ : find_column();
    if (cells_[column_].kind != JsonCell::Kind::absent) fail("comes twice");
    next_ = column_ + 1;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string& /*token*/,
                   const nlohmann::json::exception&) override {
    throw InputError(place() + ": broken JSON at character " + std::to_string(byte) +
                     (key_.empty() ? "" : ", after key " + in_quotes(key_)));
  }

 private:
  bool put(JsonCell::Kind kind, double number = 0, std::string_view text = {}) {
    refuse_outside();
    cells_[column_].kind = kind;
    cells_[column_].number = number;
    cells_[column_].text = text;
    return true;
  }
  bool put_number(double value) { return put(JsonCell::Kind::number, value); }
  std::size_t find_column() {
    const auto [place, is_new] = columns_.try_emplace(key_, keys_.size());
    if (is_new) {
      keys_.push_back(key_);
      cells_.emplace_back();
    }
    return place->second;
  }
  void refuse_outside() const {
    if (!inside_) throw InputError(place() + ": each line must be one JSON object, {\"key\": value, ...}");
  }
  [[nodiscard]] std::string place() const { return table_.name() + ": " + table_.place(line_); }
  [[noreturn]] void fail(const char* what) const {
    throw InputError(place() + ", key " + in_quotes(key_) + ": " + what);
  }

  const Table& table_;
  std::size_t line_ = 0;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<JsonCell> cells_;  // (keys)
  std::string key_;              // the last one
  std::size_t column_ = 0;       // of it
  std::size_t next_ = 0;
  bool inside_ = false;
};

class JsonLinesTable final : public Table {
 public:
  /// Reads every line once: any of them may have a new key.
  JsonLinesTable(std::unique_ptr<ByteSource> source, const TableOptions& options)
      : Table(source->name(), options, "line"), lines_(std::move(source)), object_(*this) {
    bool any = false;
    while (next()) any = true;
    if (!any) throw InputError(name() + ": the file is empty");
    set_columns(object_.keys());
    rewind();
  }

  void rewind() override { lines_.rewind(); }

 private:
  bool next() {
    if (!lines_.next()) return false;
    object_.read(lines_.text(), lines_.line());
    return true;
  }

  std::size_t read_rows(std::span<const ColumnRequest> asked, std::size_t most_rows,
                        CellWriter& out) override {
    std::size_t rows = 0;
    for (; rows < most_rows && next(); ++rows) {
      out.begin_row(lines_.line());
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const JsonCell& cell = object_.cell(asked[i].column);
        if (cell.kind == JsonCell::Kind::number) {
          out.put(i, cell.number);
        } else if (cell.kind == JsonCell::Kind::text) {
          out.put(i, std::string_view(cell.text));
        } else {
          out.put_missing(i);
        }
      }
    }
    return rows;
  }

  LineReader lines_;
  ObjectReader object_;
};

bool is_json_lines(const FileStart& start) {
  if (start.named({".jsonl", ".ndjson"})) return true;
  const std::size_t first = start.bytes.find_first_not_of(" \t\r\n");
  return first != start.bytes.npos && start.bytes[first] == '{' && !start.named({".csv", ".tsv"});
}

std::unique_ptr<Table> open_json_lines(std::unique_ptr<ByteSource> source, const TableOptions& options) {
  return std::make_unique<JsonLinesTable>(std::move(source), options);
}

}  // namespace

extern const Format json_lines_format{"a JSON Lines file", Layout::table, is_json_lines, open_json_lines,
                                      true};

}  // namespace linkgistic
