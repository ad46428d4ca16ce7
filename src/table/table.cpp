// CSV as a table, and the choice of the format.
#include "table/table.hpp"

#include <string_view>
#include <utility>

#include <linkgistic/error.hpp>

#include "table/columns.hpp"
#include "table/csv_reader.hpp"
#include "table/npy_reader.hpp"
#include "text/message.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

class CsvTable final : public Table {
 public:
  CsvTable(std::unique_ptr<ByteSource> source, char delimiter)
      : reader_(std::move(source), CsvOptions{.delimiter = delimiter}) {}

  const std::string& name() const override { return reader_.name(); }
  const std::vector<std::string>& column_names() const override { return reader_.header(); }

  std::size_t read(std::span<const std::size_t> columns, std::size_t most_rows, NumberBlock& block) override {
    block.columns.resize(columns.size());
    for (auto& values : block.columns) values.resize(most_rows);
    block.places.resize(most_rows);
    std::size_t rows = 0;
    for (; rows < most_rows && reader_.next(); ++rows) {
      block.places[rows] = reader_.line();
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string_view field = reader_.fields()[columns[i]];
        const NumberKind kind = parse_number(field, block.columns[i][rows]);
        if (kind == NumberKind::text || kind == NumberKind::infinite) {
          throw InputError(where(reader_.line(), columns[i]) + ": " + in_quotes(trimmed(field)) +
                           (kind == NumberKind::text ? " is not a number" : " is not finite"));
        }
      }
    }
    for (auto& values : block.columns) values.resize(rows);
    block.places.resize(rows);
    return rows;
  }

  void rewind() override { reader_.rewind(); }

 private:
  const char* place_word() const override { return "line"; }
  CsvReader reader_;
};

}  // namespace

std::size_t Table::column(const std::string& wanted) const {
  return find_column(name(), column_names(), wanted);
}

std::string Table::where(std::size_t place, std::size_t column) const {
  return name() + ": " + place_word() + " " + std::to_string(place) + ", column " +
         in_quotes(column_names()[column]);
}

std::unique_ptr<Table> open_table(const std::string& path, char delimiter) {
  return open_table(open_source(path), delimiter);
}

std::unique_ptr<Table> open_table(std::unique_ptr<ByteSource> source, char delimiter) {
  char start[npy_magic.size()] = {};
  const std::size_t count = source->read(start);
  source->rewind();
  const std::string_view name = source->name();
  if (std::string_view(start, count) == npy_magic || name.ends_with(".npy") || name.ends_with(".npy.gz")) {
    return std::make_unique<NpyTable>(std::move(source));
  }
  return std::make_unique<CsvTable>(std::move(source), delimiter);
}

}  // namespace linkgistic
