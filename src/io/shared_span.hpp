// Read-only values with shared ownership of whatever holds them: a vector, or a mapped file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace linkgistic {

template <class T>
class SharedSpan {
 public:
  SharedSpan() = default;
  /// Values that `owner` keeps alive.
  SharedSpan(std::shared_ptr<const void> owner, std::span<const T> values)
      : owner_(std::move(owner)), values_(values) {}
  SharedSpan(std::vector<T> values) {  // NOLINT(google-explicit-constructor): a vector is such a span
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = *owner;
    owner_ = std::move(owner);
  }

  [[nodiscard]] const T* data() const { return values_.data(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] std::span<const T> span() const { return values_; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] const std::shared_ptr<const void>& owner() const { return owner_; }
  /// `count` values from `first`, under the same owner.
  [[nodiscard]] SharedSpan part(std::size_t first, std::size_t count) const {
    return {owner_, values_.subspan(first, count)};
  }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const T> values_;
};

}  // namespace linkgistic
