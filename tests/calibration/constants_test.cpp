// The numbers of the calibrator's prior: the default is what the calibrator has, and each of them matters.
#include "calibration/constants.hpp"

#include <functional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "calibration/calibration_rows.hpp"
#include "calibration/fit.hpp"

namespace linkgistic {
namespace {

std::vector<double> log_odds(const ScoredRows& rows, const CalibrationPrior& prior) {
  return fit_calibrator({}, prior, rows.score, rows.label, {}).log_odds(rows.score);
}

TEST(CalibrationPrior, IsThatOfTheCalibratorByDefault) {
  const ScoredRows rows = scored_rows(300, bent);
  EXPECT_EQ(log_odds(rows, {}), fit_scores(rows).log_odds(rows.score));
}

TEST(CalibrationPrior, MovesTheMapByEachOfItsNumbers) {
  const ScoredRows rows = scored_rows(300, bent);
  const std::vector<double> before = log_odds(rows, {});
  using Change = std::pair<std::string, std::function<void(CalibrationPrior&)>>;
  for (const auto& [name, change] :
       std::vector<Change>{{"knots", [](auto& p) { p.warp_knots = 20; }},
                           {"width", [](auto& p) { p.asinh_width_share = 0.6; }},
                           {"slope", [](auto& p) { p.line_slope = 5; }},
                           {"precision", [](auto& p) { p.line_precision = 40; }},
                           {"zero", [](auto& p) { p.zero_scale = 0.01; }},
                           {"period", [](auto& p) { p.period = 3; }},
                           {"decay", [](auto& p) { p.decay = 2; }},
                           {"constant", [](auto& p) { p.constant_variance = 0.1; }},
                           {"level", [](auto& p) { p.level_sd = 0.05; }},
                           {"sizes",
                            [](auto& p) {
                              p.offset_sizes = {0.01, 0.02, 0.03};
                            }},
                           {"claims", [](auto& p) { p.claim_share = 0.999; }}}) {
    CalibrationPrior prior;
    change(prior);
    EXPECT_NE(log_odds(rows, prior), before) << name;
  }
}

}  // namespace
}  // namespace linkgistic
