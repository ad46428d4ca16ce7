// What a fit asks and tells on its way: whether to stop, how far it is, and its checkpoint.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include <linkgistic/linkgistic_classifier.hpp>

#include "model/checkpoint.hpp"

namespace linkgistic {

class FitMonitor {
 public:
  /// The options must outlive this object.
  FitMonitor(const LinkgisticOptions& options, Checkpoint file)
      : checkpoint(std::move(file)), options_(options) {}

  /// Asks the caller, one thread at a time; a yes is for good.
  [[nodiscard]] bool ask_stop() {
    if (!options_.stop || stopped_) return stopped_;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!stopped_ && options_.stop()) stopped_ = true;
    return stopped_;
  }
  /// Whether the answer has been yes.
  [[nodiscard]] bool stopped() const { return stopped_; }

  void tell(const char* phase, std::size_t step, std::size_t of, double objective) const {
    if (!options_.on_progress) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    options_.on_progress({phase, static_cast<int>(step), static_cast<int>(of), objective, elapsed.count()});
  }

  /// A finished unit of work. After a stop there is none.
  void record(const std::string& slot, const std::function<nlohmann::json()>& value) {
    if (!stopped_) checkpoint.record(slot, value);
  }

  Checkpoint checkpoint;

 private:
  const LinkgisticOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::atomic<bool> stopped_{false};
};

}  // namespace linkgistic
