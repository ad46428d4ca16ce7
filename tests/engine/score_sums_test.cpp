// Scores that come in batches answer as all of them together.
#include "engine/score_sums.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/bytes.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> scores, weights;
  std::vector<std::uint8_t> labels;
  [[nodiscard]] LabelledScores view() const { return {scores, labels, weights}; }
};

enum class Weights { none, whole, fractions };

Rows some_rows(std::size_t n, Weights weights, bool probabilities) {
  RandomStream random(4);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double s = std::round(50 * random.normal()) / 50;
    rows.scores.push_back(probabilities ? std::round(1000 / (1 + std::exp(s))) / 1000 : s);
    if (!probabilities && i % 500 == 7) rows.scores.back() = i % 2 == 0 ? -INFINITY : INFINITY;
    rows.labels.push_back(random.uniform() < 0.4 ? 1 : 0);
    const double u = random.uniform();
    if (weights == Weights::whole) rows.weights.push_back(std::floor(4 * u));
    if (weights == Weights::fractions) rows.weights.push_back(u);
  }
  return rows;
}

// Batches of different sizes, from the last row to the first.
ScoreSums sums_of(const Rows& rows) {
  ScoreSums sums;
  RandomStream random(5);
  for (std::size_t last = rows.scores.size(); last > 0;) {
    const std::size_t size = std::min<std::size_t>(last, random.below(900));
    sums.add(rows.view().part(last - size, last));
    last -= size;
  }
  return sums;
}

TEST(ScoreSums, AnswerWithTheBytesOfAllRowsInOrder) {
  for (const Weights weights : {Weights::none, Weights::whole})
    for (const bool probabilities : {false, true}) {
      const Rows rows = some_rows(9000, weights, probabilities);
      ScoreSums sums = sums_of(rows);
      const auto all = make_score_engine(rows.view(), 2);
      for (const std::uint32_t drop : {0U, 40U, 50U})
        for (const std::uint64_t most : {std::uint64_t{3}, std::numeric_limits<std::uint64_t>::max()}) {
          const CountsRequest request{drop, most, probabilities};
          EXPECT_EQ(to_bytes(sums.ask(request)), to_bytes(all->ask(request))) << drop << " " << most;
        }
      EXPECT_EQ(to_bytes(sums.ask(ScoreCheckRequest{}).rows), to_bytes(all->ask(ScoreCheckRequest{}).rows));
    }
}

// Each of at most 9,000 sums of a score is right to 2^-53 of the total.
TEST(ScoreSums, AddOtherWeightsUpToRounding) {
  const Rows rows = some_rows(9000, Weights::fractions, false);
  ScoreSums sums = sums_of(rows);
  const CountsAnswer all = make_score_engine(rows.view(), 2)->ask(CountsRequest{});
  const CountsAnswer own = sums.ask(CountsRequest{});
  ASSERT_EQ(own.cell, all.cell);
  for (std::size_t i = 0; i < all.cell.size(); ++i) {
    EXPECT_NEAR(own.negative[i], all.negative[i], 9000 * 0x1p-53 * all.negative[i]);
    EXPECT_NEAR(own.positive[i], all.positive[i], 9000 * 0x1p-53 * all.positive[i]);
  }
}

TEST(ScoreSums, AreTheSameFromTheirBytes) {
  const Rows rows = some_rows(2000, Weights::whole, false);
  ScoreSums sums = sums_of(rows);
  ScoreSums read = from_bytes<ScoreSums>(to_bytes(sums));
  read.add(rows.view());
  sums.add(rows.view());
  EXPECT_EQ(to_bytes(read), to_bytes(sums));
}

TEST(ScoreSums, RefuseRowsThatCannotBeUsedAndStayAsTheyWere) {
  const Rows rows = some_rows(100, Weights::whole, false);
  ScoreSums sums;
  sums.add(rows.view());
  const std::string before = to_bytes(sums);
  const std::vector<double> scores = {1, NAN}, good = {1, 2}, bad_weights = {1, -1};
  const std::vector<std::uint8_t> labels = {0, 1}, bad_labels = {0, 2};
  EXPECT_THROW(sums.add({scores, labels, {}}), InputError);
  EXPECT_THROW(sums.add({good, bad_labels, {}}), InputError);
  EXPECT_THROW(sums.add({good, labels, bad_weights}), InputError);
  sums.add({});
  EXPECT_EQ(to_bytes(sums), before);
}

}  // namespace
}  // namespace linkgistic
