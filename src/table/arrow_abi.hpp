// The structs of Arrow's C data and C stream interfaces, as its specification gives them to be copied:
// https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <cstdint>

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
extern "C" {
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
}
#endif

namespace linkgistic {

/// One of the structs above, which is released when it goes.
template <class C>
class ArrowOwner {
 public:
  ArrowOwner() = default;
  ~ArrowOwner() { release(); }
  ArrowOwner(ArrowOwner&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  ArrowOwner& operator=(ArrowOwner&& other) noexcept {
    if (this == &other) return *this;
    release();
    value_ = other.value_;
    other.value_.release = nullptr;
    return *this;
  }
  ArrowOwner(const ArrowOwner&) = delete;
  ArrowOwner& operator=(const ArrowOwner&) = delete;

  /// Where a producer writes; what was there is released.
  C* fresh() {
    release();
    return &value_;
  }
  [[nodiscard]] C* get() { return &value_; }
  const C& operator*() const { return value_; }
  const C* operator->() const { return &value_; }
  [[nodiscard]] bool holds() const { return value_.release != nullptr; }

 private:
  void release() {
    if (value_.release != nullptr) value_.release(&value_);
    value_.release = nullptr;
  }

  C value_{};
};

}  // namespace linkgistic
