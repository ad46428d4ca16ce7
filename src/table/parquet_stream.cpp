// Compiled with LINKGISTIC_WITH_PARQUET only.
#ifdef LINKGISTIC_HAS_PARQUET
#include "table/parquet_stream.hpp"

#include <filesystem>
#include <utility>

#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <parquet/arrow/reader.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr std::int64_t batch_rows = 65536;

template <class Value>
Value value_of(arrow::Result<Value> result, const std::string& name) {
  if (!result.ok()) throw InputError(name + ": " + result.status().message());
  return std::move(result).ValueUnsafe();
}

}  // namespace

struct ParquetFile::Bytes {
  std::shared_ptr<arrow::Buffer> buffer;  // or null: the file itself is read
};

ParquetFile::ParquetFile(std::unique_ptr<ByteSource> source)
    : name_(source->name()), bytes_(std::make_unique<Bytes>()) {
  std::error_code none;
  if (std::filesystem::is_regular_file(name_, none)) return;
  std::string all;
  for (std::size_t have = 0;;) {
    all.resize(have + (std::size_t{1} << 20));
    const std::size_t got = source->read(std::span(all).subspan(have));
    have += got;
    if (have < all.size()) {
      all.resize(have);
      break;
    }
  }
  bytes_->buffer = arrow::Buffer::FromString(std::move(all));
}

ParquetFile::~ParquetFile() = default;

ArrowOwner<ArrowArrayStream> ParquetFile::open() const {
  std::shared_ptr<arrow::io::RandomAccessFile> file;
  if (bytes_->buffer) {
    file = std::make_shared<arrow::io::BufferReader>(bytes_->buffer);
  } else {
    file = value_of(arrow::io::ReadableFile::Open(name_), name_);
  }
  parquet::arrow::FileReaderBuilder builder;
  if (const auto status = builder.Open(file); !status.ok()) throw InputError(name_ + ": " + status.message());
  parquet::ArrowReaderProperties properties;
  properties.set_batch_size(batch_rows);
  properties.set_pre_buffer(true);
  properties.set_use_threads(true);
  builder.memory_pool(arrow::default_memory_pool())->properties(properties);
  std::shared_ptr<parquet::arrow::FileReader> reader = value_of(builder.Build(), name_);
  std::shared_ptr<arrow::RecordBatchReader> batches = value_of(reader->GetRecordBatchReader(), name_);
  ArrowOwner<ArrowArrayStream> stream;
  // The reader of batches needs the file's reader as long as it lives.
  struct Keeping final : arrow::RecordBatchReader {
    std::shared_ptr<parquet::arrow::FileReader> file;
    std::shared_ptr<arrow::RecordBatchReader> inner;
    [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return inner->schema(); }
    arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
      return inner->ReadNext(batch);
    }
  };
  auto keeping = std::make_shared<Keeping>();
  keeping->file = std::move(reader);
  keeping->inner = std::move(batches);
  const auto status = arrow::ExportRecordBatchReader(keeping, stream.fresh());
  if (!status.ok()) throw InputError(name_ + ": " + status.message());
  return stream;
}

}  // namespace linkgistic
#endif
