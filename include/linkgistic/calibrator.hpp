// Calibration: the scores of a classifier become probabilities by a smooth increasing map with credible
// bands.
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
  log_odds,     // log p/(1-p) as the classifier believes
  probability,  // p as the classifier believes, in [0, 1]
};

struct CalibratorOptions {
  ScoreKind score_kind = ScoreKind::automatic;
  PriorKind prior = PriorKind::offset;  // gp is not monotone
  /// The proper loss whose link maps the source to a probability: docs/losses.md. Its link must be onto the
  /// reals.
  std::string loss = "log";
  int harmonics = 12;                     // K, 1 to 64
  Inference inference = Inference::mcmc;  // of the bands; variational: for the log loss
  int threads = 0;                        // 0 = all; the result does not depend on it
  std::uint64_t seed = 0;                 // of the draws behind the bands

  /// Throws UsageError with the name of an option that cannot be, its value and the constraint.
  LINKGISTIC_API void validate() const;
};

/// One p at each score, with its credible band.
struct CalibratedScores {
  std::vector<double> probability;   // strictly inside (0, 1)
  std::vector<double> lower, upper;  // of the probability
  std::vector<double> log_odds;      // strictly increasing in the score, but under the gp prior
};

/// One of the sources whose predictions are averaged.
struct CalibratorComponent {
  double v = 0;  // how far it may leave the pre-fit: docs/math.md, "Calibration"
  double log_evidence = 0;
  double weight = 0;               // in the average
  double smallest_eigenvalue = 0;  // of the whitened Hessian
  int iterations = 0;              // Newton's, from the mode of the v before it
  bool converged = false;
};

struct CalibratorSummary {
  std::size_t rows = 0;  // with positive weight
  double total_weight = 0, positive_weight = 0;
  std::size_t distinct = 0;  // scores
  ScoreKind score_kind = ScoreKind::decision;
  double score_lower = 0, score_upper = 0;  // finite ones
  double slope = 0;         // of the pre-fit's log odds, a standard deviation of the warped score
  double intercept = 0;     // of the pre-fit's log odds
  double log_evidence = 0;  // of the sources
  /// Of curves that need not be monotone; not looked for below 500 rows or under the gp prior itself.
  std::optional<double> gp_log_evidence;
  double claimed = 0;  // weight in the average of what the scores themselves claim
  std::vector<CalibratorComponent> components;
  std::vector<std::string> warnings;
  double seconds = 0;  // not kept in the model file
};

struct FittedCalibratorState;

/// An immutable fit, which several threads may use at once. Copies share it.
class LINKGISTIC_API FittedMonotoneCalibrator {
 public:
  explicit FittedMonotoneCalibrator(std::shared_ptr<const FittedCalibratorState> state);

  /// Beyond the training scores the log odds go on with the slope they have at the edge, in the warped score,
  /// which grows like the logarithm of the score there. Infinite scores are the largest ones. NaN, and for
  /// probabilities what lies outside [0, 1], is an InputError with the row.
  [[nodiscard]] CalibratedScores predict(std::span<const double> scores, double interval = 0.9) const;
  /// The log odds alone.
  [[nodiscard]] std::vector<double> log_odds(std::span<const double> scores) const;
  /// The log odds that the scores claim themselves: those of probabilities, finite; other scores unchanged.
  [[nodiscard]] std::vector<double> uncalibrated(std::span<const double> scores) const;

  [[nodiscard]] const CalibratorSummary& summary() const;
  [[nodiscard]] const CalibratorOptions& options() const;
  /// What the bands are and how far they can be trusted, in words. Makes them if they were not yet asked for.
  [[nodiscard]] std::string posterior() const;
  /// Those of the summary, and where bands were made what is wrong with them.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// For the library's own use.
  [[nodiscard]] const FittedCalibratorState& state() const { return *state_; }

  /// Names that travel with the model: "score", "label", "positive" (the positive label), "negative 1",
  /// "negative 2", ... (the others) and, if there is one, "weight". The program adds how it read the table,
  /// where a flag said so: "missing", "delimiter".
  [[nodiscard]] const std::map<std::string, std::string>& columns() const;
  [[nodiscard]] FittedMonotoneCalibrator with_columns(std::map<std::string, std::string> columns) const;

  /// The model as JSON, and back. A damaged text or an unknown version is an InputError that names `origin`.
  [[nodiscard]] std::string to_json() const;
  static FittedMonotoneCalibrator from_json(const std::string& text, const std::string& origin);
  /// Written whole or not at all.
  void save(const std::string& path) const;
  static FittedMonotoneCalibrator load(const std::string& path);

 private:
  std::shared_ptr<const FittedCalibratorState> state_;
};

/// Several threads may call `fit` of one object at once.
class LINKGISTIC_API MonotoneCalibrator {
 public:
  /// Throws UsageError for an option that cannot be.
  explicit MonotoneCalibrator(CalibratorOptions options = {});

  /// Scores (not NaN, infinite ones allowed) and labels 0 or 1 of one length; weights not negative, or none.
  /// Weight 2 is the row twice, weight 0 the row left out. Rows (s, y) and (-s, 1-y) give the same map turned
  /// about, bit for bit.
  [[nodiscard]] FittedMonotoneCalibrator fit(std::span<const double> scores,
                                             std::span<const std::uint8_t> labels,
                                             std::span<const double> weights = {}) const;

 private:
  CalibratorOptions options_;
};

}  // namespace linkgistic
