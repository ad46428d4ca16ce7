// Threads. Work is cut into chunks that depend on its size alone, never on the number of threads, so that
// sums made chunk by chunk and added in the order of the chunks are the same whatever the thread count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>

#include <omp.h>

namespace linkgistic {

/// The most threads that an option gets: more would only wait for each other, and a system has a limit.
inline int most_threads() { return 8 * omp_get_num_procs(); }

/// Whether this process is a child of one that had threads when it forked. They are not in the child, and a
/// parallel region of GCC's runtime would wait for them for ever: here work runs on the calling thread.
/// The first call watches forks from then on; it comes before every parallel region.
bool threads_were_lost();

/// The number of threads for an option value: 0 means all of the machine's.
inline int thread_count(int requested) {
  if (threads_were_lost()) return 1;
  return requested > 0 ? std::min(requested, most_threads()) : omp_get_max_threads();
}

/// Runs body(i) for i in [0, count) on `threads` threads (0 = all). The first exception, by i, is rethrown.
template <class Body>
void parallel_for(std::size_t count, int threads, Body&& body) {
  std::exception_ptr error;
  std::size_t error_index = count;
  const int n_threads = thread_count(threads);
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1 && count > 1)
  for (std::size_t i = 0; i < count; ++i) {
    try {
      body(i);
    } catch (...) {
#pragma omp critical(linkgistic_parallel_for)
      if (i < error_index) {
        error = std::current_exception();
        error_index = i;
      }
    }
  }
  if (error) std::rethrow_exception(error);
}

/// body(i, first, last) for the chunks of `size` numbers, [first, last), of those below `count`.
template <class Body>
void parallel_chunks(std::size_t count, std::size_t size, int threads, const Body& body) {
  parallel_for((count + size - 1) / size, threads,
               [&](std::size_t i) { body(i, i * size, i * size + size < count ? i * size + size : count); });
}

}  // namespace linkgistic
