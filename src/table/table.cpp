#include "table/table.hpp"

#include <linkgistic/error.hpp>

#include "io/file_list.hpp"
#include "table/cell_writer.hpp"
#include "table/format.hpp"
#include "table/joined_table.hpp"

namespace linkgistic {

std::size_t Table::read(std::span<const ColumnRequest> asked, std::size_t most_rows, CellBlock& block) {
  CellWriter out(*this, missing_, asked, block);
  return read_rows(asked, most_rows, out);
}

std::string Table::place(std::size_t place) const {
  return std::string(place_word_) + " " + std::to_string(place);
}

std::string Table::where(std::size_t place, std::size_t column) const {
  return name_ + ": " + this->place(place) + ", column " + in_quotes(columns_[column]);
}

void refuse_gap(const Table& table, std::span<const ColumnRequest> asked, const CellBlock& block,
                const char* advice) {
  std::size_t row = 0;
  while (block.gap_in(row) == asked.size()) ++row;
  throw InputError(table.where(block.places[row], asked[block.gap_in(row)].column) + ": missing value (" +
                   advice + ")");
}

void refuse_no_rows(const std::string& table, std::size_t dropped) {
  throw InputError(table + (dropped == 0 ? ": there are no rows"
                                         : ": no row is left, each of " + counted(dropped, "row") +
                                               " has a missing value"));
}

std::unique_ptr<Table> open_table(const std::string& path, const TableOptions& options) {
  std::vector<std::string> files = files_of(path);
  if (files.size() > 1) return join_tables(path, std::move(files), options);
  return open_table(open_source(files.front()), options);
}

std::unique_ptr<Table> open_table(std::unique_ptr<ByteSource> source, const TableOptions& options) {
  const Format& format = format_of(*source);
  if (format.open == nullptr) {
    throw InputError(source->name() + ": is " + format.name + ", whose columns have no names; " +
                     "use a table, such as CSV");
  }
  return format.open(std::move(source), options);
}

}  // namespace linkgistic
