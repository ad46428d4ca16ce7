// Parquet files as a table, through Apache's libparquet where the build has it (LINKGISTIC_WITH_PARQUET): its
// record batches come by the C stream interface, one row group at a time.
#include <linkgistic/error.hpp>

#include "table/arrow_table.hpp"
#include "table/format.hpp"

#ifdef LINKGISTIC_HAS_PARQUET
#include "table/parquet_stream.hpp"
#endif

namespace linkgistic {
namespace {

bool is_parquet(const FileStart& start) {
  return start.bytes.starts_with("PAR1") || start.named({".parquet"});
}

std::unique_ptr<Table> open_parquet(std::unique_ptr<ByteSource> source, const TableOptions& options) {
#ifdef LINKGISTIC_HAS_PARQUET
  auto file = std::make_shared<ParquetFile>(std::move(source));
  return arrow_table(
      file->name(), [file](const std::vector<std::size_t>& columns) { return file->open(columns); }, options,
      [file](std::size_t column) { return file->known_column(column); });
#else
  (void)options;
  throw InputError(
      source->name() +
      ": is a Parquet file, which this build does not read: build with -DLINKGISTIC_WITH_PARQUET=ON, "
      "which takes libparquet from the system or from Python's pyarrow, or give it to the Python "
      "package by pyarrow");
#endif
}

}  // namespace

extern const Format parquet_format{"a Parquet file", Layout::table, is_parquet, open_parquet};

}  // namespace linkgistic
