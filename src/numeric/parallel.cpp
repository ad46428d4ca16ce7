// Forks, after which OpenMP has no threads.
#include "numeric/parallel.hpp"

#include <atomic>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace linkgistic {
namespace {

std::atomic<bool> lost{false};

bool watch_forks() {
#ifndef _WIN32
  pthread_atfork(nullptr, nullptr, [] { lost.store(true, std::memory_order_relaxed); });
#endif
  return true;
}

}  // namespace

bool threads_were_lost() {
  static const bool watched = watch_forks();
  return watched && lost.load(std::memory_order_relaxed);
}

}  // namespace linkgistic
