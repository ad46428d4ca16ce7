// The same bytes of the model file for any partition of the rows and any number of threads.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "reference/partitions.hpp"
#include "regression/engine.hpp"
#include "regression/fit.hpp"
#include "response/gaussian.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

enum class Kind { plain, weighted, ties, offset, few };

struct Rows {
  std::vector<double> x, y, w;
  [[nodiscard]] RowBlock view() const { return {x, y, w}; }
};

Rows rows_of(Kind kind, std::size_t n) {
  RandomStream random(static_cast<std::uint64_t>(kind) + 4);
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    double x = 2 * random.uniform() - 1;
    if (kind == Kind::ties) x = std::round(4 * x) / 4;
    const double y = std::tanh(2 * x) + 0.1 * random.normal();
    rows.x.push_back(kind == Kind::offset ? 1e6 + x : x);
    rows.y.push_back(kind == Kind::offset ? 1e5 * y - 1e9 : y);
    if (kind == Kind::weighted || kind == Kind::few)
      rows.w.push_back(i % 5 == 0 ? 0 : 0.5 + static_cast<double>(random.below(3)));
  }
  return rows;
}

// Eight blocks of the grid, more than 400 leaves; `few`: below 20,000 rows.
std::size_t number_of(Kind kind) { return kind == Kind::few ? 900 : 7 * rows_per_block + 1234; }

MonotoneRegressionOptions options_of(int threads) {
  MonotoneRegressionOptions options;
  options.harmonics = 2;
  options.direction = Direction::increasing;
  options.threads = threads;
  return options;
}

std::string digest_by(RegressionEngine& engine, const MonotoneRegressionOptions& options) {
  return file_digest(
      FittedMonotoneRegression(fit_regression(options, std::make_shared<GaussianResponse>(), engine)));
}

void expect_one_model(Kind kind, int partitions) {
  const Rows rows = rows_of(kind, number_of(kind));
  const GaussianResponse response;
  const std::string whole = file_digest(MonotoneRegression(options_of(2)).fit(rows.x, rows.y, rows.w));
  expect_one_digest(whole, rows.x.size(), rows_per_block, partitions, static_cast<std::uint64_t>(kind),
                    [&](const std::vector<std::size_t>& cuts, std::uint64_t seed, int threads) {
                      const auto engine =
                          make_partitioned_regression(rows.view(), response, cuts, seed, threads);
                      return digest_by(*engine, options_of(threads));
                    });
}

TEST(RegressionPartitions, OfRowsGiveOneModel) { expect_one_model(Kind::plain, 10); }
TEST(RegressionPartitions, OfWeightedRowsGiveOneModel) { expect_one_model(Kind::weighted, 10); }
TEST(RegressionPartitions, OfTiedRowsGiveOneModel) { expect_one_model(Kind::ties, 10); }
TEST(RegressionPartitions, OfRowsFarFromZeroGiveOneModel) { expect_one_model(Kind::offset, 10); }
TEST(RegressionPartitions, OfFewRowsGiveOneModel) { expect_one_model(Kind::few, 10); }

TEST(LongRegressionPartitions, OfRowsGiveOneModel) { expect_one_model(Kind::plain, 1000); }
TEST(LongRegressionPartitions, OfWeightedRowsGiveOneModel) { expect_one_model(Kind::weighted, 1000); }
TEST(LongRegressionPartitions, OfTiedRowsGiveOneModel) { expect_one_model(Kind::ties, 1000); }
TEST(LongRegressionPartitions, OfRowsFarFromZeroGiveOneModel) { expect_one_model(Kind::offset, 1000); }
TEST(LongRegressionPartitions, OfFewRowsGiveOneModel) { expect_one_model(Kind::few, 1000); }

// A basis that moves keeps the rows: partitions send them.
TEST(RegressionPartitions, ThatSendTheirRowsGiveOneModel) {
  const Rows rows = rows_of(Kind::weighted, rows_per_block + 7);
  const GaussianResponse response;
  MonotoneRegressionOptions options = options_of(2);
  options.basis = BasisKind::nystrom;
  options.prior = PriorKind::gp;
  options.direction = Direction::automatic;
  options.fixed = {{"noise", 0.1}, {"a", 1}};
  const std::string whole = file_digest(MonotoneRegression(options).fit(rows.x, rows.y, rows.w));
  for (const int threads : {1, 7}) {
    options.threads = threads;
    const auto engine = make_partitioned_regression(rows.view(), response, {1, 60'000}, 5, threads);
    EXPECT_EQ(digest_by(*engine, options), whole);
  }
}

// Sums over the blocks are the sums over the rows.
TEST(RegressionPartitions, GiveTheSums) {
  const Rows rows = rows_of(Kind::weighted, 3 * rows_per_block + 99);
  const GaussianResponse response;
  const auto engine = make_partitioned_regression(rows.view(), response, {5, 100'000}, 3, 2);
  const RegressionSums total = engine->sums({}, {});
  double sum = 0, weight = 0, least = INFINITY;
  std::size_t n = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    if (rows.w[i] == 0) continue;
    weight += rows.w[i];
    sum += rows.w[i] * rows.x[i] * rows.y[i];
    least = std::min(least, rows.x[i]);
    ++n;
  }
  EXPECT_NEAR(total.sums[0], weight, 1e-9);
  EXPECT_NEAR(total.sums[4], sum, 1e-9 * weight);
  const RegressionRange range = engine->range({});
  EXPECT_EQ(range.rows, n);
  EXPECT_EQ(range.read, rows.x.size());
  EXPECT_EQ(range.x_lower, least);
}

TEST(RegressionPartitions, NameTheFirstBadRowOfAll) {
  Rows rows = rows_of(Kind::weighted, 3 * rows_per_block);
  rows.y[150'000] = NAN;
  rows.w[70'000] = -1;
  rows.x[190'000] = INFINITY;
  const GaussianResponse response;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const auto engine =
        make_partitioned_regression(rows.view(), response, {rows_per_block, 2 * rows_per_block}, seed, 1);
    try {
      digest_by(*engine, options_of(1));
      FAIL() << "a weight is negative";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "weight is -1 in row 70001: it must not be negative");
    }
  }
}

}  // namespace
}  // namespace linkgistic
