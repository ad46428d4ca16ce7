// A Parquet file whose rows are streamed as Arrow record batches.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "table/arrow_table.hpp"

namespace linkgistic {

class ParquetFile {
 public:
  /// A file by its path; what is no file (standard input) is read into memory.
  explicit ParquetFile(std::unique_ptr<ByteSource> source);
  ~ParquetFile();
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  /// A stream of all rows of these columns, of none named of all; an InputError has the library's words.
  /// Pages are read and decoded as the rows are taken: memory holds some batches, whatever the row groups
  /// are.
  [[nodiscard]] ArrowOwner<ArrowArrayStream> open(const std::vector<std::size_t>& columns) const;
  /// The range of a column of numbers, if every row group has it and says that there is no gap.
  [[nodiscard]] std::optional<KnownColumn> known_column(std::size_t column) const;

 private:
  struct Bytes;
  struct Reader;
  [[nodiscard]] std::unique_ptr<Reader> reader() const;

  std::string name_;
  std::unique_ptr<Bytes> bytes_;
};

}  // namespace linkgistic
