// The course of a fit: choice of l2, the first fit, choice of v, EM.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/em.hpp"
#include "classification/ridge_evidence.hpp"
#include "engine/make_engine.hpp"
#include "numeric/progress_monitor.hpp"

namespace linkgistic {

/// l2 where there are too few rows to choose it by.
inline constexpr double l2_of_few_rows = 1;

struct ClassifierFit {
  EmResult em;
  double l2 = 0, v = 0, v_shared = 0;
  bool interrupted = false;
  std::vector<std::pair<double, double>> l2_tried, v_tried;
  bool v_by_evidence = false;          // v_tried are minus log posterior probabilities, a unit of weight each
  double weight = 0;                   // of the rows
  RidgeSpread ridges;                  // of one score whose ridge was chosen, where it is cheap
  std::vector<std::size_t> separated;  // scores whose rows a plane separates, without a ridge
};

/// The data of a fit.
struct ClassifierProblem {
  RowEngine& engine;
  ColumnScale scale;
  std::vector<std::int32_t> positive;  // the label of each score
  std::size_t parts = 0;               // of the engine's rows
  bool cross_fit = false;
  bool softmax = false;
  bool pairwise = false;  // the scores are those of pairs, the engine's parts those of pair_parts
  Recall recall = {};     // of links that were fitted before
};

ClassifierFit fit_classes(const ClassifierProblem& problem, const LinkgisticOptions& options,
                          const std::shared_ptr<const BaseLoss>& base, ProgressMonitor& monitor);

/// The fit of a classifier by any engine. Where other processes have the rows, `rows_hash` is theirs for the
/// fingerprint of a checkpoint.
FittedLinkgisticClassifier fit_classifier(const ClassificationData& data, const LinkgisticOptions& options,
                                          const EngineFactory& make_engine,
                                          std::optional<std::uint64_t> rows_hash = std::nullopt);

/// A step of the trace as the caller sees it.
EmStep public_step(const EmRecord& record, std::size_t step);

}  // namespace linkgistic
