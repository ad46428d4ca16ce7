// Whether labels could have come from the probabilities that were predicted for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace linkgistic {

struct CalibrationTestOptions {
  int replicates = 199;
  std::uint64_t seed = 0;  // the labels that replicate r draws for row i are a function of seed, r and i
  int threads = 0;         // 0: all; the result does not depend on it
};

struct CalibrationTest {
  std::size_t rows = 0;  // those that were used
  double mcb = 0;        // miscalibration, summed over classes; of two classes that of the second
  double as_great = 1;   // share of the replicates whose miscalibration is at least that of the labels
  double p_value = 1;    // (1 + number of such replicates) / (1 + replicates)
};

/// The test of the hypothesis that the label of each row is drawn from its probabilities (N, C), by the
/// miscalibration MCB of the CORP decomposition (Dimitriadis, Gneiting and Jordan 2021): the Brier score less
/// that of the isotonic recalibration. Each replicate draws labels from the probabilities and recalibrates
/// those. Weights multiply squared errors; each row still has one label. Of more than 20,000 rows (fewer of
/// more than 20 classes) evenly spaced ones are used. Throws InputError for lengths that do not fit and where
/// no row has a positive weight.
CalibrationTest calibration_test(std::span<const double> probability, std::size_t classes,
                                 std::span<const std::int32_t> label, std::span<const double> weight = {},
                                 const CalibrationTestOptions& options = {});

}  // namespace linkgistic
