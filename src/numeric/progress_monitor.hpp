// The connection of a fit to its caller: it polls whether to stop, and reports progress.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <linkgistic/progress.hpp>

#include "numeric/stopwatch.hpp"

namespace linkgistic {

/// Safe to use from several threads.
class ProgressMonitor {
 public:
  ProgressMonitor(std::function<bool()> stop, std::function<void(const FitProgress&)> on_progress)
      : stop_(std::move(stop)), on_progress_(std::move(on_progress)) {}

  /// Polls the caller, one thread at a time. Once true, the result stays true.
  [[nodiscard]] bool ask_stop() {
    if (!stop_ || stopped_) return stopped_;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!stopped_ && stop_()) stopped_ = true;
    return stopped_;
  }
  /// Whether the caller has stopped the fit.
  [[nodiscard]] bool stopped() const { return stopped_; }

  void tell(const char* phase, std::size_t step, std::size_t of, double objective) const {
    if (!on_progress_) return;
    on_progress_({phase, static_cast<int>(step), static_cast<int>(of), objective, clock_.seconds()});
  }

  /// Counts a finished step of a phase. Every `stride`-th one is reported.
  void advance(const char* phase, std::size_t of, double objective, std::size_t stride = 1) {
    if (!on_progress_) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t step = ++steps_[phase];
    if (step % stride == 0) tell(phase, step, of, objective);
  }

 private:
  std::function<bool()> stop_;
  std::function<void(const FitProgress&)> on_progress_;
  Stopwatch clock_;
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
  std::map<std::string, std::size_t> steps_;
};

}  // namespace linkgistic
