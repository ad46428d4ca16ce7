// Feature rows of NumPy and SciPy arrays, without a copy.
#pragma once

#include <linkgistic/feature_rows.hpp>

#include "bindings.hpp"

namespace linkgistic::python {

/// Dense (N, D) rows in C order, of bytes or single precision as they are, of double precision as single
/// precision about the column means; or a tuple (shape, indptr, indices, data) of sparse rows. The arrays are
/// kept alive, not copied.
FeatureRows feature_rows(nb::handle x);

}  // namespace linkgistic::python
