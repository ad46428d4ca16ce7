// A Parquet file whose rows are streamed as Arrow record batches.
#pragma once

#include <memory>
#include <string>

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
  /// A stream of all rows; an InputError has the library's words.
  [[nodiscard]] ArrowOwner<ArrowArrayStream> open() const;

 private:
  struct Bytes;
  std::string name_;
  std::unique_ptr<Bytes> bytes_;
};

}  // namespace linkgistic
