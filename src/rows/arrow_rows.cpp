#include "rows/arrow_rows.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <linkgistic/error.hpp>

#include "io/spill_buffer.hpp"
#include "text/message.hpp"

namespace linkgistic {
namespace {

const ArrowType& value_type(const ArrowField& field) { return field.entries ? *field.entries : field.type; }

class ArrowRowReader {
 public:
  ArrowRowReader(ArrowBatches& batches, std::size_t budget) : batches_(batches), budget_(budget) {
    bool bytes = true, single = false, small = true;
    for (const ArrowField& field : batches.fields()) {
      if (field.is_text())
        throw InputError(batches.name() + ": column " + in_quotes(field.name) + " has text, not numbers");
      const ArrowStore store = value_type(field).store;
      bytes = bytes && store == ArrowStore::uint8 && !field.entries;
      single = single || store == ArrowStore::single;
      small = small && store != ArrowStore::nothing && store != ArrowStore::decimal &&
              (store <= ArrowStore::uint16 || store == ArrowStore::half || store == ArrowStore::single);
    }
    if (bytes) {
      bytes_.emplace(budget);
    } else if (single && small) {
      singles_.emplace(budget);
    } else {
      doubles_.emplace(budget);
    }
  }

  ArrowRows read() {
    const std::vector<bool> all(batches_.fields().size(), true);
    ArrowRows result{0, all.size(), {}};
    for (auto batch = batches_.next(); batch.holds(); batch = batches_.next()) {
      const auto columns = arrow_columns(*batch, batches_.fields(), all, batches_.name());
      const auto rows = static_cast<std::size_t>(batch->length);
      if (bytes_ && has_null(columns, rows)) widen();
      if (bytes_) {
        add(columns, rows, bytes_->extend(rows * all.size()));
      } else if (singles_) {
        add(columns, rows, singles_->extend(rows * all.size()));
      } else {
        add(columns, rows, doubles_->extend(rows * all.size()));
      }
      result.rows += rows;
    }
    if (bytes_) {
      result.values = bytes_->share();
    } else if (singles_) {
      result.values = singles_->share();
    } else {
      result.values = doubles_->share();
    }
    return result;
  }

 private:
  using Columns = std::vector<std::optional<ArrowColumn>>;

  static bool has_null(const Columns& columns, std::size_t rows) {
    for (const auto& column : columns)
      for (std::size_t r = 0; column->has_nulls() && r < rows; ++r)
        if (column->is_null(r)) return true;
    return false;
  }

  // A null is no byte.
  void widen() {
    doubles_.emplace(budget_);
    double* const out = doubles_->extend(bytes_->size());
    for (std::size_t i = 0; i < bytes_->size(); ++i) out[i] = bytes_->data()[i];
    bytes_.reset();
  }

  template <class T>
  static void add(const Columns& columns, std::size_t rows, T* out) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const ArrowColumn& column = *columns[j];
      if (const ArrowValues* plain = column.plain(); plain != nullptr && rows > 0) {
        plain->copy(0, rows, out + j, columns.size());
      } else {
        for (std::size_t r = 0; r < rows; ++r)
          if (!column.is_null(r)) out[r * columns.size() + j] = static_cast<T>(column.number(r));
      }
      if constexpr (std::is_floating_point_v<T>) {
        for (std::size_t r = 0; column.has_nulls() && r < rows; ++r)
          if (column.is_null(r)) out[r * columns.size() + j] = std::numeric_limits<T>::quiet_NaN();
      }
    }
  }

  ArrowBatches& batches_;
  std::size_t budget_;
  std::optional<SpillBuffer<std::uint8_t>> bytes_;
  std::optional<SpillBuffer<float>> singles_;
  std::optional<SpillBuffer<double>> doubles_;
};

}  // namespace

ArrowRows read_arrow_rows(ArrowBatches& batches, std::size_t budget) {
  return ArrowRowReader(batches, budget).read();
}

}  // namespace linkgistic
