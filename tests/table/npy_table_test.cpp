// Arrays built byte by byte as NumPy's format description says.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "table/files.hpp"
#include "table/table.hpp"

namespace linkgistic {
namespace {

// Magic, version, length of the dictionary (little endian), dictionary padded to a multiple of 64 bytes in
// all.
std::string head(const std::string& type, const std::string& shape, bool fortran = false, int version = 1) {
  std::string dictionary = "{'descr': " + type + ", 'fortran_order': " + (fortran ? "True" : "False") +
                           ", 'shape': " + shape + ", }";
  const std::size_t start = version == 1 ? 10 : 12;
  while ((start + dictionary.size() + 1) % 64 != 0) dictionary += ' ';
  dictionary += '\n';
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (std::size_t i = 0; i < start - 8; ++i) bytes += static_cast<char>(dictionary.size() >> (8 * i) & 0xFF);
  return bytes + dictionary;
}

// The bytes of the values as type T, this machine's order turned round when asked for.
template <class T>
std::string payload(const std::vector<double>& values, bool swap = false) {
  std::string bytes;
  for (const double value : values) {
    const T typed = static_cast<T>(value);
    std::string item(sizeof(T), '\0');
    std::memcpy(item.data(), &typed, sizeof(T));
    if (swap) std::reverse(item.begin(), item.end());
    bytes += item;
  }
  return bytes;
}

std::unique_ptr<Table> table(std::string bytes, const std::string& name = "a.npy") {
  return open_table(memory_source(name, std::move(bytes)));
}

std::vector<std::vector<double>> columns(Table& array, const std::vector<std::size_t>& which,
                                         std::size_t step) {
  std::vector<ColumnRequest> asked;
  for (const std::size_t column : which) asked.push_back({column, CellType::number});
  std::vector<std::vector<double>> all(which.size());
  for (CellBlock block; array.read(asked, step, block) > 0; block.clear()) {
    for (std::size_t i = 0; i < which.size(); ++i) {
      const auto& numbers = block.columns[i].numbers;
      all[i].insert(all[i].end(), numbers.begin(), numbers.end());
    }
  }
  return all;
}

using Columns = std::vector<std::vector<double>>;

TEST(NpyTable, ReadsEveryTypeInBothOrdersOfBytes) {
  const std::vector<double> values{0, 1, 100, 7};
  const struct {
    std::string type, plain, swapped;
  } cases[] = {
      {"f8", payload<double>(values), payload<double>(values, true)},
      {"f4", payload<float>(values), payload<float>(values, true)},
      {"i8", payload<std::int64_t>(values), payload<std::int64_t>(values, true)},
      {"i4", payload<std::int32_t>(values), payload<std::int32_t>(values, true)},
      {"i2", payload<std::int16_t>(values), payload<std::int16_t>(values, true)},
      {"i1", payload<std::int8_t>(values), payload<std::int8_t>(values, true)},
      {"u8", payload<std::uint64_t>(values), payload<std::uint64_t>(values, true)},
      {"u4", payload<std::uint32_t>(values), payload<std::uint32_t>(values, true)},
      {"u2", payload<std::uint16_t>(values), payload<std::uint16_t>(values, true)},
      {"u1", payload<std::uint8_t>(values), payload<std::uint8_t>(values, true)},
  };
  constexpr bool little = std::endian::native == std::endian::little;
  for (const auto& [type, plain, swapped] : cases) {
    const std::string le = head("'<" + type + "'", "(4,)") + (little ? plain : swapped);
    const std::string be = head("'>" + type + "'", "(4,)") + (little ? swapped : plain);
    EXPECT_EQ(columns(*table(le), {0}, 3), Columns{values}) << type;
    EXPECT_EQ(columns(*table(be), {0}, 3), Columns{values}) << type;
  }
  EXPECT_EQ(columns(*table(head("'|b1'", "(3,)") + std::string("\1\0\1", 3)), {0}, 9), (Columns{{1, 0, 1}}));
}

TEST(NpyTable, ReadsNegativeExtremeAndDenormalValuesExactly) {
  const std::vector<double> doubles{-1.5, 1e308, std::numeric_limits<double>::denorm_min(), 0.1};
  EXPECT_EQ(columns(*table(head("'<f8'", "(4,)") + payload<double>(doubles)), {0}, 9), Columns{doubles});
  EXPECT_EQ(columns(*table(head("'<i2'", "(2,)") + payload<std::int16_t>({-32768, -2})), {0}, 9),
            (Columns{{-32768, -2}}));
}

TEST(NpyTable, RowsAndColumnsAreTheSameInBothLayoutsAllVersionsAndSteps) {
  const std::string by_rows = payload<float>({1, 2, 3, 4, 5, 6, 7, 8});     // (4, 2)
  const std::string by_columns = payload<float>({1, 3, 5, 7, 2, 4, 6, 8});  // the same, transposed
  for (int version = 1; version <= 3; ++version) {
    for (const std::size_t step : {1U, 3U, 100U}) {
      const auto c = table(head("'<f4'", "(4, 2)", false, version) + by_rows);
      const auto f = table(head("'<f4'", "(4, 2)", true, version) + by_columns);
      for (Table* array : {c.get(), f.get()}) {
        EXPECT_EQ(array->columns().names(), (std::vector<std::string>{"0", "1"}));
        EXPECT_EQ(columns(*array, {1, 0}, step), (Columns{{2, 4, 6, 8}, {1, 3, 5, 7}}));
        array->rewind();
        EXPECT_EQ(columns(*array, {0}, step), (Columns{{1, 3, 5, 7}}));
      }
    }
  }
}

TEST(NpyTable, GzipGivesTheSameValues) {
  const std::string bytes = head("'<f8'", "(3,)") + payload<double>({3, 1, 2});
  EXPECT_EQ(columns(*table(gzipped(bytes), "a.npy.gz"), {0}, 2), (Columns{{3, 1, 2}}));
}

TEST(NpyTable, WideArraysComeInShorterBlocks) {
  const std::size_t wide = 1 << 19;  // a row of 4 MiB
  std::vector<double> values(3 * wide);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  const auto array = table(head("'<f8'", "(3, " + std::to_string(wide) + ")") + payload<double>(values));
  CellBlock block;
  EXPECT_EQ(array->read(std::vector<ColumnRequest>{{5, CellType::number}}, 3, block), 1U);
  EXPECT_EQ(columns(*array, {5}, 3), (Columns{{wide + 5.0, 2.0 * wide + 5.0}}));
}

TEST(NpyTable, NaNIsAMissingValueAndKeepsItsRow) {
  const auto array = table(head("'<f8'", "(2,)") + payload<double>({std::nan(""), 4}));
  CellBlock block;
  ASSERT_EQ(array->read(std::vector<ColumnRequest>{{0, CellType::number}}, 10, block), 2U);
  EXPECT_TRUE(block.columns[0].is_missing(0));
  EXPECT_EQ(block.places, (std::vector<std::size_t>{1, 2}));
}

// Blocks of usual numbers are read column by column, others cell by cell; the cells are the same.
TEST(NpyTable, AnUnusualCellChangesNoOther) {
  const std::size_t rows = 50'000;
  std::vector<double> values(2 * rows);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 1000) / 8;
  values[60'001] = std::nan("");
  values[80'000] = -999;
  const std::string bytes = head("'<f8'", "(50000, 2)") + payload<double>(values);
  for (const bool number_is_missing : {false, true}) {
    TableOptions options;
    if (number_is_missing) options.missing = MissingWords({"-999"});
    const auto array = open_table(memory_source("a.npy", bytes), options);
    const std::vector<ColumnRequest> asked{{1, CellType::number}, {0, CellType::either}};
    CellBlock block;
    while (array->read(asked, rows, block) > 0) {
    }
    ASSERT_EQ(block.rows(), rows);
    EXPECT_EQ(block.missing, number_is_missing ? 2U : 1U);
    for (std::size_t r = 0; r < rows; ++r) {
      ASSERT_EQ(block.places[r], r + 1);
      for (std::size_t i = 0; i < 2; ++i) {
        const double expected = values[2 * r + asked[i].column];
        const bool missing = std::isnan(expected) || (number_is_missing && expected == -999);
        ASSERT_EQ(block.columns[i].is_missing(r), missing);
        if (!missing) {
          ASSERT_EQ(block.columns[i].numbers[r], expected);
        }
      }
    }
  }
  const auto weights = table(bytes);
  EXPECT_EQ(input_error([&] {
              CellBlock block;
              while (weights->read(std::vector<ColumnRequest>{{0, CellType::weight}}, rows, block) > 0) {
              }
            }),
            "a.npy: row 40001, column '0': a weight must not be negative");
}

TEST(NpyTable, SaysWhatIsWrongWithTheFile) {
  const std::string good = head("'<f8'", "(3, 2)") + payload<double>({1, 2, 3, 4, 5, 6});
  const double infinity = std::numeric_limits<double>::infinity();
  const struct {
    std::string bytes, message;
  } cases[] = {
      {"", "a.npy: not an NPY file: it does not begin with the NPY mark"},
      {"x,y\n1,2\n", "a.npy: not an NPY file: it does not begin with the NPY mark"},
      {good.substr(0, 6), "a.npy: the file is truncated in its head"},
      {good.substr(0, 9), "a.npy: the file is truncated in its head"},
      {good.substr(0, 60), "a.npy: the file is truncated in its head"},
      {good.substr(0, good.size() - 1), "a.npy: the file is truncated in row 3 of 3"},
      {good.substr(0, good.size() - 40), "a.npy: the file is truncated in row 1 of 3"},
      {head("'<f8'", "(3, 2)", true) + payload<double>({1, 2}), "a.npy: the file is truncated"},
      {head("'<f8'", "(9000000000, 2)", true), "a.npy: the file is truncated"},
      {head("'<f8'", "(9000000000000000000, 2)"), "a.npy: damaged NPY head: impossible shape"},
      {head("'<f8'", "(1, 9000000000000000)"), "a.npy: damaged NPY head: impossible shape"},
      {head("'<f8'", "(3, x)"), "a.npy: damaged NPY head: no shape"},
      {head("'<f8'", "3"), "a.npy: damaged NPY head: no shape"},
      {head("'<f8'", "()"), "a.npy: an array of 0 dimensions; a table has 1 or 2"},
      {head("'<f8'", "(2, 2, 2)"), "a.npy: an array of 3 dimensions; a table has 1 or 2"},
      {head("'<c16'", "(2,)"), "a.npy: type '<c16' is not read; use a float, integer or boolean array"},
      {head("'|O'", "(2,)"), "a.npy: type '|O' is not read; use a float, integer or boolean array"},
      {head("[('a', '<f8')]", "(2,)"),
       "a.npy: type '[('a', '<f8')' is not read; use a float, integer or boolean array"},
      {head("'<f8'", "(2,)", false, 9), "a.npy: NPY version 9 is not known"},
      {std::string("\x93NUMPY\1\0\2\0{}", 12), "a.npy: damaged NPY head: no 'descr'"},
      {std::string("\x93NUMPY\2\0\0\0\0\x7f", 12), "a.npy: damaged NPY head: impossible length"},
      {head("'<f8'", "(2, 2)") + payload<double>({1, 2, 3, -infinity}),
       "a.npy: row 2, column '1': '-inf' is not finite"},
  };
  for (const auto& bad : cases) {
    EXPECT_EQ(input_error([&] { columns(*table(bad.bytes), {0, 1}, 100); }), bad.message);
  }
}

}  // namespace
}  // namespace linkgistic
