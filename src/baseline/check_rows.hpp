// The checks that every baseline makes of its rows.
#pragma once

#include <linkgistic/rows.hpp>

namespace linkgistic {

/// Throws InputError for lengths that differ, values that are not finite, negative weights, and where no row
/// has a positive weight.
void check_rows(const RowBlock& rows);

}  // namespace linkgistic
