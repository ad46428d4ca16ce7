// Scores of an imagined classifier that is too sure of itself, more so on one side.
#include <cstdio>
#include <string>
#include <vector>

#include <linkgistic/calibrator.hpp>

#include "demo_parts.hpp"
#include "io/atomic_file.hpp"
#include "metrics/calibration_metrics.hpp"
#include "numeric/logistic.hpp"
#include "output.hpp"
#include "report/calibration_page.hpp"
#include "report/calibrator_text.hpp"
#include "table/toys.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t train_rows = 400, test_rows = 4000;

// Probabilities sigma((x - 50)/8) for labels whose true log odds are piecewise linear in x.
CalibrationRows claims(std::size_t rows, std::uint64_t seed) {
  const Toy toy = classification_toy(rows, seed);
  CalibrationRows result;
  for (std::size_t i = 0; i < rows; ++i) {
    result.score.push_back(sigmoid((toy.x[i] - 50) / 8));
    result.label.push_back(toy.y[i] > 0.5 ? 1 : 0);
  }
  return result;
}

std::string csv(const CalibrationRows& rows) {
  std::string text = "p,y\n";
  for (std::size_t i = 0; i < rows.score.size(); ++i) {
    append_number(text, rows.score[i]);
    text += rows.label[i] != 0 ? ",1\n" : ",0\n";
  }
  return text;
}

std::string score_row(const char* name, const CalibrationMetrics& m) {
  char row[128];
  std::snprintf(row, sizeof row, "  %-12s %8.4f  %8.4f  %8.4f  %8.4f\n", name, m.log_loss, m.brier,
                m.smooth_ece, m.mcb);
  return row;
}

}  // namespace

void demo_calibration(const DemoFolder& folder, std::uint64_t seed) {
  const CalibrationRows train = claims(train_rows, seed), test = claims(test_rows, seed + 1);
  write_atomically(folder.file("scores-train.csv"), csv(train));
  write_atomically(folder.file("scores-test.csv"), csv(test));
  const auto fit = MonotoneCalibrator()
                       .fit(train.score, train.label)
                       .with_columns({{"score", "p"}, {"label", "y"}, {"positive", "1"}});
  fit.save(folder.file("scores.json"));
  folder.page(calibration_page(fit, CalibrationTrial{"scores-test.csv", test}), "scores");
  print("CALIBRATION\n\ntoy: a classifier that is too sure of itself, " + std::to_string(train_rows) +
        " rows to learn from, " + std::to_string(test_rows) +
        " held out\n               log loss     Brier  smooth ECE    MCB\n" +
        score_row("before", calibration_metrics(fit.uncalibrated(test.score), test.label)) +
        score_row("after", calibration_metrics(fit.log_odds(test.score), test.label)) + "\n" +
        calibrator_text(fit) + "\n");
}

}  // namespace linkgistic
