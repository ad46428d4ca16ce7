// CSV with a header as a table.
#include <algorithm>
#include <string>
#include <utility>

#include <linkgistic/error.hpp>

#include "table/cell_writer.hpp"
#include "table/csv_reader.hpp"
#include "table/format.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

class CsvTable final : public Table {
 public:
  CsvTable(std::unique_ptr<ByteSource> source, const TableOptions& options)
      : Table(source->name(), options, "line"),
        reader_(std::move(source), CsvOptions{.delimiter = options.delimiter}),
        comma_(options.decimal == ',') {
    if (options.decimal != '.' && !comma_) throw UsageError("decimal: must be a point or a comma");
    if (comma_ && reader_.delimiter() == ',')
      throw InputError(name() + ": a comma stands between its fields, and cannot stand before decimals, too");
    set_columns(reader_.header());
  }

  void rewind() override { reader_.rewind(); }

 private:
  std::size_t read_rows(std::span<const ColumnRequest> asked, std::size_t most_rows,
                        CellWriter& out) override {
    std::size_t rows = 0;
    for (; rows < most_rows && reader_.next(); ++rows) {
      out.begin_row(reader_.line());
      const auto fields = reader_.fields();
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const std::string_view field = fields[asked[i].column];
        out.put(i, comma_ && asked[i].type != CellType::text ? with_point(field) : field);
      }
    }
    return rows;
  }

  // 3,14 as 3.14. What is not such a number stays as it is.
  std::string_view with_point(std::string_view field) {
    if (std::count(field.begin(), field.end(), ',') != 1) return field;
    number_.assign(field);
    number_[field.find(',')] = '.';
    double value = 0;
    return parse_number(number_, value) == NumberKind::text ? field : std::string_view(number_);
  }

  CsvReader reader_;
  bool comma_;  // before decimals
  std::string number_;
};

std::unique_ptr<Table> open_csv(std::unique_ptr<ByteSource> source, const TableOptions& options) {
  return std::make_unique<CsvTable>(std::move(source), options);
}

}  // namespace

extern const Format csv_format{"a CSV file", Layout::table, nullptr, open_csv};

}  // namespace linkgistic
