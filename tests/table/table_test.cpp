// Numbers in text, columns by name, and the format by content.
#include "table/table.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "table/columns.hpp"
#include "table/files.hpp"
#include "text/parse_number.hpp"

namespace linkgistic {
namespace {

TEST(ParseNumber, ReadsDecimalNumbersExactly) {
  const struct {
    const char* text;
    double value;
  } cases[] = {{"1", 1},
               {"-2.50", -2.5},
               {"+3", 3},
               {" \t4.5 ", 4.5},
               {".5", 0.5},
               {"5.", 5},
               {"1e3", 1000},
               {"1E-2", 0.01},
               {"1.7976931348623157e308", std::numeric_limits<double>::max()},
               {"4.9406564584124654e-324", std::numeric_limits<double>::denorm_min()},
               {"1e-999", 0},
               {"0.1", 0.1},
               {"-0", -0.0}};
  for (const auto& [text, expected] : cases) {
    double value = -1;
    EXPECT_EQ(parse_number(text, value), NumberKind::finite) << text;
    EXPECT_EQ(value, expected) << text;
  }
}

TEST(ParseNumber, KnowsMissingInfiniteAndText) {
  double value = 0;
  for (const char* text : {"", "  ", "NA", " NA ", "?", "NaN", "nan", "NAN", "-nan"}) {
    EXPECT_EQ(parse_number(text, value), NumberKind::missing) << text;
    EXPECT_TRUE(std::isnan(value)) << text;
  }
  for (const char* text : {"inf", "-Inf", "Infinity", "+inf", "1e999", "-1e309"}) {
    EXPECT_EQ(parse_number(text, value), NumberKind::infinite) << text;
  }
  for (const char* text :
       {"abc", "1x", "1,5", "--1", "+-1", "++1", "+", "-", "0x10", "1 2", "1e", "null", "N/A", "na"}) {
    EXPECT_EQ(parse_number(text, value), NumberKind::text) << text;
  }
}

TEST(FindColumn, TakesTheExactNameAndOtherwiseSaysWhatThereIs) {
  const std::vector<std::string> names{"mpg", "weight", "Year", "a", "a", ""};
  EXPECT_EQ(find_column("cars.csv", names, "weight"), 1U);
  EXPECT_EQ(find_column("cars.csv", names, ""), 5U);
  const std::string list = "the columns are 'mpg', 'weight', 'Year', 'a', 'a', ''";
  const struct {
    std::string wanted, message;
  } cases[] = {
      {"wieght", "cars.csv: no column 'wieght'; did you mean 'weight'? " + list},
      {"year", "cars.csv: no column 'year'; did you mean 'Year'? " + list},
      {"horsepower", "cars.csv: no column 'horsepower'; " + list},
      {"z", "cars.csv: no column 'z'; " + list},
      {"a", "cars.csv: 2 columns are called 'a'"},
  };
  for (const auto& bad : cases) {
    EXPECT_EQ(input_error([&] { find_column("cars.csv", names, bad.wanted); }), bad.message);
  }
}

TEST(FindColumn, ListsAtMostTwentyNames) {
  std::vector<std::string> names;
  for (int i = 0; i < 784; ++i) names.push_back(std::string("p").append(std::to_string(i)));
  const std::string message = input_error([&] { find_column("t", names, "label"); });
  EXPECT_TRUE(message.ends_with("'p18', 'p19', ... (784 in all)")) << message;
}

TEST(Table, IsChosenByContentAndNotByName) {
  const std::string npy =
      std::string("\x93NUMPY\1\0\x37\0", 10) + "{'descr':'|u1','fortran_order':False,'shape':(2,)    }\n";
  ASSERT_EQ(npy.size(), 10U + 0x37);
  EXPECT_EQ(open_table(memory_source("stdin", npy))->column_names(), std::vector<std::string>{"0"});
  EXPECT_EQ(open_table(memory_source("stdin", "a,b\n"))->column_names(),
            (std::vector<std::string>{"a", "b"}));
}

TEST(Table, ReadsTheColumnsAskedForInTheOrderAskedFor) {
  const auto table = open_table(memory_source("t.csv", "a;b;c\n1;x;3\n\"4\";y;NA\n 7 ;z;9\n"));
  const std::vector<std::size_t> asked{table->column("c"), table->column("a")};
  NumberBlock block;
  ASSERT_EQ(table->read(asked, 2, block), 2U);
  EXPECT_EQ(block.columns[1], (std::vector<double>{1, 4}));
  EXPECT_EQ(block.columns[0][0], 3);
  EXPECT_TRUE(std::isnan(block.columns[0][1]));
  EXPECT_EQ(block.places, (std::vector<std::size_t>{2, 3}));
  ASSERT_EQ(table->read(asked, 2, block), 1U);
  EXPECT_EQ(block.columns, (std::vector<std::vector<double>>{{9}, {7}}));
  EXPECT_EQ(table->read(asked, 2, block), 0U);
}

TEST(Table, NamesLineColumnAndTextOfWhatIsNoNumber) {
  const struct {
    std::string field, message;
  } cases[] = {
      {"abc", "'abc' is not a number"},
      {" 1,5 ", "'1,5' is not a number"},
      {"inf", "'inf' is not finite"},
      {"1e999", "'1e999' is not finite"},
      {"a\nb", "'a?b' is not a number"},
      {std::string(39, 'x') + "\xC3\xA4", std::string("'").append(39, 'x') + "...' is not a number"},
  };
  for (const auto& [field, message] : cases) {
    const auto table = open_table(memory_source("cars.csv", "name,weight\nok,1\nbad,\"" + field + "\"\n"));
    NumberBlock block;
    EXPECT_EQ(input_error([&] { table->read(std::vector<std::size_t>{1}, 9, block); }),
              "cars.csv: line 3, column 'weight': " + message);
  }
}

}  // namespace
}  // namespace linkgistic
