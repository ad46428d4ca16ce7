// CSV with a header as a table.
#include <utility>

#include "table/cell_writer.hpp"
#include "table/csv_reader.hpp"
#include "table/format.hpp"

namespace linkgistic {
namespace {

class CsvTable final : public Table {
 public:
  CsvTable(std::unique_ptr<ByteSource> source, const TableOptions& options)
      : Table(source->name(), options, "line"),
        reader_(std::move(source), CsvOptions{.delimiter = options.delimiter}) {
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
      for (std::size_t i = 0; i < asked.size(); ++i) out.put(i, fields[asked[i].column]);
    }
    return rows;
  }

  CsvReader reader_;
};

std::unique_ptr<Table> open_csv(std::unique_ptr<ByteSource> source, const TableOptions& options) {
  return std::make_unique<CsvTable>(std::move(source), options);
}

}  // namespace

extern const Format csv_format{"a CSV file", Layout::table, nullptr, open_csv};

}  // namespace linkgistic
