// The scale of the columns, from an engine's sums, against two plain passes.
#include "classification/scale.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "classification/bent_rows.hpp"
#include "engine/local_engine.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t rows = 9001, columns = 4;

// Column 1 is far from 0 and narrow, column 2 constant, column 3 mostly 0.
std::vector<double> values() {
  RandomStream random(8);
  std::vector<double> all;
  for (std::size_t i = 0; i < rows; ++i) {
    all.push_back(random.normal());
    all.push_back(1e4 + 0.01 * random.normal());
    all.push_back(0.1);
    all.push_back(random.uniform() < 0.9 ? 0.0 : 3 + random.normal());
  }
  return all;
}

std::vector<float> some_weights() {
  RandomStream random(9);
  std::vector<float> weights;
  for (std::size_t i = 0; i < rows; ++i) weights.push_back(static_cast<float>(random.below(4)));
  return weights;
}

ColumnScale scale_of(const FeatureRows& features, std::span<const float> weights,
                     Standardize standardize = Standardize::automatic) {
  const std::vector<std::int32_t> labels(features.rows(), 0);
  const auto engine = make_local_engine({features.matrix(), labels, weights, {}}, 2);
  LinkgisticOptions options;
  options.standardize = standardize;
  return feature_scale(*engine, features, options);
}

struct Moments {
  double mean = 0, deviation = 0;
};
Moments plain_moments(const RowMatrix& matrix, std::span<const float> weights, std::size_t j) {
  long double total = 0, mean = 0, square = 0;
  const auto weight = [&](std::size_t i) {
    return weights.empty() ? 1.0L : static_cast<long double>(weights[i]);
  };
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    total += weight(i);
    mean += weight(i) * matrix.at(i, j);
  }
  mean /= total;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    square += weight(i) * (matrix.at(i, j) - mean) * (matrix.at(i, j) - mean);
  return {static_cast<double>(mean), static_cast<double>(std::sqrt(square / total))};
}

TEST(Scale, OfDenseColumnsHasTheirMeanAndDeviation) {
  for (const auto& weights : {std::vector<float>{}, some_weights()}) {
    const FeatureRows features(float_rows(values(), rows, columns));
    const ColumnScale scale = scale_of(features, weights);
    for (const std::size_t j : {0U, 1U, 3U}) {
      const Moments plain = plain_moments(features.matrix(), weights, j);
      EXPECT_NEAR(scale.shift[j], plain.mean, 1e-12 * std::abs(plain.mean) + 1e-14);
      EXPECT_NEAR(scale.scale[j] * plain.deviation, 1, 1e-9);  // of column 1, whose digits cancel
    }
    EXPECT_EQ(scale.shift[2], static_cast<double>(0.1F));
    EXPECT_EQ(scale.scale[2], 0);
  }
}

TEST(Scale, OfColumnsStoredAboutAnOriginIsThatOfTheirValues) {
  const FeatureRows stored(float_rows(values(), rows, columns, std::vector<double>{0, 1e4, 0.1, 1}),
                           {0, 1e4, 0.1, 1});
  const ColumnScale scale = scale_of(stored, {});
  EXPECT_NEAR(scale.shift[1], 1e4, 1e-3);
  EXPECT_NEAR(scale.scale[1], 100, 3);
  EXPECT_EQ(scale.shift[2], 0.1);
  EXPECT_EQ(scale.scale[2], 0);
}

TEST(Scale, OfSparseColumnsDividesOnly) {
  const std::vector<double> dense = values();
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t i = 0; i < rows; ++i) {
    if (dense[columns * i + 3] != 0) {
      column.push_back(3);
      value.push_back(static_cast<float>(dense[columns * i + 3]));
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  const FeatureRows features(
      RowMatrix(CsrRows{rows, columns, std::move(start), std::move(column), std::move(value)}));
  EXPECT_TRUE(scale_of(features, {}).scale.empty());  // not by itself
  const ColumnScale scale = scale_of(features, some_weights(), Standardize::on);
  const Moments plain = plain_moments(features.matrix(), some_weights(), 3);
  EXPECT_EQ(scale.shift, std::vector<double>(columns));
  EXPECT_NEAR(scale.scale[3] * plain.deviation, 1, 1e-12);
  EXPECT_EQ(scale.scale[0], 1);
}

TEST(Scale, OfBytesDividesByTheGreatest) {
  for (const int most : {0, 1, 7, 255}) {
    std::vector<std::uint8_t> bytes(rows * columns);
    bytes[(rows - 2) * columns + 1] = static_cast<std::uint8_t>(most);
    const ColumnScale scale =
        scale_of(FeatureRows(RowMatrix(DenseRows<std::uint8_t>{rows, columns, std::move(bytes)})), {});
    EXPECT_EQ(scale.scale, std::vector<double>(columns, 1.0 / std::max(most, 1)));
    EXPECT_TRUE(scale.shift.empty());
  }
}

TEST(Scale, NamesThePlaceOfAValueThatIsNotFinite) {
  std::vector<float> bad(rows * columns, 1.0F);
  bad[5000 * columns + 2] = std::numeric_limits<float>::infinity();
  const FeatureRows features(RowMatrix(DenseRows<float>{rows, columns, std::move(bad)}));
  try {
    static_cast<void>(scale_of(features, {}));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "row 5001, column 3: inf is not a finite number");
  }
}

}  // namespace
}  // namespace linkgistic
