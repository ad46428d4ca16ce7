// Calibration of many classes: a score for each class becomes a probability for each class.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/export.hpp>
#include <linkgistic/progress.hpp>

namespace linkgistic {

/// Which maps take the log odds of one class against the others to calibrated ones.
enum class ClassMaps {
  automatic,    // the better of both by cross-validated log loss
  one_vs_rest,  // each class has its own
  shared,       // one for all classes
};

struct ClassCalibratorOptions {
  /// Of the maps. score_kind: probabilities when all scores lie in [0, 1] (automatic), else logits, of which
  /// the softmax is taken (decision and log_odds).
  CalibratorOptions map;
  ClassMaps maps = ClassMaps::automatic;
  int folds = 5;           // of the cross-validation, 2 to 20
  std::uint64_t seed = 0;  // of its parts
  /// Asked before every map. A yes in the cross-validation ends it: the choice rests on the parts so far, and
  /// is one for all where there are none; its maps are fitted still. A first yes after it is Interrupted.
  std::function<bool()> stop = {};
  /// Told every map; phases "maps tried" and "maps".
  std::function<void(const FitProgress&)> on_progress = {};

  /// Throws UsageError with the name of an option that cannot be, its value and the constraint.
  LINKGISTIC_API void validate() const;
};

struct ClassCalibratorSummary {
  std::size_t rows = 0;  // with positive weight
  ScoreKind score_kind = ScoreKind::probability;
  ClassMaps maps = ClassMaps::shared;            // what was fitted
  double one_vs_rest_loss = 0, shared_loss = 0;  // cross-validated log loss a row; 0 where not asked
  std::vector<CalibratorSummary> calibrators;    // one a class, or one
  bool interrupted = false;                      // the choice of the maps was ended by `stop`
  std::vector<std::string> warnings = {};        // not those of the maps
  double seconds = 0;                            // not kept in the model file
};

struct CalibratedClasses {
  std::vector<double> probability;  // (N, C), inside (0, 1), rows sum to 1
  std::vector<std::size_t> label;   // (N): the most probable class
  /// (N, C): credible bands of the probabilities, where an interval was asked for.
  std::vector<double> lower, upper;
};

struct FittedClassCalibratorState;

/// An immutable fit, which several threads may use at once. Copies share it.
class LINKGISTIC_API FittedClassCalibrator {
 public:
  explicit FittedClassCalibrator(std::shared_ptr<const FittedClassCalibratorState> state);

  /// Scores (N, C), row by row. With an interval in (0, 1), bands: of the probabilities that draws of the
  /// maps give when they are divided by their sum, the maps of different classes taken as independent.
  [[nodiscard]] CalibratedClasses predict(std::span<const double> scores,
                                          std::optional<double> interval = {}) const;
  /// (N, C): the log odds of each class against the others that the scores claim, which the maps take.
  [[nodiscard]] std::vector<double> claimed_log_odds(std::span<const double> scores) const;
  /// The map of class number c, shared or its own.
  [[nodiscard]] const FittedMonotoneCalibrator& map(std::size_t c) const;
  /// The probabilities that the scores claim themselves, (N, C).
  [[nodiscard]] std::vector<double> uncalibrated(std::span<const double> scores) const;

  [[nodiscard]] const std::vector<std::string>& class_names() const;
  [[nodiscard]] const ClassCalibratorSummary& summary() const;
  [[nodiscard]] const ClassCalibratorOptions& options() const;
  /// What the bands are and how far they can be trusted, in words: of the worst map. Makes them if they were
  /// not yet asked for.
  [[nodiscard]] std::string posterior() const;
  /// Those of the summary and of the maps, and where bands were made what is wrong with them.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Names that travel with the model: "label", "weight", and "score 1", "score 2", ...; from the program
  /// also "missing" and "delimiter", as those of a calibrator.
  [[nodiscard]] const std::map<std::string, std::string>& columns() const;
  [[nodiscard]] FittedClassCalibrator with_columns(std::map<std::string, std::string> columns) const;

  /// The model as JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static FittedClassCalibrator from_json(const std::string& text, const std::string& origin);
  /// Written whole or not at all.
  void save(const std::string& path) const;
  static FittedClassCalibrator load(const std::string& path);

 private:
  std::shared_ptr<const FittedClassCalibratorState> state_;
};

/// Several threads may call `fit` of one object at once. A fit calls the functions of its options by one
/// thread at a time; fits at the same time may call them together.
class LINKGISTIC_API ClassCalibrator {
 public:
  /// Throws UsageError for an option that cannot be.
  explicit ClassCalibrator(ClassCalibratorOptions options = {});

  /// Scores (N, C) row by row, labels (N) as places in class_names (C, at least 2), weights (N) or none.
  [[nodiscard]] FittedClassCalibrator fit(std::span<const double> scores,
                                          std::span<const std::int32_t> labels,
                                          std::vector<std::string> class_names,
                                          std::span<const double> weights = {}) const;

 private:
  ClassCalibratorOptions options_;
};

}  // namespace linkgistic
