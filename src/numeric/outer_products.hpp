// Sums of outer products of rows, in double precision.
#pragma once

#include <cstddef>

namespace linkgistic {

/// Doubles that the widest vectors hold: rows of outer_products are padded to a multiple of it.
constexpr std::size_t outer_product_padding = 8;

/// sum[j * stride + i] += sum_n x_ni x_nj for i <= j, and for the i above j in j's last vector, whose values
/// mean nothing. x (rows, stride) and sum (stride, stride) are aligned to 64 bytes, stride is a multiple of
/// outer_product_padding.
void add_outer_products(const double* x, std::size_t rows, std::size_t stride, double* sum);

}  // namespace linkgistic
