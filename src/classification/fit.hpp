// The course of a fit: choice of l2, the first fit, choice of v, EM; each goes on from the checkpoint.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "classification/data.hpp"
#include "classification/fit_monitor.hpp"

namespace linkgistic {

struct ClassifierFit {
  EmResult em;
  double l2 = 0, v = 0;
  bool cross_fitted = false;
  bool interrupted = false;
  std::vector<std::pair<double, double>> l2_tried, v_tried;
  std::vector<std::size_t> separated;  // scores whose rows a plane separates, without a ridge
};

/// `data` views the training rows in the scale of the fit, `positive` has the label of each score.
ClassifierFit fit_classes(const TrainingRows& training, const LabelledView& data,
                          const std::vector<std::int32_t>& positive, const LinkgisticOptions& options,
                          const std::shared_ptr<const BaseLoss>& base, FitMonitor& monitor);

/// A step of the trace as the caller sees it.
EmStep public_step(const EmRecord& record, std::size_t step);

}  // namespace linkgistic
