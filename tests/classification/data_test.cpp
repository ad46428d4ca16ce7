// Rows that are alike are one, whatever their order: a weight is a repetition to the last bit.
#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/random.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t columns = 4;

// A table of small whole numbers in one of the storages.
struct Table {
  std::vector<double> values;  // (N, columns)
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
  [[nodiscard]] std::size_t rows() const { return labels.size(); }
};

Table some_rows(std::size_t n, std::uint64_t seed) {
  Table table;
  RandomStream random(seed);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      table.values.push_back(static_cast<double>(random.below(40)));
      sum += table.values.back();
    }
    table.labels.push_back(sum + 20 * random.normal() > 78 ? 1 : 0);
    table.weights.push_back(static_cast<double>(random.below(4)));
  }
  return table;
}

enum class Kind { doubles, floats, bytes, sparse, view };

FeatureRows stored(const Table& table, Kind kind) {
  const std::size_t n = table.rows();
  const std::vector<float> floats(table.values.begin(), table.values.end());
  switch (kind) {
    case Kind::doubles:
      return FeatureRows::dense(table.values, n, columns);
    case Kind::floats:
      return FeatureRows::dense(floats, n, columns);
    case Kind::bytes:
      return FeatureRows::bytes({table.values.begin(), table.values.end()}, n, columns);
    case Kind::view:
      return FeatureRows(RowMatrix(
          about_means({n, columns, SharedSpan<double>(std::vector(table.values)), columns, 1, {}}, 1)));
    case Kind::sparse:
      break;
  }
  std::vector<std::int64_t> start{0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (floats[i * columns + j] == 0) continue;
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(floats[i * columns + j]);
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  return FeatureRows::sparse(n, columns, start, column, value);
}

// Rows by number, each as often as its weight says, or once with its weight.
ClassificationData chosen(const Table& table, std::span<const std::size_t> which, Kind kind, bool repeat) {
  Table result;
  std::vector<RowPart> parts(3);
  for (const std::size_t i : which) {
    const std::size_t times = repeat ? static_cast<std::size_t>(table.weights[i]) : 1;
    for (std::size_t k = 0; k < times; ++k) {
      for (std::size_t p = 0; p < parts.size(); ++p)
        (i % parts.size() == p ? parts[p].held_out : parts[p].train).push_back(result.rows());
      for (std::size_t j = 0; j < columns; ++j) result.values.push_back(table.values[i * columns + j]);
      result.labels.push_back(table.labels[i]);
      result.weights.push_back(repeat ? 1 : table.weights[i]);
    }
  }
  ClassificationData data;
  data.rows = stored(result, kind);
  data.labels = result.labels;
  data.class_names = {"no", "yes"};
  if (!repeat) data.weights = result.weights;
  data.parts = parts;
  return data;
}

std::vector<std::size_t> numbers(std::size_t n) {
  std::vector<std::size_t> which(n);
  std::iota(which.begin(), which.end(), std::size_t{0});
  return which;
}

class EveryStorage : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Rows, EveryStorage,
                         testing::Values(Kind::floats, Kind::bytes, Kind::sparse, Kind::view));

TEST_P(EveryStorage, AWeightIsARepetitionToTheLastBitInAnyOrder) {
  const Table table = some_rows(150, 3);
  std::vector<std::size_t> which = numbers(table.rows());
  const auto weighted = LinkgisticClassifier().fit(chosen(table, which, GetParam(), false));
  std::reverse(which.begin(), which.end());
  const auto repeated = LinkgisticClassifier().fit(chosen(table, which, GetParam(), true));
  EXPECT_EQ(weighted.coefficients(), repeated.coefficients());
  const FeatureRows at = stored(table, Kind::floats);
  EXPECT_EQ(weighted.probability(at), repeated.probability(at));
  EXPECT_EQ(weighted.summary().l2, repeated.summary().l2);
  EXPECT_EQ(weighted.summary().rows,
            static_cast<std::size_t>(
                std::count_if(table.weights.begin(), table.weights.end(), [](double w) { return w > 0; })));
}

TEST(TrainingRows, RowsThatDifferAreNotMadeOne) {
  // Without the fourth column each row is there twice, with another label.
  Table table = some_rows(100, 5);
  const std::size_t n = table.rows();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const double x = table.values[i * columns + j];
      table.values.push_back(j + 1 < columns ? x : x + 1e-3);
    }
    table.labels.push_back(1 - table.labels[i]);
  }
  table.weights.assign(2 * n, 1);
  LinkgisticOptions options;
  options.prior = LinkPrior::none;
  options.l2 = 1e-3;
  const auto model = LinkgisticClassifier(options).fit(chosen(table, numbers(2 * n), Kind::doubles, false));
  // All labels are even: no column but the last tells anything, and the classes have equal weight.
  EXPECT_NEAR(model.summary().classes[0].weight, static_cast<double>(n), 1e-9);
  EXPECT_EQ(model.summary().rows, 2 * n);
  EXPECT_NEAR(model.coefficients()[1], 0, 0.02);
}

TEST(TrainingRows, PartsOfTheCallerDecideWhatIsChosen) {
  const Table table = some_rows(200, 7);
  ClassificationData data = chosen(table, numbers(table.rows()), Kind::doubles, false);
  data.weights.clear();
  LinkgisticOptions options;
  options.prior = LinkPrior::none;
  const auto three = LinkgisticClassifier(options).fit(data);
  data.parts.resize(1);
  const auto one = LinkgisticClassifier(options).fit(data);
  ASSERT_FALSE(one.summary().l2_tried.empty());
  EXPECT_NE(one.summary().l2_tried[0].second, three.summary().l2_tried[0].second);
  // Parts may hold a row out twice: the same part twice judges as it does once.
  data.parts.push_back(data.parts[0]);
  EXPECT_NEAR(LinkgisticClassifier(options).fit(data).summary().l2_tried[0].second,
              one.summary().l2_tried[0].second, 1e-7);
  options.cv = 8;
  data.parts.clear();
  EXPECT_NE(LinkgisticClassifier(options).fit(data).summary().l2_tried[0].second,
            three.summary().l2_tried[0].second);
}

TEST(TrainingRows, APartThatCannotBeIsNamed) {
  const Table table = some_rows(60, 9);
  const auto message = [&](const RowPart& part) -> std::string {
    ClassificationData data = chosen(table, numbers(table.rows()), Kind::doubles, false);
    data.parts = {data.parts[0], part};
    try {
      (void)LinkgisticClassifier().fit(data);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({{1, 2}, {}}), "part 2 of the cross-validation holds no row out");
  EXPECT_EQ(message({{1, 2}, {60}}), "part 2 of the cross-validation has row 60, and they are 0 to 59");
  LinkgisticOptions options;
  options.cv = 1;
  EXPECT_THROW(LinkgisticClassifier{options}, UsageError);
}

}  // namespace
}  // namespace linkgistic
