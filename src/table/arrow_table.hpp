// Arrow record batches as a table: nulls are missing values, dictionaries their entries.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "table/arrow_cells.hpp"
#include "table/table.hpp"

namespace linkgistic {

/// A stream of record batches.
class ArrowBatches {
 public:
  /// Takes the stream over, which is released afterwards. Messages begin with `name`.
  ArrowBatches(std::string name, ArrowOwner<ArrowArrayStream> stream);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<ArrowField>& fields() const { return fields_; }
  /// The next batch; one that holds nothing is the end. An InputError has the producer's words.
  ArrowOwner<ArrowArray> next();

 private:
  void check(int status, const char* what);

  std::string name_;
  ArrowOwner<ArrowArrayStream> stream_;
  std::vector<ArrowField> fields_;
};

/// Makes a new stream of the same rows, of these columns in this order; of none named: of all.
using OpenArrow = std::function<ArrowOwner<ArrowArrayStream>(const std::vector<std::size_t>& columns)>;
/// What is known of a column before a reading.
using KnownArrow = std::function<std::optional<KnownColumn>(std::size_t column)>;

/// A table that is streamed anew for each reading, of the requested columns alone.
std::unique_ptr<Table> arrow_table(std::string name, OpenArrow open, const TableOptions& options,
                                   KnownArrow known = nullptr);
/// A table of batches that can be read once: they are kept. Messages count its rows from `first_row` + 1,
/// those of a part of a longer table.
std::unique_ptr<Table> arrow_table(ArrowBatches batches, const TableOptions& options,
                                   std::size_t first_row = 0);

}  // namespace linkgistic
