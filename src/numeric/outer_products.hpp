// Sums of outer products of rows, in double precision.
#pragma once

#include <cstddef>
#include <span>

#include "numeric/aligned_vector.hpp"

namespace linkgistic {

/// Doubles that the widest vectors hold: rows of outer_products are padded to a multiple of it.
constexpr std::size_t outer_product_padding = 8;

/// sum[j * stride + i] += sum_n x_ni x_nj for i <= j, and for the i above j in j's last vector, whose values
/// mean nothing. x (rows, stride) and sum (stride, stride) are aligned to 64 bytes, stride is a multiple of
/// outer_product_padding.
void add_outer_products(const double* x, std::size_t rows, std::size_t stride, double* sum);

/// sum_n x_n x_n' over rows of `width` numbers that are written one after the other.
class OuterProductSum {
 public:
  explicit OuterProductSum(std::size_t width);

  /// Where the next row is to be written, in full.
  [[nodiscard]] double* row() { return waiting_.data() + rows_ * stride_; }
  /// Adds the row that was written.
  void add() {
    if (++rows_ == rows_at_a_time) add_waiting();
  }
  /// Adds the upper triangle of the sum to that of `to` (width, width), by columns, and begins anew.
  void take(std::span<double> to);

 private:
  static constexpr std::size_t rows_at_a_time = 128;
  void add_waiting();

  std::size_t width_, stride_;
  AlignedVector<double> waiting_;  // (rows, stride)
  AlignedVector<double> sum_;      // (stride, stride)
  std::size_t rows_ = 0;
};

}  // namespace linkgistic
