// Compressed rows against the rows themselves, by what inference makes of them. (Here and not beside the
// compression, because the mode and the evidence are inference's.)
#include "engine/compression.hpp"

#include <cmath>
#include <memory>
#include <numeric>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "engine/local_engine.hpp"
#include "inference/laplace.hpp"
#include "inference/starts.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"
#include "response/bernoulli.hpp"
#include "response/pointwise_data.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

// The scores as rows of one column, with the coefficient 1.
std::unique_ptr<RowEngine> engine_of(const std::vector<float>& score, std::span<const std::int32_t> labels,
                                     std::span<const float> weight, int threads) {
  return make_local_engine({RowMatrix(DenseRows<float>{score.size(), 1, score}), labels, weight, {}},
                           threads);
}

RangeRequest range_request(std::int32_t positive) {
  return {{{std::make_shared<const LossTable>(LossTable::logistic())}, {{positive, 0, {}}}, {0, 1}}, {0}, 1};
}

ScoreRange score_range(const std::vector<float>& score, std::span<const float> weight, int threads) {
  const std::vector<std::int32_t> labels(score.size());
  const RangeAnswer range = engine_of(score, labels, weight, threads)->ask(range_request(1));
  return {range.lower[0], range.upper[0]};
}

WeightedRows compress_rows(const std::vector<float>& score, std::span<const std::int32_t> labels,
                           std::int32_t positive, std::span<const float> weight, const ScoreRange& range,
                           std::size_t cells, int threads) {
  const CellsRequest request{
      range_request(positive), {{range.lower}, {range.upper}}, static_cast<std::uint32_t>(cells)};
  return weighted_rows(engine_of(score, labels, weight, threads)->ask(request), request, 0);
}

struct Rows {
  std::vector<float> x, weight;
  std::vector<std::int32_t> label;
};

// Scores in [-1, 1], labels by a curved link.
Rows curved_rows(std::size_t n) {
  Rows rows;
  RandomStream random(7);
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::tanh(0.7 * random.normal());
    const double nu = x < 0 ? 5 * x : 2 * x;
    rows.x.push_back(static_cast<float>(x));
    rows.label.push_back(random.uniform() < sigmoid(nu) ? 3 : 8);
    rows.weight.push_back(static_cast<float>(0.2 + random.uniform()));
  }
  return rows;
}

WeightedRows uncompressed(const Rows& rows) {
  WeightedRows all;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    all.x.push_back(static_cast<double>(rows.x[i]));
    all.y.push_back(rows.label[i] == 3 ? 1 : 0);
    all.weight.push_back(static_cast<double>(rows.weight[i]));
  }
  return all;
}

WeightedRows compressed(const Rows& rows, std::size_t cells, int threads = 1) {
  const ScoreRange range = score_range(rows.x, rows.weight, threads);
  return compress_rows(rows.x, rows.label, 3, rows.weight, range, cells, threads);
}

struct Inferred {
  double log_joint = 0, evidence = 0;
  Vector nu;  // of the mode, on a grid
};

Inferred infer(const WeightedRows& rows, int harmonics) {
  const TrigSource family(PriorKind::isgp, harmonics, 0.5);
  const Vector theta{{std::log(0.2), std::log(0.6), std::log(0.01), 0}};
  const SourceModel source = family.at(theta);
  const PointwiseData data(source.features, std::make_shared<BernoulliResponse>(), rows.x, rows.y,
                           rows.weight, 1);
  const LogJoint joint(source, data, Vector());
  const Vector grid = Vector::LinSpaced(65, -1, 1);
  const Mode mode = find_mode(joint, project_latent(source, grid, Vector::Constant(65, 1.7), 0));
  Inferred result{mode.log_joint, laplace_evidence(joint, mode, 1e-300), {}};
  const Vector kappa = source.map->value(mode.g);
  result.nu = grid.unaryExpr([&](double x) { return source.features->at(x).dot(kappa); });
  return result;
}

double moment(const WeightedRows& rows, double y, int power) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    sum += rows.y[i] == y ? rows.weight[i] * std::pow(rows.x[i], power) : 0;
  return sum;
}

TEST(Compression, KeepsFourMomentsOfEachLabel) {
  const Rows rows = curved_rows(5000);
  const WeightedRows all = uncompressed(rows);
  const WeightedRows few = compressed(rows, 8);
  EXPECT_LE(few.size(), 32U);
  for (const double y : {0.0, 1.0}) {
    for (int power = 0; power < 4; ++power)
      EXPECT_NEAR(moment(few, y, power), moment(all, y, power), 1e-9) << y << ' ' << power;
    // Two points have no more to keep the next one with.
    EXPECT_GT(std::abs(moment(few, y, 4) - moment(all, y, 4)), 1e-6);
  }
}

TEST(Compression, HasAFourthOrderErrorInObjectiveModeAndEvidence) {
  const Rows rows = curved_rows(20000);
  const Inferred exact = infer(uncompressed(rows), 16);
  std::vector<double> objective, source;
  for (const std::size_t cells : {32U, 64U, 128U, 256U}) {
    const Inferred at = infer(compressed(rows, cells), 16);
    objective.push_back(std::abs(at.log_joint / exact.log_joint - 1));
    source.push_back((at.nu - exact.nu).lpNorm<Eigen::Infinity>());
    if (cells == 256) {
      EXPECT_LT(objective.back(), 1e-8);
      EXPECT_LT(source.back(), 1e-5);
      EXPECT_NEAR(at.evidence, exact.evidence, 1e-4);
    }
  }
  // Twice the cells, a 16th of the error: over three doublings at least 8^3.
  EXPECT_LT(objective.back(), objective.front() / 512);
  EXPECT_LT(source.back(), source.front() / 512);
}

TEST(Compression, IsExactForTiesEmptyCellsAndSinglePoints) {
  // Two scores in one cell and one far off: every cell has at most two distinct scores of a label.
  const std::vector<float> x{0.F, 0.F, 0.25F, 0.25F, 0.25F, 100.F};
  const std::vector<std::int32_t> label{1, 1, 1, 0, 0, 0};
  const WeightedRows few = compress_rows(x, label, 1, {}, score_range(x, {}, 1), 50, 1);
  ASSERT_EQ(few.size(), 4U);
  const std::vector<double> expected_x{0.25, 0, 0.25, 100}, expected_w{2, 2, 1, 1}, expected_y{0, 1, 1, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(few.x[i], expected_x[i], 1e-12) << i;
    EXPECT_NEAR(few.weight[i], expected_w[i], 1e-12) << i;
    EXPECT_EQ(few.y[i], expected_y[i]) << i;
  }
}

TEST(Compression, PutsRowsOfOneScoreInOnePointALabel) {
  const std::vector<float> x(100, 2.5F);
  std::vector<std::int32_t> label(100, 0);
  std::fill_n(label.begin(), 30, 1);
  const ScoreRange range = score_range(x, {}, 2);
  EXPECT_EQ(range.half(), 0);
  const WeightedRows few = compress_rows(x, label, 1, {}, range, 64, 2);
  ASSERT_EQ(few.size(), 2U);
  EXPECT_DOUBLE_EQ(few.x[0], 2.5);
  EXPECT_DOUBLE_EQ(few.x[1], 2.5);
  EXPECT_EQ(few.weight, (std::vector<double>{70, 30}));
}

TEST(Compression, TakesAWeightAsRepetitionAndZeroAsAbsence) {
  const std::vector<float> x{-1.F, 0.3F, 0.31F, 9.F}, weight{1.F, 2.F, 3.F, 0.F};
  const std::vector<std::int32_t> label{0, 1, 1, 1};
  const std::vector<float> repeated{-1.F, 0.3F, 0.3F, 0.31F, 0.31F, 0.31F};
  const std::vector<std::int32_t> repeated_label{0, 1, 1, 1, 1, 1};
  const ScoreRange range = score_range(x, weight, 1);
  EXPECT_DOUBLE_EQ(range.upper, static_cast<double>(0.31F));
  const WeightedRows a = compress_rows(x, label, 1, weight, range, 10, 1);
  const WeightedRows b = compress_rows(repeated, repeated_label, 1, {}, range, 10, 1);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a.x[i], b.x[i], 1e-9);
    EXPECT_NEAR(a.weight[i], b.weight[i], 1e-9);
  }
}

TEST(Compression, IsTheSameForAnyNumberOfThreads) {
  const Rows rows = curved_rows(100000);
  const WeightedRows one = compressed(rows, 256, 1);
  const WeightedRows three = compressed(rows, 256, 3);
  EXPECT_EQ(one.x, three.x);
  EXPECT_EQ(one.weight, three.weight);
}

TEST(Compression, RangeIsThatOfAllChunks) {
  std::vector<float> x(50000, 0.5F);
  x[5] = -3;
  x[20000] = 7;
  const ScoreRange range = score_range(x, {}, 2);
  EXPECT_EQ(range.lower, -3);
  EXPECT_EQ(range.upper, 7);
}

TEST(Compression, RefusesScoresThatAreNotFinite) {
  const std::vector<float> x{1.F, std::nanf("")};
  EXPECT_THROW(score_range(x, {}, 1), InputError);
}

TEST(Compression, CountsKeepEveryCubicSumOfBothLabels) {
  std::vector<double> x, negative, positive;
  for (int i = 0; i < 5000; ++i) {
    x.push_back(std::sinh(-3 + 6.0 * i / 4999));
    negative.push_back(i % 3);
    positive.push_back(i % 5 == 0 ? 0.5 : 0);
  }
  const WeightedRows rows = compress_counts(x, negative, positive, 64);
  EXPECT_LE(rows.size(), 256U);
  for (int power = 0; power <= 3; ++power) {
    double exact[2] = {0, 0}, sum[2] = {0, 0}, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      exact[0] += negative[i] * std::pow(x[i], power);
      exact[1] += positive[i] * std::pow(x[i], power);
      size += std::abs(std::pow(x[i], power));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sum[rows.y[i] > 0.5 ? 1 : 0] += rows.weight[i] * std::pow(rows.x[i], power);
    }
    for (const int label : {0, 1}) EXPECT_NEAR(sum[label], exact[label], 1e-10 * size) << power;
  }
  const WeightedRows kept = compress_counts(x, negative, positive, 2500);
  EXPECT_EQ(kept.size(), 4333U);  // 3333 values with label 0 and 1000 with label 1
}

}  // namespace
}  // namespace linkgistic
