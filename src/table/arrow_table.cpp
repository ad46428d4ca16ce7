#include "table/arrow_table.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
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
  ArrowTable(std::string name, OpenArrow open, const TableOptions& options, KnownArrow known)
      : Table(std::move(name), options, "row"),
        open_(std::move(open)),
        known_(std::move(known)),
        batches_(this->name(), open_({})) {
    name_columns();
  }
  ArrowTable(ArrowBatches batches, const TableOptions& options, std::size_t first_row)
      : Table(batches.name(), options, "row"), batches_(std::move(batches)), first_row_(first_row) {
    name_columns();
    for (auto batch = batches_.next(); batch.holds(); batch = batches_.next())
      kept_.push_back(std::move(batch));
  }

  void rewind() override {
    if (row_ > 0 && open_) batches_ = ArrowBatches(name(), open_(streamed_));
    row_ = place_ = next_ = 0;
    batch_ = nullptr;
    columns_of_batch_.clear();
  }

  [[nodiscard]] std::optional<KnownColumn> known_column(std::size_t column) const override {
    return known_ ? known_(column) : std::nullopt;
  }

 private:
  void name_columns() {
    std::vector<std::string> names;
    for (const ArrowField& field : batches_.fields()) names.push_back(field.name);
    set_columns(std::move(names));
    for (std::size_t j = 0; j < columns().size(); ++j) streamed_.push_back(j);
  }

  // Streams the requested columns alone, from the row at hand on.
  void stream(std::span<const ColumnRequest> asked) {
    std::vector<std::size_t> wanted;
    for (const ColumnRequest& request : asked) wanted.push_back(request.column);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (wanted.empty() || wanted == streamed_) return;
    if (row_ > 0) {
      std::vector<std::size_t> all;
      std::set_union(wanted.begin(), wanted.end(), streamed_.begin(), streamed_.end(),
                     std::back_inserter(all));
      if (all == streamed_) return;
      wanted = std::move(all);
    }
    streamed_ = std::move(wanted);
    batches_ = ArrowBatches(name(), open_(streamed_));
    batch_ = nullptr;
    std::size_t skip = row_;
    while (skip > 0 && next_batch()) {
      place_ = std::min(skip, static_cast<std::size_t>(batch_->length));
      skip -= place_;
    }
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
    if (open_) stream(asked);
    if ((batch_ == nullptr || place_ == static_cast<std::size_t>(batch_->length)) && !next_batch()) return 0;
    prepare(asked);
    const std::size_t rows = std::min(most_rows, static_cast<std::size_t>(batch_->length) - place_);
    if (!put_numbers(asked, rows, out)) put_cells(asked, rows, out);
    place_ += rows;
    row_ += rows;
    return rows;
  }

  void prepare(std::span<const ColumnRequest> asked) {
    bool more = columns_of_batch_.empty();
    std::vector<bool> wanted(streamed_.size());
    for (const ColumnRequest& request : asked) {
      more = more || !columns_of_batch_[request.column];
      const auto at = std::lower_bound(streamed_.begin(), streamed_.end(), request.column);
      wanted[static_cast<std::size_t>(at - streamed_.begin())] = true;
    }
    if (!more) return;
    auto found = arrow_columns(*batch_, batches_.fields(), wanted, name());
    columns_of_batch_.clear();
    columns_of_batch_.resize(columns().size());
    for (std::size_t k = 0; k < streamed_.size(); ++k) columns_of_batch_[streamed_[k]] = found[k];
  }

  bool put_numbers(std::span<const ColumnRequest> asked, std::size_t rows, CellWriter& out) const {
    for (const ColumnRequest& request : asked) {
      const ArrowColumn& column = *columns_of_batch_[request.column];
      if (column.has_nulls() || column.is_text() || column.plain() == nullptr) return false;
    }
    return out.put_rows(first_row_ + row_ + 1, rows, [&](std::size_t i, std::span<double> values) {
      columns_of_batch_[asked[i].column]->plain()->copy(place_, rows, values.data(), 1);
    });
  }

  void put_cells(std::span<const ColumnRequest> asked, std::size_t rows, CellWriter& out) const {
    for (std::size_t r = place_; r < place_ + rows; ++r) {
      out.begin_row(first_row_ + row_ + (r - place_) + 1);
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
  KnownArrow known_;
  std::vector<std::size_t> streamed_;  // columns, sorted
  ArrowBatches batches_;
  std::vector<ArrowOwner<ArrowArray>> kept_;
  ArrowOwner<ArrowArray> own_;
  const ArrowArray* batch_ = nullptr;
  std::vector<std::optional<ArrowColumn>> columns_of_batch_;
  std::size_t next_ = 0, place_ = 0, row_ = 0, first_row_ = 0;
};

}  // namespace

std::unique_ptr<Table> arrow_table(std::string name, OpenArrow open, const TableOptions& options,
                                   KnownArrow known) {
  return std::make_unique<ArrowTable>(std::move(name), std::move(open), options, std::move(known));
}

std::unique_ptr<Table> arrow_table(ArrowBatches batches, const TableOptions& options, std::size_t first_row) {
  return std::make_unique<ArrowTable>(std::move(batches), options, first_row);
}

}  // namespace linkgistic
