// Numbers in text, missing words, columns by name, typed cells, and the format by content.
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

TEST(ParseNumber, KnowsNaNInfiniteAndText) {
  double value = 0;
  for (const char* text : {"NaN", " nan ", "NAN", "-nan"}) {
    EXPECT_EQ(parse_number(text, value), NumberKind::nan) << text;
    EXPECT_TRUE(std::isnan(value)) << text;
  }
  for (const char* text : {"inf", "-Inf", "Infinity", "+inf", "1e999", "-1e309"}) {
    EXPECT_EQ(parse_number(text, value), NumberKind::infinite) << text;
  }
  for (const char* text :
       {"", "  ", "abc", "1x", "1,5", "--1", "+-1", "++1", "+", "-", "0x10", "1 2", "1e", "NA", "?"}) {
    EXPECT_EQ(parse_number(text, value), NumberKind::text) << text;
  }
}

TEST(MissingWords, AreTheCommonSpellingsOrAListInTheirPlace) {
  const MissingWords common;
  for (const char* text : {"", "NA", "N/A", "NaN", "nan", "-nan", "null", "NULL", "None", "?", "."})
    EXPECT_TRUE(common.has(text)) << text;
  for (const char* text : {"na", "Null", "none", "n/a", "..", "0", "-", "NA1", "nano"})
    EXPECT_FALSE(common.has(text)) << text;
  EXPECT_FALSE(common.has(0.0));
  const MissingWords own(std::vector<std::string>{"-999", " x ", ""});
  for (const char* text : {"-999", "-999.0", "x", "", "NaN"}) EXPECT_TRUE(own.has(text)) << text;
  for (const char* text : {"NA", "?", "999", "X"}) EXPECT_FALSE(own.has(text)) << text;
  EXPECT_TRUE(own.has(-999.0));
  EXPECT_FALSE(own.has(999.0));
}

TEST(ColumnNames, FindTheExactNameAndOtherwiseSayWhatThereIs) {
  const ColumnNames names("cars.csv", {"mpg", "weight", "Year", "a", "a", ""});
  EXPECT_EQ(names.find("weight"), 1U);
  EXPECT_EQ(names.find(""), 5U);
  EXPECT_TRUE(names.has("a"));
  EXPECT_FALSE(names.has("b"));
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
    EXPECT_EQ(input_error([&] { (void)names.find(bad.wanted); }), bad.message);
  }
}

TEST(ColumnNames, ListAtMostTwenty) {
  std::vector<std::string> names;
  for (int i = 0; i < 784; ++i) names.push_back(std::string("p").append(std::to_string(i)));
  const std::string message = input_error([&] { (void)ColumnNames("t", names).find("label"); });
  EXPECT_TRUE(message.ends_with("'p18', 'p19', ... (784 in all)")) << message;
}

TEST(Table, IsChosenByContentAndNotByName) {
  const std::string npy =
      std::string("\x93NUMPY\1\0\x37\0", 10) + "{'descr':'|u1','fortran_order':False,'shape':(2,)    }\n";
  ASSERT_EQ(npy.size(), 10U + 0x37);
  EXPECT_EQ(open_table(memory_source("stdin", npy))->columns().names(), std::vector<std::string>{"0"});
  EXPECT_EQ(open_table(memory_source("stdin", "a,b\n"))->columns().names(),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(input_error([] { open_table(memory_source("a.svm", "1 1:2\n")); }),
            "a.svm: is a libsvm file, whose columns have no names; use a table, such as CSV");
}

TEST(Table, ReadsTheColumnsAskedForInTheOrderAskedFor) {
  const auto table = open_table(memory_source("t.csv", "a;b;c\n1;x;3\n\"4\";y;NA\n 7 ;z;9\n"));
  const std::vector<ColumnRequest> asked{{table->columns().find("c"), CellType::number},
                                         {table->columns().find("a"), CellType::number},
                                         {table->columns().find("b"), CellType::text}};
  CellBlock block;
  ASSERT_EQ(table->read(asked, 2, block), 2U);
  EXPECT_EQ(block.columns[1].numbers, (std::vector<double>{1, 4}));
  EXPECT_EQ(block.columns[0].numbers[0], 3);
  EXPECT_TRUE(block.columns[0].is_missing(1));
  EXPECT_EQ(block.missing, 1U);
  EXPECT_EQ(block.places, (std::vector<std::size_t>{2, 3}));
  ASSERT_EQ(table->read(asked, 2, block), 1U) << "rows are added to those there are";
  ASSERT_EQ(block.rows(), 3U);
  EXPECT_EQ(block.columns[0].numbers[2], 9);
  EXPECT_EQ(block.columns[2].text(0), "x");
  EXPECT_EQ(block.columns[2].text(2), "z");
  EXPECT_EQ(table->read(asked, 2, block), 0U);
}

TEST(Table, GivesEachCellTheTypeAskedFor) {
  const std::string text = "n\n1\ninf\n x y \n.\n02\n-1\n";
  const auto read = [&](CellType type, CellBlock& block) {
    const ColumnRequest first{0, type};
    const auto table = open_table(memory_source("t.csv", text));
    while (table->read(std::span(&first, 1), 2, block) > 0) {
    }
  };
  CellBlock block;
  read(CellType::text, block);
  const std::vector<std::string> texts{"1", "inf", "x y", "", "02", "-1"};
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(block.columns[0].text(r), texts[r]);
  block = {};
  read(CellType::either, block);
  ASSERT_EQ(block.words.size(), 2U);
  EXPECT_EQ(block.words[0].text, "inf");
  EXPECT_TRUE(block.words[0].infinite);
  EXPECT_EQ(block.words[1].text, "x y");
  EXPECT_EQ(block.words[1].row, 2U);
  EXPECT_EQ(block.columns[0].numbers[4], 2);
  EXPECT_EQ(block.missing, 1U);
  EXPECT_EQ(block.gap_in(3), 0U);
  EXPECT_EQ(block.gap_in(2), 1U) << "a word is there";
  EXPECT_EQ(block.keep_complete(), (std::vector<std::size_t>{0, 1, 2, 4, 5}));
  EXPECT_EQ(block.columns[0].numbers[3], 2);
  EXPECT_EQ(block.words[1].row, 2U);
  block = {};
  EXPECT_EQ(input_error([&] { read(CellType::score, block); }),
            "t.csv: line 4, column 'n': 'x y' is not a number");
  EXPECT_EQ(block.columns[0].numbers[1], std::numeric_limits<double>::infinity());
}

TEST(Table, KeepsTheCompleteRowsOfEveryColumn) {
  const auto table = open_table(memory_source("t.csv", "a,b\n1,x\n,y\n3,z\n4,\n5,v\n"));
  const std::vector<ColumnRequest> asked{{0, CellType::either}, {1, CellType::text}};
  CellBlock block;
  ASSERT_EQ(table->read(asked, 9, block), 5U);
  CellBlock of_text = block, late = block;
  EXPECT_EQ(block.keep_complete(), (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(block.columns[0].numbers, (std::vector<double>{1, 3, 5}));
  EXPECT_EQ(block.columns[1].text(1), "z");
  EXPECT_EQ(block.places, (std::vector<std::size_t>{2, 4, 6}));
  EXPECT_EQ(of_text.keep_complete(0, 1), (std::vector<std::size_t>{0, 1, 2, 4}));
  EXPECT_EQ(late.keep_complete(2), (std::vector<std::size_t>{2, 4})) << "the rows before stay";
  EXPECT_EQ(late.places, (std::vector<std::size_t>{2, 3, 4, 6}));
}

TEST(Table, OfManyColumnsFindsThemAll) {
  std::string header, row;
  for (int i = 0; i < 100'000; ++i) {
    header.append(i == 0 ? "c" : ",c").append(std::to_string(i));
    row += i == 0 ? "1" : ",1";
  }
  const auto table = open_table(memory_source("wide.csv", header + "\n" + row + "\n"));
  for (std::size_t i = 0; i < 100'000; ++i)
    ASSERT_EQ(table->columns().find(std::string("c").append(std::to_string(i))), i);
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
    CellBlock block;
    const ColumnRequest weight{1, CellType::number};
    EXPECT_EQ(input_error([&] { table->read(std::span(&weight, 1), 9, block); }),
              "cars.csv: line 3, column 'weight': " + message);
  }
}

}  // namespace
}  // namespace linkgistic
