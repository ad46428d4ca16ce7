// What the fit of a classifier asks and tells on its way: as any fit, and its checkpoint.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/checkpoint.hpp"
#include "numeric/progress_monitor.hpp"

namespace linkgistic {

class FitMonitor : public ProgressMonitor {
 public:
  FitMonitor(const LinkgisticOptions& options, Checkpoint file)
      : ProgressMonitor(options.stop, options.on_progress), checkpoint(std::move(file)) {}

  /// A finished unit of work. After a stop there is none.
  void record(const std::string& slot, const std::function<nlohmann::json()>& value) {
    if (!stopped()) checkpoint.record(slot, value);
  }

  Checkpoint checkpoint;
};

}  // namespace linkgistic
