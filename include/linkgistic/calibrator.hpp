// Calibration: a smooth increasing map with credible bands turns the scores of a classifier into
// probabilities.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <linkgistic/export.hpp>
#include <linkgistic/inference.hpp>
#include <linkgistic/source.hpp>

namespace linkgistic {

/// What the scores are.
enum class ScoreKind {
  automatic,    // probability when all lie in [0, 1], otherwise decision
  decision,     // any number that grows with the probability of the positive class
  log_odds,     // log p/(1-p), p the probability that the classifier claims
  probability,  // p itself, in [0, 1]
};

struct CalibratorOptions {
  ScoreKind score_kind = ScoreKind::automatic;
  PriorKind prior = PriorKind::offset;  // gp is not monotone
  /// The proper loss whose link maps the source to a probability (docs/losses.md). The link must map onto
  /// the real line.
  std::string loss = "log";
  int harmonics = 12;                     // K, 1 to 64
  Inference inference = Inference::mcmc;  // for the bands; variational needs the log loss
  int threads = 0;                        // 0: all; the result does not depend on it
  std::uint64_t seed = 0;                 // for the draws behind the bands

  /// Throws a UsageError that names the first invalid option, its value and the constraint.
  LINKGISTIC_API void validate() const;
};

/// The probability at each score, with its credible band.
struct CalibratedScores {
  std::vector<double> probability;   // strictly inside (0, 1)
  std::vector<double> lower, upper;  // ends of the band of the probability
  std::vector<double> log_odds;      // strictly increasing in the score, except under the gp prior
};

/// One of the sources whose predictions are averaged.
struct CalibratorComponent {
  double v = 0;  // how far it may leave the pre-fit: docs/math.md, "Calibration"
  double log_evidence = 0;
  double weight = 0;               // its share in the average
  double smallest_eigenvalue = 0;  // that of the whitened Hessian
  int iterations = 0;              // Newton steps, from the mode of the previous v
  bool converged = false;
};

struct CalibratorSummary {
  std::size_t rows = 0;  // rows with positive weight
  double total_weight = 0, positive_weight = 0;
  std::size_t distinct = 0;  // number of distinct scores
  ScoreKind score_kind = ScoreKind::decision;
  double score_lower = 0, score_upper = 0;  // range of the finite scores
  double slope = 0;         // slope of the pre-fit's log odds per standard deviation of the warped score
  double intercept = 0;     // intercept of the pre-fit's log odds
  double log_evidence = 0;  // of the sources, given the pre-fit to the same rows: not of the whole model
  /// Log evidence of curves that need not be monotone. It is not computed below 500 rows, nor under the gp
  /// prior itself.
  std::optional<double> gp_log_evidence;
  double claimed = 0;  // weight of the uncalibrated probabilities in the average
  std::vector<CalibratorComponent> components;
  std::vector<std::string> warnings;
  double seconds = 0;  // not kept in the model file
};

struct FittedCalibratorState;

/// An immutable fit, which several threads may use at once. Copies share it.
class LINKGISTIC_API FittedMonotoneCalibrator {
 public:
  explicit FittedMonotoneCalibrator(std::shared_ptr<const FittedCalibratorState> state);

  /// Calibrated probabilities with their bands. Beyond the training scores the log odds continue with the
  /// slope they have at the edge, in the warped score, which grows like the logarithm of the score there.
  /// Infinite scores are allowed and get the most extreme probabilities. NaN, or a probability outside
  /// [0, 1], throws an InputError that names the row.
  [[nodiscard]] CalibratedScores predict(std::span<const double> scores, double interval = 0.9) const;
  /// The log odds alone.
  [[nodiscard]] std::vector<double> log_odds(std::span<const double> scores) const;
  /// The log odds that the scores themselves claim: probabilities become finite log odds, and other scores
  /// are unchanged.
  [[nodiscard]] std::vector<double> uncalibrated(std::span<const double> scores) const;

  [[nodiscard]] const CalibratorSummary& summary() const;
  [[nodiscard]] const CalibratorOptions& options() const;
  /// What the bands are and how far to trust them, in words. Computes the bands if that has not happened yet.
  [[nodiscard]] std::string posterior() const;
  /// The warnings of the summary and, once the bands have been computed, those about the bands.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// For the library's own use.
  [[nodiscard]] const FittedCalibratorState& state() const { return *state_; }

  /// Names that the model keeps: "score", "label", "positive" (the positive label), "negative 1",
  /// "negative 2", ... (the others) and, if there is one, "weight". The program adds how it read the table
  /// if a flag was given: "missing", "na", "delimiter", "decimal".
  [[nodiscard]] const std::map<std::string, std::string>& columns() const;
  [[nodiscard]] FittedMonotoneCalibrator with_columns(std::map<std::string, std::string> columns) const;

  /// The model as JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static FittedMonotoneCalibrator from_json(const std::string& text, const std::string& origin);
  /// Writes the whole file or nothing.
  void save(const std::string& path) const;
  static FittedMonotoneCalibrator load(const std::string& path);

 private:
  std::shared_ptr<const FittedCalibratorState> state_;
};

/// Several threads may call `fit` of one object at once.
class LINKGISTIC_API MonotoneCalibrator {
 public:
  /// Throws a UsageError for an invalid option.
  explicit MonotoneCalibrator(CalibratorOptions options = {});

  /// Scores may be infinite but not NaN; labels are 0 or 1; weights are not negative, or absent. A weight of
  /// 2 is the same as the row twice, and a weight of 0 leaves the row out. Rows (s, y) and (-s, 1-y) give
  /// mirror images of the same map, bit for bit.
  [[nodiscard]] FittedMonotoneCalibrator fit(std::span<const double> scores,
                                             std::span<const std::uint8_t> labels,
                                             std::span<const double> weights = {}) const;

 private:
  CalibratorOptions options_;
};

}  // namespace linkgistic
