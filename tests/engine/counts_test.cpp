#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "engine/score_engine.hpp"
#include "numeric/bytes.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> scores, weights;
  std::vector<std::uint8_t> labels;
  [[nodiscard]] LabelledScores view() const { return {scores, labels, weights}; }
};

Rows some_rows(std::size_t n, bool weighted, bool tied) {
  RandomStream random(3);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    const double s = random.normal();
    rows.scores.push_back(tied ? std::round(20 * s) / 20 : s);
    if (i % 1001 == 7) rows.scores.back() = i % 2 == 0 ? -INFINITY : INFINITY;
    rows.labels.push_back(random.uniform() < 0.4 ? 1 : 0);
    if (weighted) rows.weights.push_back(i % 5 == 0 ? 0 : random.uniform());
  }
  return rows;
}

TEST(Counts, AreTheWeightsAtEachScore) {
  for (const bool weighted : {false, true}) {
    const Rows rows = some_rows(20'000, weighted, true);
    std::map<double, std::pair<double, double>> exact;
    std::uint64_t counted = 0;
    for (std::size_t n = 0; n < rows.scores.size(); ++n) {
      const double w = weighted ? rows.weights[n] : 1;
      if (w == 0) continue;
      ++counted;
      auto& [negative, positive] = exact[rows.scores[n]];
      (rows.labels[n] == 1 ? positive : negative) += w;
    }
    const CountsRequest request;
    const CountsAnswer answer = make_score_engine(rows.view(), 2)->ask(request);
    ASSERT_EQ(answer.cell.size(), exact.size());
    EXPECT_EQ(answer.rows, counted);
    std::size_t i = 0;
    for (const auto& [score, weight] : exact) {
      EXPECT_EQ(request.score(answer.cell[i]), score);
      EXPECT_NEAR(answer.negative[i], weight.first, 1e-9);
      EXPECT_NEAR(answer.positive[i], weight.second, 1e-9);
      ++i;
    }
  }
}

TEST(Counts, HaveTheSameBitsForAnyPartition) {
  RandomStream random(8);
  for (const bool weighted : {false, true}) {
    for (const bool tied : {false, true}) {
      const Rows rows = some_rows(45'000, weighted, tied);
      for (const std::uint32_t drop : {0U, 30U, 44U}) {
        const CountsRequest request{drop, 1 << 20};
        const std::string whole = to_bytes(make_score_engine(rows.view(), 2)->ask(request));
        for (std::uint64_t trial = 0; trial < 5; ++trial) {
          std::vector<std::size_t> cuts(random.below(8));
          for (std::size_t& cut : cuts) cut = random.below(rows.scores.size());
          const auto cut_rows = make_partitioned_score_engine(rows.view(), cuts, trial);
          EXPECT_EQ(to_bytes(cut_rows->ask(request)), whole) << drop << " " << trial;
        }
      }
    }
  }
}

TEST(Counts, OfWiderCellsAreSumsOfNarrowOnes) {
  const Rows rows = some_rows(30'000, false, false);
  const auto engine = make_score_engine(rows.view(), 2);
  const CountsRequest narrow, wide{46, 1 << 20};
  const CountsAnswer all = engine->ask(narrow);
  const CountsAnswer few = engine->ask(wide);
  EXPECT_LT(few.cell.size(), all.cell.size() / 4);
  double positive = 0;
  for (std::size_t i = 0, j = 0; i < all.cell.size(); ++i) {
    const double s = narrow.score(all.cell[i]);
    while (few.cell[j] != wide.cell(ordered_key(s))) ASSERT_LT(++j, few.cell.size());
    // A cell's width is 2^46 units in the last place.
    if (std::isfinite(s)) {
      EXPECT_NEAR(wide.score(few.cell[j]), s, std::abs(s) * 0x1p-5);
    }
    positive += all.positive[i];
  }
  double sum = 0;
  for (const double p : few.positive) sum += p;
  EXPECT_EQ(sum, positive);
  EXPECT_EQ(wide.score(few.cell.front()), -INFINITY);
  EXPECT_EQ(wide.score(few.cell.back()), INFINITY);
}

TEST(Counts, SayThatThereAreTooMany) {
  const Rows rows = some_rows(9000, true, false);
  const CountsRequest request{0, 100};
  EXPECT_TRUE(make_score_engine(rows.view(), 1)->ask(request).too_many);
  EXPECT_TRUE(make_partitioned_score_engine(rows.view(), {5000}, 0)->ask(request).too_many);
  EXPECT_TRUE(make_score_engine(rows.view(), 1)->ask(request).cell.empty());
}

}  // namespace
}  // namespace linkgistic
