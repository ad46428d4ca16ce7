#include "rows/records.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "rows/label_column.hpp"
#include "table/csv_reader.hpp"
#include "table/npy_reader.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

class CsvRecords final : public Records {
 public:
  CsvRecords(std::unique_ptr<ByteSource> source, char delimiter)
      : reader_(std::move(source), CsvOptions{.delimiter = delimiter}) {}

  const std::string& name() const override { return reader_.name(); }
  const std::vector<std::string>& columns() const override { return reader_.header(); }
  bool next() override { return reader_.next(); }
  NumberKind number(std::size_t column, double& value) const override {
    return parse_number(reader_.fields()[column], value);
  }
  std::string text(std::size_t column) const override {
    return std::string(trimmed(reader_.fields()[column]));
  }
  void rewind() override { reader_.rewind(); }

 private:
  std::string place() const override { return "line " + std::to_string(reader_.line()); }
  CsvReader reader_;
};

class NpyRecords final : public Records {
 public:
  explicit NpyRecords(std::unique_ptr<ByteSource> source)
      : table_(std::move(source)), all_(table_.column_names().size()) {
    std::iota(all_.begin(), all_.end(), std::size_t{0});
  }

  const std::string& name() const override { return table_.name(); }
  const std::vector<std::string>& columns() const override { return table_.column_names(); }
  bool next() override {
    if (++row_ < block_.places.size()) return true;
    row_ = 0;
    return table_.read(all_, rows_at_a_time, block_) > 0;
  }
  NumberKind number(std::size_t column, double& value) const override {
    value = block_.columns[column][row_];
    return std::isnan(value) ? NumberKind::missing : NumberKind::finite;  // what is infinite is refused
  }
  std::string text(std::size_t column) const override {
    return canonical_label(block_.columns[column][row_]);
  }
  void rewind() override {
    table_.rewind();
    block_ = {};
    row_ = 0;
  }

 private:
  static constexpr std::size_t rows_at_a_time = 256;
  std::string place() const override { return "row " + std::to_string(block_.places[row_]); }

  NpyTable table_;
  std::vector<std::size_t> all_;
  NumberBlock block_;
  std::size_t row_ = 0;
};

}  // namespace

std::string Records::where(std::size_t column) const {
  return name() + ": " + place() + ", column " + in_quotes(columns()[column]);
}

std::unique_ptr<Records> csv_records(std::unique_ptr<ByteSource> source, char delimiter) {
  return std::make_unique<CsvRecords>(std::move(source), delimiter);
}

std::unique_ptr<Records> npy_records(std::unique_ptr<ByteSource> source) {
  return std::make_unique<NpyRecords>(std::move(source));
}

}  // namespace linkgistic
