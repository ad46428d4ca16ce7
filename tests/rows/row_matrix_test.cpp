// Row storages, their views and the readers of IDX and libsvm files.
#include "rows/row_matrix.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/random.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {
namespace {

RowMatrix small_csr() {
  // 1 0 2 / empty / 0 3 0
  return RowMatrix(CsrRows{3, 3, std::vector<std::int64_t>{0, 2, 2, 3}, std::vector<std::int32_t>{0, 2, 1},
                           std::vector<float>{1, 2, 3}});
}

TEST(RowMatrix, ReadsCellsOfEveryStorage) {
  const RowMatrix bytes(DenseRows<std::uint8_t>{2, 2, std::vector<std::uint8_t>{1, 255, 0, 7}});
  EXPECT_EQ(bytes.at(0, 1), 255);
  EXPECT_EQ(bytes.at(1, 0), 0);
  EXPECT_EQ(bytes.bytes(), 4U);
  const RowMatrix sparse = small_csr();
  EXPECT_TRUE(sparse.is_sparse());
  EXPECT_EQ(sparse.at(0, 2), 2);
  EXPECT_EQ(sparse.at(1, 0), 0);
  EXPECT_EQ(sparse.at(2, 1), 3);
}

TEST(RowMatrix, RefusesSizesThatDoNotAgree) {
  EXPECT_THROW(RowMatrix(DenseRows<float>{2, 2, std::vector<float>{1, 2, 3}}), InputError);
  EXPECT_THROW(RowMatrix(CsrRows{1, 1, std::vector<std::int64_t>{0, 1}, std::vector<std::int32_t>{1},
                                 std::vector<float>{1}}),
               InputError);
  EXPECT_THROW(RowMatrix(CsrRows{2, 1, std::vector<std::int64_t>{0, 1}, std::vector<std::int32_t>{0},
                                 std::vector<float>{1}}),
               InputError);
}

// 300 rows of 7 entries in 5 columns, each row's columns as they are drawn, and the same cells as dense rows.
template <class T>
void expect_sums_of_repeated_columns() {
  constexpr std::size_t n = 300, d = 5, each = 7;
  RandomStream random(12);
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<T> value;
  std::vector<float> dense(n * d), weights;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < (i % 4 == 0 ? 1 : each); ++e) {
      column.push_back(static_cast<std::int32_t>(random.below(d)));
      value.push_back(static_cast<T>(random.below(1000)) / 8);  // sums are exact in single precision
      dense[i * d + static_cast<std::size_t>(column.back())] += static_cast<float>(value.back());
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
    weights.push_back(static_cast<float>(random.below(3)));
  }
  const std::size_t entries = value.size();
  const RowMatrix sparse(CsrRows{n, d, std::move(start), std::move(column), SharedSpan<T>(std::move(value))});
  const RowMatrix plain(DenseRows<float>{n, d, dense});
  EXPECT_LT(sparse.entries(), entries);
  const auto& csr = std::get<CsrRows>(sparse.storage());
  EXPECT_EQ(csr.value.doubles() != nullptr, (std::is_same_v<T, double>));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) EXPECT_EQ(sparse.at(i, j), plain.at(i, j));
    const std::set<std::int32_t> own(csr.column.data() + csr.row_start[i],
                                     csr.column.data() + csr.row_start[i + 1]);
    EXPECT_EQ(own.size(), static_cast<std::size_t>(csr.row_start[i + 1] - csr.row_start[i]));
  }
  // Second moments tell a sum from its terms.
  const ColumnMoments a = column_moments(sparse, weights, 1), b = column_moments(plain, weights, 1);
  for (std::size_t j = 0; j < d; ++j) EXPECT_NEAR(a.variance[j], b.variance[j], 1e-9 * b.variance[j]);
}

TEST(RowMatrix, SumsEntriesThatRepeatAColumn) {
  expect_sums_of_repeated_columns<float>();
  expect_sums_of_repeated_columns<double>();
}

TEST(RowMatrix, KeepsEntriesThatRepeatNoColumn) {
  const auto values = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const RowMatrix rows(CsrRows{2, 3, std::vector<std::int64_t>{0, 3, 4},
                               std::vector<std::int32_t>{2, 0, 1, 1}, SharedSpan<float>(values, *values)});
  EXPECT_EQ(std::get<CsrRows>(rows.storage()).value.floats(), values->data());
}

TEST(RowMatrix, NamesTheRowWhoseRepeatedColumnOverflows) {
  try {
    const RowMatrix rows(CsrRows{2, 3, std::vector<std::int64_t>{0, 1, 3}, std::vector<std::int32_t>{2, 1, 1},
                                 std::vector<float>{1, 3e38F, 3e38F}});
    FAIL() << "3e38 twice is not a single-precision number";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "sparse rows: row 2 has column 1 more than once, and the sum is not a finite single-precision "
              "number");
  }
}

TEST(RowMatrix, SubtractsTheOriginInDoubleBeforeRounding) {
  const std::vector<double> values = {1e9 + 0.25, 1e9 - 0.5};
  const std::vector<double> origin = {1e9};
  const RowMatrix rows = float_rows(values, 2, 1, origin);
  EXPECT_EQ(rows.at(0, 0), 0.25);
  EXPECT_EQ(rows.at(1, 0), -0.5);
}

TEST(RowMatrix, LooksAtNumbersInAnyOrderWithoutACopy) {
  auto held =
      std::make_shared<const std::vector<double>>(std::vector<double>{1, 1e9, 2, 1e9 + 0.25, 3, 1e9 - 0.25});
  const RowMatrix rows(about_means({3, 2, {held, *held}, 2, 1, {}}, 1));
  const auto& view = std::get<ViewRows<double>>(rows.storage());
  EXPECT_EQ(view.row(1), held->data() + 2);
  EXPECT_EQ(view.origin, (std::vector<double>{2, 1e9}));
  EXPECT_EQ(rows.at(1, 1), 0.25);
  const RowMatrix by_columns(ViewRows<double>{2, 3, {held, *held}, 1, 2, {}});
  EXPECT_EQ(by_columns.at(0, 2), 3);
  EXPECT_EQ(take_rows(rows, std::vector<std::size_t>{2}).at(0, 1), -0.25);
  EXPECT_EQ(RowMatrix(CsrRows{1, 3, std::vector<std::int64_t>{0, 1}, std::vector<std::int32_t>{2},
                              SharedSpan<double>(held, *held).part(2, 1)})
                .at(0, 2),
            2);
}

TEST(RowMatrix, RefusesViewsThatReachBeyondTheirValuesOrSinglePrecision) {
  const std::vector<double> values = {1, 2, 3, std::nan("")};
  EXPECT_THROW(RowMatrix(ViewRows<double>{2, 2, values, 3, 1, {}}), InputError);
  EXPECT_THROW(about_means({1, 1, std::vector<double>{1e39}, 1, 1, {}}, 1), InputError);
  try {
    about_means({2, 2, values, 2, 1, {}}, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("row 2, column 2"), std::string::npos) << error.what();
  }
}

TEST(RowMatrix, NamesRowAndColumnOfAValueThatIsNotFinite) {
  const std::vector<double> values = {1, 2, 3, std::nan("")};
  try {
    float_rows(values, 2, 2);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("row 2, column 2"), std::string::npos) << error.what();
  }
  EXPECT_THROW(float_rows(std::vector<double>{1e39}, 1, 1), InputError);
}

TEST(RowMatrix, TakesRowsInTheOrderGiven) {
  const std::vector<std::size_t> which = {2, 1, 0, 0};
  const RowMatrix taken = take_rows(small_csr(), which);
  EXPECT_EQ(taken.rows(), 4U);
  EXPECT_EQ(taken.at(0, 1), 3);
  EXPECT_EQ(taken.at(1, 1), 0);
  EXPECT_EQ(taken.at(3, 2), 2);
  EXPECT_THROW(take_rows(small_csr(), std::vector<std::size_t>{3}), InputError);
}

TEST(ColumnScale, StandardisesDenseColumnsAndMakesConstantOnesZero) {
  // Column 0: 1, 3 with weights 3, 1: mean 1.5, variance .75. Column 1 is constant.
  const RowMatrix rows(DenseRows<float>{2, 2, std::vector<float>{1, 5, 3, 5}});
  const std::vector<float> weights = {3, 1};
  const ColumnScale scale = standardizing_scale(column_moments(rows, weights, 1), false);
  EXPECT_DOUBLE_EQ(scale.shift[0], 1.5);
  EXPECT_DOUBLE_EQ(scale.scale[0], 1 / std::sqrt(0.75));
  EXPECT_DOUBLE_EQ(scale.shift[1], 5);
  EXPECT_EQ(scale.scale[1], 0);
}

TEST(ColumnScale, DoesNotCentreSparseColumns) {
  const ColumnScale scale = standardizing_scale(column_moments(small_csr(), {}, 1), true);
  EXPECT_EQ(scale.shift, std::vector<double>(3, 0.0));
  // Column 1: 0, 0, 3: mean 1, variance 2.
  EXPECT_DOUBLE_EQ(scale.scale[1], 1 / std::sqrt(2.0));
}

TEST(ColumnScale, KeepsTheMarginWhenFoldedIntoTheCoefficients) {
  const ColumnScale scale{{0.5, -2}, {4, 0.25}};
  const std::vector<double> beta = {0.3, -1, 2};
  const double raw[] = {3, 7};
  const std::vector<double> folded = scale.to_raw(beta);
  const double direct = beta[0] + beta[1] * (raw[0] - 0.5) * 4 + beta[2] * (raw[1] + 2) * 0.25;
  EXPECT_NEAR(folded[0] + folded[1] * raw[0] + folded[2] * raw[1], direct, 1e-14);
}

}  // namespace
}  // namespace linkgistic
