// Means with their errors, of paired differences too, and areas under ROC curves with DeLong's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace linkgistic::repro {

struct MeanError {
  double mean = 0, error = 0;  // standard error of the mean; 0 of one value
};
MeanError mean_error(const std::vector<double>& values);

/// The mean of a - b, pair by pair.
MeanError paired(const std::vector<double>& a, const std::vector<double>& b);

/// An area under the ROC curve and what each row contributes to its error: the sum of squares of `row` is
/// the variance of DeLong, DeLong and Clarke-Pearson (1988), and that of the difference of two `row` on the
/// same rows the variance of the difference of two areas.
struct Auc {
  double value = 0;
  std::vector<double> row;  // (N)
};
Auc delong(std::span<const double> score, std::span<const std::uint8_t> y);
/// The mean of areas on the same rows, of ten tasks one against the rest, say.
Auc mean_auc(const std::vector<Auc>& areas);

MeanError error_of(const Auc& auc);
MeanError difference(const Auc& a, const Auc& b);

/// Whether a difference is more than two standard errors from 0.
enum class Side { below, level, above };
Side side_of(const MeanError& difference);

/// "1.23 ± 0.04".
std::string with_error(const MeanError& value, int digits);
/// With the word ahead, behind or level before it; `gain` is positive where the first is better.
std::string gain_text(const MeanError& gain, int digits);

}  // namespace linkgistic::repro
