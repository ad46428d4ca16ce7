// Rows from files and from memory: the same values, the same blocks, and messages for what a fit cannot use.
#include "table/row_stream.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y, weight;
  std::vector<std::size_t> blocks;
  bool operator==(const Rows&) const = default;
};

Rows drain(RowStream& stream) {
  Rows all;
  for (RowBlock block = stream.next(); block.size() > 0; block = stream.next()) {
    all.x.insert(all.x.end(), block.x.begin(), block.x.end());
    all.y.insert(all.y.end(), block.y.begin(), block.y.end());
    all.weight.insert(all.weight.end(), block.weight.begin(), block.weight.end());
    all.blocks.push_back(block.size());
  }
  return all;
}

TableRows csv_rows(const std::string& text, const RowColumns& columns,
                   MissingValues missing = MissingValues::error) {
  return TableRows(open_table(memory_source("cars.csv", text)), columns, missing);
}

std::string exact(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// 100,000 rows of all magnitudes; `gaps` rows with a missing value stand before every tenth row.
std::string big_csv(Rows& expected, std::size_t gaps) {
  RandomStream random(3);
  std::string text = "x,name,y,w\n";
  for (std::size_t i = 0; i < 100'000; ++i) {
    if (i % 10 == 0) {
      for (std::size_t g = 0; g < gaps; ++g) text += g % 2 == 0 ? "NA,n,1,1\n" : "1,n,,1\n";
    }
    expected.x.push_back(std::ldexp(random.normal(), static_cast<int>(random.below(2000)) - 1000));
    expected.y.push_back(random.normal());
    expected.weight.push_back(random.uniform());
    text += exact(expected.x.back()) + ",\"a,b\"," + exact(expected.y.back()) + "," +
            exact(expected.weight.back()) + "\n";
  }
  expected.blocks = {rows_per_block, 100'000 - rows_per_block};
  return text;
}

TEST(TableRows, ALargeFileGivesTheValuesInMemoryBitByBit) {
  const TemporaryFolder folder;
  Rows expected;
  const std::string text = big_csv(expected, 0);
  const std::string plain = write_text(folder.file("plain.csv"), text);
  const std::string packed = write_text(folder.file("packed.csv.gz"), gzipped(text));
  for (const std::string& path : {plain, packed}) {
    TableRows rows(open_table(path), {"x", "y", "w"}, MissingValues::error);
    EXPECT_TRUE(drain(rows) == expected) << path;
    rows.rewind();
    EXPECT_TRUE(drain(rows) == expected) << path;
  }
  MemoryRows memory(expected.x, expected.y, expected.weight);
  EXPECT_TRUE(drain(memory) == expected);
  memory.rewind();
  EXPECT_TRUE(drain(memory) == expected);
}

TEST(TableRows, DroppedRowsLeaveTheBlocksAsIfTheyHadNeverBeen) {
  Rows expected;
  TableRows rows = csv_rows(big_csv(expected, 3), {"x", "y", "w"}, MissingValues::drop);
  EXPECT_TRUE(drain(rows) == expected);
  EXPECT_EQ(rows.dropped(), 30'000U);
  rows.rewind();
  EXPECT_EQ(rows.dropped(), 0U);
  EXPECT_TRUE(drain(rows) == expected);
}

TEST(TableRows, OnlyColumnsAskedForMayNotBeMissing) {
  TableRows rows = csv_rows("x,y,z\n1,2,\n3,4,abc\n", {"x", "y", ""});
  const Rows all = drain(rows);
  EXPECT_EQ(all.x, (std::vector<double>{1, 3}));
  EXPECT_TRUE(all.weight.empty());
}

TEST(TableRows, AWeightOfZeroIsAllowed) {
  TableRows rows = csv_rows("x,y,w\n1,2,0\n", {"x", "y", "w"});
  EXPECT_EQ(drain(rows).weight, std::vector<double>{0});
}

TEST(TableRows, SayWhereAndWhatIsWrong) {
  const std::string missing = ": missing value (--missing drop leaves such rows out)";
  const struct {
    std::string text, message;
    MissingValues policy = MissingValues::error;
  } cases[] = {
      {"x,y,w\n", "cars.csv: there are no rows"},
      {"x,y,w", "cars.csv: there are no rows"},
      {"x,y,w\n1,,1\n", "cars.csv: line 2, column 'y'" + missing},
      {"x,y,w\n1,1,1\nNA,1,1\n", "cars.csv: line 3, column 'x'" + missing},
      {"x,y,w\n1,1,?\n", "cars.csv: line 2, column 'w'" + missing},
      {"x,y,w\n1,NaN,1\n", "cars.csv: line 2, column 'y'" + missing},
      {"x,y,w\n1,,1\n?,1,1\n", "cars.csv: no row is left, each of 2 rows has a missing value",
       MissingValues::drop},
      {"x,y,w\n1,abc,1\n", "cars.csv: line 2, column 'y': 'abc' is not a number", MissingValues::drop},
      {"x,y,w\n1,inf,1\n", "cars.csv: line 2, column 'y': 'inf' is not finite", MissingValues::drop},
      {"x,y,w\n1,1,-0.5\n", "cars.csv: line 2, column 'w': a weight must not be negative"},
      {"x,y,w\n,1,1\n1,1,1\n1,1,-1\n", "cars.csv: line 4, column 'w': a weight must not be negative",
       MissingValues::drop},
      {"x,y,w\n1,1,inf\n", "cars.csv: line 2, column 'w': 'inf' is not finite"},
      {"x,y\n1,1\n", "cars.csv: no column 'w'; the columns are 'x', 'y'"},
      {"x,x,y,w\n1,1,1,1\n", "cars.csv: 2 columns are called 'x'"},
  };
  for (const auto& bad : cases) {
    EXPECT_EQ(input_error([&] {
                TableRows rows = csv_rows(bad.text, {"x", "y", "w"}, bad.policy);
                drain(rows);
              }),
              bad.message);
  }
}

TEST(MemoryRows, SayWhatIsWrong) {
  using Values = std::vector<double>;
  const struct {
    Values x, y, weight;
    std::string message;
  } cases[] = {
      {{}, {}, {}, "x has no values"},
      {{1, 2}, {1}, {}, "x has 2 values, y has 1: they must have the same length"},
      {{1, 2}, {1, 2}, {1, 2, 3}, "x has 2 values, y has 2, weight has 3: they must have the same length"},
      {{1e308, -1e308}, {5e-324, 0}, {0, 1}, ""},
  };
  for (const auto& bad : cases) {
    EXPECT_EQ(input_error([&] { MemoryRows rows(bad.x, bad.y, bad.weight); }), bad.message);
  }
}

TEST(ReadColumn, GivesTheWholeColumnOrNamesTheGap) {
  const auto table = [] { return open_table(memory_source("new.csv", "x\n3\n\n1\n")); };
  EXPECT_EQ(read_column(table(), "x", MissingValues::drop), (std::vector<double>{3, 1}));
  EXPECT_EQ(input_error([&] { read_column(table(), "x", MissingValues::error); }),
            "new.csv: line 3, column 'x': missing value (--missing drop leaves such rows out)");
}

}  // namespace
}  // namespace linkgistic
