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

/// Which maps calibrate the log odds of each class against the others.
enum class ClassMaps {
  automatic,    // the better of the two by cross-validated log loss
  one_vs_rest,  // each class has its own map
  shared,       // one map for all classes
};

/// What makes probabilities of the claims.
enum class ClassMethod {
  automatic,    // an average of all below, and of the claims themselves, by their cross-validated likelihood
  maps,         // the maps alone
  temperature,  // softmax(t s), s the logarithms of the claimed probabilities
  vector,       // softmax(D s + b), D a diagonal
  matrix,       // softmax(M s + b)
};

struct ClassCalibratorOptions {
  /// Options of each map. With score_kind automatic the scores are probabilities when all lie in [0, 1], else
  /// logits; decision and log_odds are logits. The softmax of logits is taken.
  CalibratorOptions map;
  ClassMaps maps = ClassMaps::automatic;
  ClassMethod method = ClassMethod::automatic;
  int folds = 5;           // number of cross-validation folds, 2 to 20
  std::uint64_t seed = 0;  // for the folds and the draws behind the bands
  /// Polled before each map. If it returns true during cross-validation, the choice is made from the folds
  /// finished so far (one shared map if none) and fitted. Returning true later throws Interrupted.
  std::function<bool()> stop = {};
  /// Called after every map, in the phases "maps tried" and "maps".
  std::function<void(const FitProgress&)> on_progress = {};

  /// Throws a UsageError that names the first invalid option, its value and the constraint.
  LINKGISTIC_API void validate() const;
};

struct ClassCalibratorSummary {
  std::size_t rows = 0;  // rows with positive weight
  ScoreKind score_kind = ScoreKind::probability;
  ClassMaps maps = ClassMaps::shared;            // what was fitted
  double one_vs_rest_loss = 0, shared_loss = 0;  // cross-validated log loss a row; 0 if not computed
  /// What the probabilities are an average of, by name: "maps", "claims", "temperature", "vector", "matrix",
  /// "loose matrix", "maps on matrix".
  std::map<std::string, double> weights = {{"maps", 1.0}};
  std::vector<CalibratorSummary> calibrators;  // one for each class, or a single one
  bool interrupted = false;                    // `stop` ended the choice of the maps
  std::vector<std::string> warnings = {};      // without those of the maps
  double seconds = 0;                          // not kept in the model file
};

struct CalibratedClasses {
  std::vector<double> probability;  // (N, C), inside (0, 1), rows sum to 1
  std::vector<std::size_t> label;   // (N): the most probable class
  /// (N, C): credible bands of the probabilities, if an interval was requested.
  std::vector<double> lower, upper;
};

struct FittedClassCalibratorState;

/// An immutable fit, which several threads may use at once. Copies share it.
class LINKGISTIC_API FittedClassCalibrator {
 public:
  explicit FittedClassCalibrator(std::shared_ptr<const FittedClassCalibratorState> state);

  /// Takes scores (N, C), row by row. With an interval in (0, 1) there are bands as well. They come from
  /// draws of the maps, taken as independent between classes, whose probabilities are divided by their sum.
  [[nodiscard]] CalibratedClasses predict(std::span<const double> scores,
                                          std::optional<double> interval = {}) const;
  /// (N, C): the log odds of each class against the others that the scores claim, the input of the maps.
  [[nodiscard]] std::vector<double> claimed_log_odds(std::span<const double> scores) const;
  /// The map of class number c, shared or not.
  [[nodiscard]] const FittedMonotoneCalibrator& map(std::size_t c) const;
  /// The probabilities that the scores claim themselves, (N, C).
  [[nodiscard]] std::vector<double> uncalibrated(std::span<const double> scores) const;

  [[nodiscard]] const std::vector<std::string>& class_names() const;
  [[nodiscard]] const ClassCalibratorSummary& summary() const;
  [[nodiscard]] const ClassCalibratorOptions& options() const;
  /// What the bands of the worst map are and how far to trust them, in words. Computes the bands if that has
  /// not happened yet.
  [[nodiscard]] std::string posterior() const;
  /// The warnings of the summary and of the maps and, once the bands have been computed, those about the
  /// bands.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// Names that the model keeps: "label", "weight", and "score 1", "score 2", .... The program adds how it
  /// read the table if a flag was given: "missing", "na", "delimiter", "decimal".
  [[nodiscard]] const std::map<std::string, std::string>& columns() const;
  [[nodiscard]] FittedClassCalibrator with_columns(std::map<std::string, std::string> columns) const;

  /// The model as JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static FittedClassCalibrator from_json(const std::string& text, const std::string& origin);
  /// Writes the whole file or nothing.
  void save(const std::string& path) const;
  static FittedClassCalibrator load(const std::string& path);

 private:
  std::shared_ptr<const FittedClassCalibratorState> state_;
};

/// Several threads may call `fit` of one object at once. A fit calls the functions of its options by one
/// thread at a time; fits at the same time may call them together.
class LINKGISTIC_API ClassCalibrator {
 public:
  /// Throws a UsageError for an invalid option.
  explicit ClassCalibrator(ClassCalibratorOptions options = {});

  /// Takes scores (N, C) row by row, labels (N) as indices into class_names (C, at least 2), and weights (N)
  /// or none.
  [[nodiscard]] FittedClassCalibrator fit(std::span<const double> scores,
                                          std::span<const std::int32_t> labels,
                                          std::vector<std::string> class_names,
                                          std::span<const double> weights = {}) const;

 private:
  ClassCalibratorOptions options_;
};

}  // namespace linkgistic
