#include "table/arrow_table.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <linkgistic/error.hpp>

#include "table/cell_writer.hpp"

namespace linkgistic {

ArrowBatches::ArrowBatches(std::string name, ArrowOwner<ArrowArrayStream> stream)
    : name_(std::move(name)), stream_(std::move(stream)) {
  if (!stream_.holds()) throw InputError(name_ + ": the Arrow stream was read before");
  ArrowOwner<ArrowSchema> schema;
  check(stream_->get_schema(stream_.get(), schema.fresh()), "its schema");
  fields_ = arrow_fields(*schema, name_);
}

void ArrowBatches::check(int status, const char* what) {
  if (status == 0) return;
  const char* words = stream_->get_last_error == nullptr ? nullptr : stream_->get_last_error(stream_.get());
  throw InputError(name_ + ": " + what + " cannot be read: " +
                   (words != nullptr ? std::string(words) : std::generic_category().message(status)));
}

ArrowOwner<ArrowArray> ArrowBatches::next() {
  ArrowOwner<ArrowArray> batch;
  check(stream_->get_next(stream_.get(), batch.fresh()), "the next rows");
  return batch;
}

namespace {

class ArrowTable final : public Table {
 public:
  ArrowTable(std::string name, OpenArrow open, const TableOptions& options)
      : Table(std::move(name), options, "row"), open_(std::move(open)), batches_(this->name(), open_()) {
    name_columns();
  }
  ArrowTable(ArrowBatches batches, const TableOptions& options)
      : Table(batches.name(), options, "row"), batches_(std::move(batches)) {
    name_columns();
    for (auto batch = batches_.next(); batch.holds(); batch = batches_.next())
      kept_.push_back(std::move(batch));
  }

  void rewind() override {
    if (row_ > 0 && open_) batches_ = ArrowBatches(name(), open_());
    row_ = place_ = next_ = 0;
    batch_ = nullptr;
    columns_of_batch_.clear();
  }

 private:
  void name_columns() {
    std::vector<std::string> names;
    for (const ArrowField& field : batches_.fields()) names.push_back(field.name);
    set_columns(std::move(names));
  }

  // Goes to the next batch with rows; false at the end.
  bool next_batch() {
    do {
      columns_of_batch_.clear();
      if (open_) {
        own_ = batches_.next();
        batch_ = own_.holds() ? &*own_ : nullptr;
      } else {
        batch_ = next_ < kept_.size() ? &*kept_[next_++] : nullptr;
      }
      place_ = 0;
    } while (batch_ != nullptr && batch_->length == 0);
    return batch_ != nullptr;
  }

  std::size_t read_rows(std::span<const ColumnRequest> asked, std::size_t most_rows,
                        CellWriter& out) override {
    if ((batch_ == nullptr || place_ == static_cast<std::size_t>(batch_->length)) && !next_batch()) return 0;
    prepare(asked);
    const std::size_t rows = std::min(most_rows, static_cast<std::size_t>(batch_->length) - place_);
    if (!put_numbers(asked, rows, out)) put_cells(asked, rows, out);
    place_ += rows;
    row_ += rows;
    return rows;
  }

  void prepare(std::span<const ColumnRequest> asked) {
    std::vector<bool> wanted(columns().size());
    bool more = columns_of_batch_.empty();
    for (const ColumnRequest& request : asked) {
      wanted[request.column] = true;
      more = more || !columns_of_batch_[request.column];
    }
    if (more) columns_of_batch_ = arrow_columns(*batch_, batches_.fields(), wanted, name());
  }

  bool put_numbers(std::span<const ColumnRequest> asked, std::size_t rows, CellWriter& out) const {
    for (const ColumnRequest& request : asked) {
      const ArrowColumn& column = *columns_of_batch_[request.column];
      if (column.has_nulls() || column.is_text() || column.plain() == nullptr) return false;
    }
    return out.put_rows(row_ + 1, rows, [&](std::size_t i, std::span<double> values) {
      columns_of_batch_[asked[i].column]->plain()->copy(place_, rows, values.data(), 1);
    });
  }

  void put_cells(std::span<const ColumnRequest> asked, std::size_t rows, CellWriter& out) const {
    for (std::size_t r = place_; r < place_ + rows; ++r) {
      out.begin_row(row_ + (r - place_) + 1);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const ArrowColumn& column = *columns_of_batch_[asked[i].column];
        if (column.is_null(r)) {
          out.put_missing(i);
        } else if (column.is_text()) {
          out.put(i, column.text(r));
        } else {
          out.put(i, column.number(r));
        }
      }
    }
  }

  OpenArrow open_;  // or none: the batches are kept
  ArrowBatches batches_;
  std::vector<ArrowOwner<ArrowArray>> kept_;
  ArrowOwner<ArrowArray> own_;
  const ArrowArray* batch_ = nullptr;
  std::vector<std::optional<ArrowColumn>> columns_of_batch_;
  std::size_t next_ = 0, place_ = 0, row_ = 0;
};

}  // namespace

std::unique_ptr<Table> arrow_table(std::string name, OpenArrow open, const TableOptions& options) {
  return std::make_unique<ArrowTable>(std::move(name), std::move(open), options);
}

std::unique_ptr<Table> arrow_table(ArrowBatches batches, const TableOptions& options) {
  return std::make_unique<ArrowTable>(std::move(batches), options);
}

}  // namespace linkgistic
