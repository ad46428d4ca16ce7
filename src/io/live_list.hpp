// The things of a kind that live now, for a signal handler, which must not lock.
#pragma once

#include <array>
#include <atomic>

namespace linkgistic {

/// Pointers to at most 64 things; more than that are not known to the handler.
template <class T>
class LiveList {
 public:
  void enter(const T* thing) { exchange(nullptr, thing); }
  void leave(const T* thing) { exchange(thing, nullptr); }

  /// visit(pointer) for each.
  template <class Visit>
  void each(const Visit& visit) const noexcept {
    for (const auto& place : places_)
      if (const T* const thing = place.load()) visit(thing);
  }

 private:
  void exchange(const T* old, const T* now) {
    for (auto& place : places_) {
      const T* expected = old;
      if (place.compare_exchange_strong(expected, now)) return;
    }
  }

  std::array<std::atomic<const T*>, 64> places_{};
};

}  // namespace linkgistic
