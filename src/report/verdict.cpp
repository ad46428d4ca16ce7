#include "report/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "report/words.hpp"

namespace linkgistic {
namespace {

constexpr double refused_below = 0.05;

}  // namespace

std::string comparison_words(const std::string& score, const PairedLosses& losses, const std::string& rival,
                             bool root) {
  const auto shown = [root](double loss) { return number(root ? std::sqrt(loss) : loss, 4); };
  std::string words = score + ' ' + shown(losses.first) + " against " + shown(losses.second) + " of " + rival;
  if (!std::isfinite(losses.lower) || !std::isfinite(losses.upper)) return words;
  if (losses.lower <= 0 && losses.upper >= 0) return words + ", no clear difference";
  const bool lower = losses.difference < 0;
  words += lower ? ", lower" : ", higher";
  if (root) return words;
  const double from = std::min(std::abs(losses.lower), std::abs(losses.upper));
  const double to = std::max(std::abs(losses.lower), std::abs(losses.upper));
  return words + " by " + number(std::abs(losses.difference), 2) + " (90 % interval " + number(from, 2) +
         " to " + number(to, 2) + ")";
}

std::string calibration_words(const CalibrationTest& test, double error) {
  const std::string rows = std::to_string(test.rows),
                    off = " (expected calibration error " + number(error, 2) + ")";
  if (test.p_value >= refused_below)
    return "the probabilities are calibrated as far as " + rows + " rows can tell" + off +
           ": of labels drawn from them " + number(100 * test.as_great, 2) + " % look as far off or farther";
  return "the probabilities are not calibrated" + off + ": of labels drawn from them " +
         (test.as_great == 0 ? std::string("none looks")
                             : "only " + number(100 * test.as_great, 2) + " % look") +
         " as far off in " + rows + " rows";
}

std::string coverage_words(double coverage, std::size_t rows, bool counts) {
  // The share of n rows inside has the standard deviation sqrt(0.9 0.1 / n); 1.96 of them hold 95 % of
  // shares.
  const double room = 1.96 * std::sqrt(0.09 / static_cast<double>(rows));
  const std::string words =
      number(100 * coverage, 3) + " % of the rows lie inside the 90 % band of observations, ";
  if (std::abs(coverage - 0.9) <= room || (counts && coverage > 0.9)) return words + "as they should";
  return words + (coverage < 0.9 ? "fewer than they should: the band is too narrow for these rows"
                                 : "more than they should: the band is too wide for these rows");
}

std::string training_rows_words(bool alike) {
  return alike ? " These look like the rows that the model was fitted to: expect less of others." : "";
}

}  // namespace linkgistic
