// The same bytes of the model file for any partition of the rows and any number of threads.
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "calibration/fit.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"
#include "reference/partitions.hpp"

namespace linkgistic {
namespace {

enum class Kind { plain, weighted, probabilities, ties, distinct, offset, few };

struct Rows {
  std::vector<double> scores, weights;
  std::vector<std::uint8_t> labels;
  [[nodiscard]] LabelledScores view() const { return {scores, labels, weights}; }
};

// Above 20,000 rows and 40 leaves; `distinct`: five scores; `few`: below. Weights are fractions and scores
// are tied, so that the order of the sums shows in their last bits; probabilities are not tied.
Rows rows_of(Kind kind) {
  RandomStream random(static_cast<std::uint64_t>(kind) + 2);
  Rows rows;
  for (std::size_t i = 0; i < (kind == Kind::few ? 9000U : 41'500U); ++i) {
    double s = random.normal();
    if (kind == Kind::ties || kind == Kind::weighted || kind == Kind::few) s = std::round(20 * s) / 20;
    if (kind == Kind::distinct) s = std::clamp(std::round(s), -2.0, 2.0);
    rows.labels.push_back(random.uniform() < sigmoid(2 * s) ? 1 : 0);
    if (kind == Kind::probabilities) s = sigmoid(s);
    if (kind == Kind::offset) s += 1e6;
    rows.scores.push_back(s);
    if (kind == Kind::weighted || kind == Kind::probabilities || kind == Kind::few)
      rows.weights.push_back(i % 5 == 0 ? 0 : random.uniform());
  }
  return rows;
}

CalibratorOptions options_of(int threads) {
  CalibratorOptions options;
  options.harmonics = 2;
  options.threads = threads;
  return options;
}

void expect_one_model(Kind kind, int partitions) {
  const Rows rows = rows_of(kind);
  const std::string whole =
      file_digest(MonotoneCalibrator(options_of(2)).fit(rows.scores, rows.labels, rows.weights));
  expect_one_digest(whole, rows.scores.size(), 4096, partitions, static_cast<std::uint64_t>(kind),
                    [&](const std::vector<std::size_t>& cuts, std::uint64_t seed, int threads) {
                      const auto engine = make_partitioned_score_engine(rows.view(), cuts, seed);
                      return file_digest(fit_calibrator(options_of(threads), {}, *engine));
                    });
}

TEST(CalibratorPartitions, OfScoresGiveOneModel) { expect_one_model(Kind::plain, 8); }
TEST(CalibratorPartitions, OfWeightedScoresGiveOneModel) { expect_one_model(Kind::weighted, 8); }
TEST(CalibratorPartitions, OfProbabilitiesGiveOneModel) { expect_one_model(Kind::probabilities, 8); }
TEST(CalibratorPartitions, OfTiedScoresGiveOneModel) { expect_one_model(Kind::ties, 8); }
TEST(CalibratorPartitions, OfFiveScoresGiveOneModel) { expect_one_model(Kind::distinct, 6); }
TEST(CalibratorPartitions, OfScoresFarFromZeroGiveOneModel) { expect_one_model(Kind::offset, 6); }
TEST(CalibratorPartitions, OfFewRowsGiveOneModel) { expect_one_model(Kind::few, 6); }

TEST(LongCalibratorPartitions, OfScoresGiveOneModel) { expect_one_model(Kind::plain, 1000); }
TEST(LongCalibratorPartitions, OfWeightedScoresGiveOneModel) { expect_one_model(Kind::weighted, 1000); }
TEST(LongCalibratorPartitions, OfProbabilitiesGiveOneModel) { expect_one_model(Kind::probabilities, 1000); }
TEST(LongCalibratorPartitions, OfTiedScoresGiveOneModel) { expect_one_model(Kind::ties, 1000); }
TEST(LongCalibratorPartitions, OfFiveScoresGiveOneModel) { expect_one_model(Kind::distinct, 1000); }
TEST(LongCalibratorPartitions, OfScoresFarFromZeroGiveOneModel) { expect_one_model(Kind::offset, 1000); }
TEST(LongCalibratorPartitions, OfFewRowsGiveOneModel) { expect_one_model(Kind::few, 1000); }

TEST(CalibratorPartitions, NameTheFirstBadRowOfAll) {
  Rows rows = rows_of(Kind::weighted);
  const auto message = [&](std::uint64_t seed, ScoreKind kind) -> std::string {
    CalibratorOptions options = options_of(1);
    options.score_kind = kind;
    try {
      (void)fit_calibrator(options, {},
                           *make_partitioned_score_engine(rows.view(), {9000, 20'000, 30'000}, seed));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  rows.weights[35'000] = INFINITY;
  rows.labels[25'000] = 3;
  rows.scores[10'000] = NAN;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    EXPECT_EQ(message(seed, ScoreKind::automatic), "the score of row 10001 is not a number");
    EXPECT_NE(message(seed, ScoreKind::probability).find("a probability must lie between 0 and 1"),
              std::string::npos);
  }
  rows.scores[10'000] = 0;
  EXPECT_EQ(message(1, ScoreKind::automatic), "the label of row 25001 is 3: it must be 0 or 1");
  rows.labels[25'000] = 1;
  EXPECT_EQ(message(2, ScoreKind::decision),
            "the weight of row 35001 is inf: a weight must lie between 0 and 1e15");
}

}  // namespace
}  // namespace linkgistic
