#include "report/class_outcome.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

const std::vector<double> p{0.7, 0.2, 0.1, 0.1, 0.8, 0.1, 0.3, 0.3, 0.4, 0.6, 0.3, 0.1};
const std::vector<std::int32_t> label{0, 1, 0, 1};

std::string cell(const PageTable& table, std::size_t row, std::size_t column) {
  return std::get<std::string>(table.rows[row].cells[column]);
}

TEST(ClassOutcome, ConfidenceIsOfThePredictedClass) {
  const Confidence c = confidence({p, label, {}, 3});
  EXPECT_EQ(c.right, (std::vector<std::uint8_t>{1, 1, 0, 0}));
  const double most[] = {0.7, 0.8, 0.4, 0.6};
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(c.log_odds[n], std::log(most[n] / (1 - most[n])), 1e-12);
}

TEST(ClassOutcome, ConfidenceOfWhatIsNearlySureKeepsItsDigits) {
  const std::vector<double> sure{1, 1e-20, 1e-20};
  const std::vector<std::int32_t> first{0};
  EXPECT_NEAR(confidence({sure, first, {}, 3}).log_odds[0], -std::log(2e-20), 1e-9);
}

TEST(ClassOutcome, ConfusionCountsRowsByWeight) {
  const std::vector<double> weight{1, 2, 3, 0.5};
  const std::vector<std::string> names{"a", "b", "c"};
  const PageTable table = confusion_table({p, label, weight, 3}, names);
  const std::string wanted[3][3] = {{"1", "0", "3"}, {"0.5", "2", "0"}, {"0", "0", "0"}};
  ASSERT_EQ(table.rows.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(cell(table, k, l), wanted[k][l]) << k << l;
}

TEST(ClassOutcome, OfManyClassesThePairsThatWereConfusedMost) {
  constexpr std::size_t classes = most_confused + 5;
  std::vector<double> wide;
  std::vector<std::int32_t> truth;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k) names.push_back(std::to_string(k));
  const auto take_for = [&](std::int32_t is, std::size_t taken) {
    truth.push_back(is);
    for (std::size_t k = 0; k < classes; ++k) wide.push_back(k == taken ? 0.9 : 0.1 / (classes - 1));
  };
  take_for(3, 3);
  take_for(7, 2);
  take_for(4, 9);
  take_for(4, 9);
  const PageTable table = confusion_table({wide, truth, {}, classes}, names);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].name, "4");
  EXPECT_EQ(cell(table, 0, 0), "9");
  EXPECT_EQ(cell(table, 0, 1), "2");
  EXPECT_EQ(table.rows[1].name, "7");
}

}  // namespace
}  // namespace linkgistic
