// A fitted regression from its file.
#pragma once

#include <linkgistic/monotone_regression.hpp>

namespace linkgistic {

struct ModelFile;

/// The model of a parsed file; an InputError where it is of another kind or damaged.
FittedMonotoneRegression regression_from(const ModelFile& file);

}  // namespace linkgistic
