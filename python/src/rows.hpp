// Feature rows of NumPy and SciPy arrays, without a copy.
#pragma once

#include <linkgistic/feature_rows.hpp>

#include "bindings.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic::python {

/// Dense (N, D) rows of bytes, single or double precision in any order; or a tuple (shape, indptr, indices,
/// data) of sparse rows. The arrays are kept alive, not copied: double precision is rounded block by block in
/// the passes over the rows, about the column means.
FeatureRows feature_rows(nb::handle x, int threads);

/// The same rows as they are: double precision about 0.
RowMatrix row_matrix(nb::handle x);

}  // namespace linkgistic::python
