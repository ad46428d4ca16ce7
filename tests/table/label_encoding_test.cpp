// Labels of any integer type and of text become places in sorted names.
#include <array>
#include <cstdint>
#include <limits>
#include <list>
#include <span>

#include <gtest/gtest.h>

#include <linkgistic/label_encoding.hpp>

#include "table/labels.hpp"

namespace linkgistic {
namespace {

using Names = std::vector<std::string>;
using Places = std::vector<std::int32_t>;

TEST(LabelEncoding, SortsTextLabelsWithNumbersByValue) {
  const std::vector<std::string> labels{"10", "9", "b", "a", "9"};
  const EncodedLabels encoded = encode_labels(labels);
  EXPECT_EQ(encoded.names, (Names{"9", "10", "a", "b"}));
  EXPECT_EQ(encoded.labels, (Places{1, 0, 3, 2, 0}));
}

template <class T>
class LabelEncodingOf : public testing::Test {};
using Integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                std::uint32_t, std::int64_t, std::uint64_t, long long>;
TYPED_TEST_SUITE(LabelEncodingOf, Integers);

TYPED_TEST(LabelEncodingOf, SortsByValueToTheEndsOfTheType) {
  constexpr auto least = std::numeric_limits<TypeParam>::min(), most = std::numeric_limits<TypeParam>::max();
  const std::vector<TypeParam> labels{most, 10, 9, least, 10};
  const EncodedLabels encoded = encode_labels(labels);
  EXPECT_EQ(encoded.labels, (Places{3, 2, 1, 0, 2}));
  // Text with the same digits goes the same way, but that beyond 2^53 it would be rounded.
  ASSERT_EQ(encoded.names.size(), 4U);
  EXPECT_EQ(encoded.names[0], std::to_string(+least));
  EXPECT_EQ(encoded.names[1], "9");
  EXPECT_EQ(encoded.names[3], std::to_string(+most));
}

TEST(LabelEncoding, TakesAnyRangeOfIntegers) {
  const std::array<int, 3> array{-1, 1, -1};
  for (const EncodedLabels& encoded : {encode_labels(array), encode_labels(std::span<const int>(array)),
                                       encode_labels(std::list<short>{-1, 1, -1})}) {
    EXPECT_EQ(encoded.names, (Names{"-1", "1"}));
    EXPECT_EQ(encoded.labels, (Places{0, 1, 0}));
  }
  const EncodedLabels yes_or_no = encode_labels(std::vector<bool>{true, false, true});
  EXPECT_EQ(yes_or_no.names, (Names{"0", "1"}));
  EXPECT_EQ(yes_or_no.labels, (Places{1, 0, 1}));
  EXPECT_TRUE(encode_labels(std::vector<int>{}).names.empty());
}

Names numbers_below(int end, double step = 1) {
  Names names;
  for (int k = 0; k < end; ++k) names.push_back(canonical_label(step * k));
  return names;
}

TEST(RegressionSuspicion, IsOfManyNumbersWithFewRowsEach) {
  EXPECT_EQ(regression_suspicion(numbers_below(129), 398),
            "the labels of 398 rows are 129 different numbers: this looks like a regression, and here each "
            "number is a class of its own");
  EXPECT_NE(regression_suspicion(numbers_below(129), 1000000), "");
  EXPECT_NE(regression_suspicion(numbers_below(30, 0.1), 100000), "");
}

TEST(RegressionSuspicion, IsNotOfClasses) {
  EXPECT_EQ(regression_suspicion(numbers_below(10), 12), "");
  EXPECT_EQ(regression_suspicion(numbers_below(26), 20000), "");
  EXPECT_EQ(regression_suspicion(numbers_below(100), 50000), "");
  Names words = numbers_below(200);
  for (std::string& word : words) word += "th street";
  EXPECT_EQ(regression_suspicion(words, 300), "");
}

TEST(LabelEncoding, TakesNoTextForAListOfCharacters) {
  static_assert(!IntegerLabels<std::string> && !IntegerLabels<std::vector<double>>);
  static_assert(IntegerLabels<std::vector<bool>> && IntegerLabels<std::span<const std::uint16_t>>);
}

}  // namespace
}  // namespace linkgistic
