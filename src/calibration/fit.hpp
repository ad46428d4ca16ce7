// The Laplace fits of a calibrator's sources on its pre-fit, and the weights of what is averaged.
#pragma once

#include <memory>
#include <vector>

#include "calibration/fitted.hpp"
#include "calibration/source.hpp"
#include "engine/compression.hpp"
#include "response/response.hpp"

namespace linkgistic {

/// Rows (q, y, weight) with the log odds that their scores claim.
struct CompressedScores {
  WeightedRows rows;
  std::vector<double> claim;
};

/// MonotoneCalibrator::fit with another prior than the one that the constants are.
FittedMonotoneCalibrator fit_calibrator(const CalibratorOptions& options, const CalibrationPrior& prior,
                                        std::span<const double> scores, std::span<const std::uint8_t> labels,
                                        std::span<const double> weights);
/// The same by any engine of the scores.
FittedMonotoneCalibrator fit_calibrator(const CalibratorOptions& options, const CalibrationPrior& prior,
                                        ScoreEngine& engine);

class CalibrationFit {
 public:
  /// The pre-fit, origin and length of `state` are set; the references must outlive this object.
  CalibrationFit(const FittedCalibratorState& state, const CompressedScores& rows,
                 std::shared_ptr<const Response> response);

  /// All sizes v of a prior, without weights.
  struct Sources {
    std::vector<CalibrationComponent> components;
    std::vector<CalibratorComponent> facts;
    double log_evidence = 0;     // of their average
    double free_parameters = 0;  // effective number, by evidence, the pre-fit's two included
  };
  /// Weights are by evidence and sum to 1.
  [[nodiscard]] Sources sources(PriorKind prior) const;

  /// Weights of the blurred claims of the scores in the average; the sources have the rest.
  [[nodiscard]] std::vector<CalibrationClaim> claims(const Sources& sources) const;

 private:
  [[nodiscard]] std::vector<double> coordinates(const PreFit& line) const;

  const FittedCalibratorState& state_;
  const CompressedScores& rows_;
  std::shared_ptr<const Response> response_;
  std::vector<double> t_;
};

}  // namespace linkgistic
