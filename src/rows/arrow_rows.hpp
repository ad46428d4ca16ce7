// Arrow record batches as rows of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "io/shared_span.hpp"
#include "table/arrow_table.hpp"

namespace linkgistic {

/// Rows one after the other in the narrowest type that holds every column as NumPy would: bytes if all are
/// bytes without nulls, single precision if there is such a column and no other needs more, else double.
struct ArrowRows {
  std::size_t rows = 0, columns = 0;
  std::variant<SharedSpan<std::uint8_t>, SharedSpan<float>, SharedSpan<double>> values;
};

/// Reads all batches, each once and released then; beyond the budget, values go to a temporary file that is
/// mapped. A null is NaN. Text is an InputError with the column.
ArrowRows read_arrow_rows(ArrowBatches& batches, std::size_t budget);

}  // namespace linkgistic
