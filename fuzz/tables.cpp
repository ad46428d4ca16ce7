// Readers of tables and of rows without names.
#include <cstdint>

#include "io/byte_source.hpp"
#include "rows/feature_file.hpp"
#include "rows/idx_reader.hpp"
#include "rows/libsvm_reader.hpp"
#include "table/table.hpp"
#include "target.hpp"

namespace linkgistic::fuzz {
namespace {

// Reads all cells as one type and starts again at the first row.
std::size_t read_all(Table& table, CellType type) {
  std::vector<ColumnRequest> asked;
  for (std::size_t c = 0; c < table.columns().size(); ++c) asked.push_back({c, type});
  CellBlock block;
  std::size_t rows = 0;
  while (const std::size_t more = table.read(asked, rows_for(asked.size()), block)) {
    require(block.rows() == more, "a block has the rows that were read");
    rows += more;
    block.clear();
  }
  table.rewind();
  return rows;
}

void read_table(const char* name, std::string_view bytes) {
  const auto table = open_table(memory_source(name, std::string(bytes)));
  const std::size_t rows = read_all(*table, CellType::text);
  require(rows == read_all(*table, CellType::text), "a second reading gives the same rows");
  DatasetOptions options;
  options.labelled = false;
  options.missing = MissingValues::impute;
  const FeatureFile file = read_feature_table(*table, options);
  require(file.rows.rows() + file.dropped == rows, "the features have the table's rows");
}

}  // namespace

void csv(std::string_view bytes) { read_table("in.csv", bytes); }
void json_lines(std::string_view bytes) { read_table("in.jsonl", bytes); }
void npy(std::string_view bytes) { read_table("in.npy", bytes); }

// Bytes that unpack to more than the fuzzer's memory holds are no finding: they are read in pieces.
void gzip(std::string_view bytes) {
  const auto source = memory_source("in.gz", std::string(bytes));
  std::vector<char> piece(1 << 16);
  std::size_t total = 0;
  while (const std::size_t read = source->read(piece)) {
    total += read;
    if (read < piece.size() || total > std::size_t{1} << 24) break;
  }
}

void idx(std::string_view bytes) {
  const SharedSpan<std::uint8_t> span(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  if (bytes.size() > 3 && bytes[3] == 1) {
    const auto labels = read_idx_labels("in.idx", span);
    require(labels.size() <= bytes.size(), "labels are in the file");
  } else {
    const RowMatrix rows = read_idx_rows("in.idx", span);
    require(rows.bytes() <= bytes.size(), "pixels are in the file");
    if (rows.rows() > 0 && rows.columns() > 0) (void)rows.at(rows.rows() - 1, rows.columns() - 1);
  }
}

void libsvm(std::string_view bytes) {
  const auto source = memory_source("in.svm", std::string(bytes));
  const SparseFile file = read_libsvm(*source);
  require(file.labels.size() == file.rows.rows(), "every row has a label");
}

}  // namespace linkgistic::fuzz
