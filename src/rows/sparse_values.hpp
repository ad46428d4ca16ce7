// The values of sparse rows: single precision, or double precision that is read as single.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "io/shared_span.hpp"

namespace linkgistic {

class SparseValues {
 public:
  SparseValues() = default;
  // NOLINTBEGIN(google-explicit-constructor): each of these is such values
  SparseValues(SharedSpan<float> values) : floats_(std::move(values)), size_(floats_.size()) {}
  SparseValues(SharedSpan<double> values) : doubles_(std::move(values)), size_(doubles_.size()) {}
  SparseValues(std::vector<float> values) : SparseValues(SharedSpan<float>(std::move(values))) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] std::size_t size() const { return size_; }
  float operator[](std::size_t e) const {
    return floats() != nullptr ? floats()[e] : static_cast<float>(doubles_[e]);
  }
  /// Null for values in double precision.
  [[nodiscard]] const float* floats() const { return floats_.data(); }
  [[nodiscard]] const double* doubles() const { return doubles_.data(); }
  [[nodiscard]] std::size_t bytes() const {
    return size_ * (doubles() != nullptr ? sizeof(double) : sizeof(float));
  }
  /// `count` values from `first`, under the same owner.
  [[nodiscard]] SparseValues part(std::size_t first, std::size_t count) const {
    if (doubles() != nullptr) return doubles_.part(first, count);
    return floats_.part(first, count);
  }

 private:
  SharedSpan<float> floats_;
  SharedSpan<double> doubles_;
  std::size_t size_ = 0;
};

}  // namespace linkgistic
