// Compiled with LINKGISTIC_WITH_PARQUET only.
#ifdef LINKGISTIC_HAS_PARQUET
#include "table/parquet_stream.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

#include <arrow/c/bridge.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/statistics.h>

#include <linkgistic/error.hpp>

namespace linkgistic {
namespace {

constexpr std::int64_t batch_rows = 65536, page_buffer = std::int64_t{1} << 20;

template <class Value>
Value value_of(arrow::Result<Value> result, const std::string& name) {
  if (!result.ok()) throw InputError(name + ": " + result.status().message());
  return std::move(result).ValueUnsafe();
}

// The reader of batches needs the file's reader as long as it lives.
class Keeping final : public arrow::RecordBatchReader {
 public:
  Keeping(std::shared_ptr<parquet::arrow::FileReader> file, std::shared_ptr<arrow::RecordBatchReader> inner)
      : file_(std::move(file)), inner_(std::move(inner)) {}
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return inner_->schema(); }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    return inner_->ReadNext(batch);
  }

 private:
  std::shared_ptr<parquet::arrow::FileReader> file_;
  std::shared_ptr<arrow::RecordBatchReader> inner_;
};

// Some columns of another reader's batches.
class SomeColumns final : public arrow::RecordBatchReader {
 public:
  SomeColumns(std::shared_ptr<arrow::RecordBatchReader> inner, std::vector<int> columns)
      : inner_(std::move(inner)), columns_(std::move(columns)) {
    std::vector<std::shared_ptr<arrow::Field>> fields;
    for (const int j : columns_) fields.push_back(inner_->schema()->field(j));
    schema_ = arrow::schema(std::move(fields));
  }
  [[nodiscard]] std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    ARROW_RETURN_NOT_OK(inner_->ReadNext(batch));
    if (*batch == nullptr) return arrow::Status::OK();
    return (*batch)->SelectColumns(columns_).Value(batch);
  }

 private:
  std::shared_ptr<arrow::RecordBatchReader> inner_;
  std::vector<int> columns_;
  std::shared_ptr<arrow::Schema> schema_;
};

// Whether a column is of numbers as its physical type has them.
bool plain_number(const parquet::ColumnDescriptor& column) {
  const parquet::Type::type type = column.physical_type();
  const bool number = type == parquet::Type::DOUBLE || type == parquet::Type::FLOAT ||
                      type == parquet::Type::INT32 || type == parquet::Type::INT64;
  return number && (column.logical_type() == nullptr || column.logical_type()->is_none());
}

template <class Type>
std::optional<std::pair<double, double>> range_of(const parquet::Statistics& statistics) {
  const auto& own = static_cast<const parquet::TypedStatistics<Type>&>(statistics);
  // Writers put -0 for a least 0.
  const double lower = static_cast<double>(own.min()) + 0.0, upper = static_cast<double>(own.max()) + 0.0;
  if (!std::isfinite(lower) || !std::isfinite(upper)) return std::nullopt;
  return std::pair(lower, upper);
}

std::optional<std::pair<double, double>> number_range(const parquet::Statistics& statistics) {
  if (!statistics.HasMinMax() || !statistics.HasNullCount() || statistics.null_count() != 0)
    return std::nullopt;
  switch (statistics.physical_type()) {
    case parquet::Type::DOUBLE:
      return range_of<parquet::DoubleType>(statistics);
    case parquet::Type::FLOAT:
      return range_of<parquet::FloatType>(statistics);
    case parquet::Type::INT32:
      return range_of<parquet::Int32Type>(statistics);
    case parquet::Type::INT64:
      return range_of<parquet::Int64Type>(statistics);
    default:
      return std::nullopt;
  }
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

struct ParquetFile::Reader {
  std::shared_ptr<parquet::arrow::FileReader> file;

  // Whether its columns are those of the table, none of them nested.
  [[nodiscard]] bool is_flat() const {
    const parquet::SchemaDescriptor& schema = *file->parquet_reader()->metadata()->schema();
    return schema.num_columns() == schema.group_node()->field_count();
  }
};

std::unique_ptr<ParquetFile::Reader> ParquetFile::reader() const {
  std::shared_ptr<arrow::io::RandomAccessFile> file;
  if (bytes_->buffer) {
    file = std::make_shared<arrow::io::BufferReader>(bytes_->buffer);
  } else {
    file = value_of(arrow::io::ReadableFile::Open(name_), name_);
  }
  parquet::ReaderProperties pages;
  pages.enable_buffered_stream();
  pages.set_buffer_size(page_buffer);
  parquet::arrow::FileReaderBuilder builder;
  if (const auto status = builder.Open(file, pages); !status.ok())
    throw InputError(name_ + ": " + status.message());
  parquet::ArrowReaderProperties properties;
  properties.set_batch_size(batch_rows);
  properties.set_pre_buffer(false);
  properties.set_use_threads(true);
  builder.memory_pool(arrow::default_memory_pool())->properties(properties);
  auto made = std::make_unique<Reader>();
  made->file = value_of(builder.Build(), name_);
  return made;
}

ArrowOwner<ArrowArrayStream> ParquetFile::open(const std::vector<std::size_t>& columns) const {
  const std::unique_ptr<Reader> opened = reader();
  const std::shared_ptr<parquet::arrow::FileReader>& file = opened->file;
  const bool some = !columns.empty() && opened->is_flat();
  std::vector<int> groups(static_cast<std::size_t>(file->num_row_groups()));
  std::iota(groups.begin(), groups.end(), 0);
  const std::vector<int> wanted(columns.begin(), columns.end());
  std::shared_ptr<arrow::RecordBatchReader> batches =
      value_of(some ? file->GetRecordBatchReader(groups, wanted) : file->GetRecordBatchReader(groups), name_);
  if (!columns.empty() && !some) batches = std::make_shared<SomeColumns>(batches, wanted);
  ArrowOwner<ArrowArrayStream> stream;
  const auto status =
      arrow::ExportRecordBatchReader(std::make_shared<Keeping>(file, batches), stream.fresh());
  if (!status.ok()) throw InputError(name_ + ": " + status.message());
  return stream;
}

std::optional<KnownColumn> ParquetFile::known_column(std::size_t column) const {
  const std::unique_ptr<Reader> opened = reader();
  if (!opened->is_flat()) return std::nullopt;
  const std::shared_ptr<parquet::FileMetaData> file = opened->file->parquet_reader()->metadata();
  KnownColumn known{0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int g = 0; g < file->num_row_groups(); ++g) {
    const auto group = file->RowGroup(g);
    if (group->num_rows() == 0) continue;
    const auto chunk = group->ColumnChunk(static_cast<int>(column));
    if (!chunk->is_stats_set() || !plain_number(*file->schema()->Column(static_cast<int>(column))))
      return std::nullopt;
    const auto range = number_range(*chunk->statistics());
    if (!range) return std::nullopt;
    known.rows += static_cast<std::size_t>(group->num_rows());
    known.lower = std::min(known.lower, range->first);
    known.upper = std::max(known.upper, range->second);
  }
  return known.rows > 0 ? std::optional(known) : std::nullopt;
}

}  // namespace linkgistic
#endif
