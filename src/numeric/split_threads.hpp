// Threads of a loop and of the work inside it.
#pragma once

namespace linkgistic {

/// One of the two levels has all threads; the other has one thread.
struct ThreadSplit {
  int outer, inner;
};
inline ThreadSplit split_threads(bool outer_has_many, int threads) {
  return outer_has_many ? ThreadSplit{threads, 1} : ThreadSplit{1, threads};
}

}  // namespace linkgistic
