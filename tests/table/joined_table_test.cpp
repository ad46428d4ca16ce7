// Folders and patterns of names are one table: rows in the order of the names, errors with file and line.
#include "table/joined_table.hpp"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "io/file_list.hpp"
#include "table/files.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

#define EXPECT_PART(part, text) EXPECT_PRED_FORMAT2(::testing::IsSubstring, part, text)

class JoinedTables : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) { write_text(folder_.file(name), text); }
  std::vector<double> column(const std::string& path, const std::string& name,
                             MissingValues missing = MissingValues::error) {
    return read_column(open_table(folder_.file(path)), name, missing);
  }
  std::string error(const std::string& path, const std::string& name = "x") {
    return input_error([&] { column(path, name); });
  }

  TemporaryFolder folder_;
};

TEST_F(JoinedTables, HaveTheRowsOfAllFilesInTheOrderOfNames) {
  write("part-10.csv", "x,y\n3,a\n");
  write("part-0.csv", "y,x\nb,1\nb,2\n");
  write("part-2.csv", gzipped("x,y\n4,c\n"));
  write("part-3.csv", "x,y\n");
  write("other.csv", "z\n1\n");
  const std::vector<double> expected{1, 2, 3, 4};
  EXPECT_EQ(column("part-*.csv", "x"), expected);
  EXPECT_EQ(column("part-*[0-9].csv", "x"), expected);
  const auto table = open_table(folder_.file("part-?.csv"));
  const ColumnRequest asked[] = {{0, CellType::text}, {1, CellType::number}};
  for (int pass = 0; pass < 2; ++pass, table->rewind()) {
    CellBlock block;
    while (table->read(asked, 2, block) > 0) {
    }
    ASSERT_EQ(block.rows(), 3U);
    EXPECT_EQ(block.columns[0].text(2), "c");
    EXPECT_EQ(block.columns[1].numbers, (std::vector<double>{1, 2, 4}));
    EXPECT_EQ(table->place(block.places[1]), folder_.file("part-0.csv") + " line 3");
    EXPECT_EQ(table->where(block.places[2], 1), folder_.file("part-2.csv") + ": line 2, column 'x'");
  }
}

TEST_F(JoinedTables, AreAllFilesOfAFolderButHiddenOnes) {
  write("a.jsonl", "{\"x\": 1}\n");
  write("b.csv", "x\n2\n");
  write("_SUCCESS", "");
  write(".c.csv", "x\n9\n");
  std::filesystem::create_directory(folder_.file("inner"));
  EXPECT_EQ(column("", "x"), (std::vector<double>{1, 2}));
  EXPECT_PART("is a folder without files", error("inner"));
  EXPECT_PART("none-*.csv: no file has such a name", error("none-*.csv"));
  EXPECT_EQ(files_of("-"), std::vector<std::string>{"-"});
  write("odd[1].csv", "x\n5\n");  // a file with that very name is no pattern
  EXPECT_EQ(column("odd[1].csv", "x"), std::vector<double>{5});
}

TEST_F(JoinedTables, LetAFileOfObjectsLackAKey) {
  write("1.jsonl", "{\"x\": 1, \"w\": \"red\"}\n{\"x\": 2, \"w\": 7}\n");
  write("2.jsonl", "{\"u\": 3}\n{\"w\": \"blue\", \"u\": 4}\n");
  const auto table = open_table(folder_.file("*.jsonl"));
  EXPECT_EQ(table->columns().names(), (std::vector<std::string>{"x", "w", "u"}));
  const ColumnRequest asked[] = {{2, CellType::number}, {1, CellType::either}, {0, CellType::text}};
  CellBlock block;
  while (table->read(asked, 10, block) > 0) {
  }
  ASSERT_EQ(block.rows(), 4U);
  EXPECT_EQ(block.missing, 5U);
  EXPECT_EQ(block.columns[0].numbers[3], 4);
  EXPECT_TRUE(std::isnan(block.columns[0].numbers[1]));
  EXPECT_EQ(block.columns[1].numbers[1], 7);
  EXPECT_EQ(block.columns[2].text(1), "2");
  ASSERT_EQ(block.words.size(), 2U);
  EXPECT_EQ(block.words[1].row, 3U);
  EXPECT_EQ(block.words[1].text, "blue");
}

TEST_F(JoinedTables, NameTheFileAndTheLineOfWhatIsWrong) {
  write("1.csv", "x,y\n1,2\n");
  write("2.csv", "x,y\n1,2\noops,3\n");
  EXPECT_EQ(error("*.csv"), folder_.file("2.csv") + ": line 3, column 'x': 'oops' is not a number");
  write("2.csv", "x,y\n1,2\n,3\n");
  EXPECT_PART(folder_.file("2.csv") + ": line 3, column 'x': missing value", error("*.csv"));
  EXPECT_EQ(column("*.csv", "x", MissingValues::drop), (std::vector<double>{1, 1}));
  write("2.csv", "x,z\n1,2\n");
  EXPECT_EQ(error("*.csv"),
            folder_.file("2.csv") + ": has a column 'z', which " + folder_.file("1.csv") + " has not");
  write("2.csv", "x\n1\n");
  EXPECT_EQ(error("*.csv"),
            folder_.file("2.csv") + ": has no column 'y', which " + folder_.file("1.csv") + " has");
}

}  // namespace
}  // namespace linkgistic
