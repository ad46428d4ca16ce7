// Entries of a sparse row that name the same column: the row's value there is their sum.
#pragma once

#include "rows/row_matrix.hpp"

namespace linkgistic {

[[nodiscard]] bool has_repeated_columns(const CsrRows& rows);

/// The same rows with each column once in a row, where it first stood. Sums are taken in double precision and
/// stored in that of the values. Throws an InputError with the row for a sum beyond single precision.
[[nodiscard]] CsrRows with_repeated_columns_summed(const CsrRows& rows);

}  // namespace linkgistic
