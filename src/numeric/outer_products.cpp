#include "numeric/outer_products.hpp"

#include <algorithm>

namespace linkgistic {

OuterProductSum::OuterProductSum(std::size_t width)
    : width_(width),
      stride_((width + outer_product_padding - 1) / outer_product_padding * outer_product_padding),
      waiting_(rows_at_a_time * stride_),
      sum_(stride_ * stride_) {}

void OuterProductSum::add_waiting() {
  add_outer_products(waiting_.data(), rows_, stride_, sum_.data());
  rows_ = 0;
}

void OuterProductSum::take(std::span<double> to) {
  add_waiting();
  for (std::size_t j = 0; j < width_; ++j)
    for (std::size_t i = 0; i <= j; ++i) to[j * width_ + i] += sum_[j * stride_ + i];
  std::fill_n(sum_.data(), stride_ * stride_, 0.0);
}

}  // namespace linkgistic
