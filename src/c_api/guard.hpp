// The border to C: an exception becomes a status and the message of its thread; pointers are checked.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic.h>

namespace linkgistic::c_api {

/// The status of the exception that is being handled, whose message linkgistic_last_error() then gives.
int status_of_exception() noexcept;

/// Does the work, and returns how it ended.
template <class Work>
int guarded(const Work& work) noexcept {
  try {
    work();
    return LINKGISTIC_OK;
  } catch (...) {
    return status_of_exception();
  }
}

/// What a pointer points at; a UsageError with its name if it is null.
template <class T>
T& needed(T* pointer, const char* name) {
  if (pointer == nullptr) throw UsageError(std::string(name) + " is NULL");
  return *pointer;
}

/// The same for `count` values, of which there may be none.
template <class T>
std::span<const T> values_of(const T* values, std::size_t count, const char* name) {
  if (count > 0) (void)needed(values, name);
  return {values, values == nullptr ? 0 : count};
}

/// Values that may be left out.
inline std::span<const double> optional_values(const double* values, std::size_t count) {
  return {values, values == nullptr ? 0 : count};
}

/// The caller's question as a function of C++; none where it is null.
std::function<bool()> stop_function(linkgistic_stop stop, void* context);

/// A copy that C may free; linkgistic_free_text does.
char* copied(const std::string& text);

}  // namespace linkgistic::c_api
