// Arrow record batches as a table, and what damaged ones are answered with.
#include "table/arrow_table.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "numeric/random.hpp"
#include "table/arrow_stream.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

#define EXPECT_PART(part, text) EXPECT_PRED_FORMAT2(::testing::IsSubstring, part, text)

TestColumn numbers(const std::string& name, const std::vector<double>& values) {
  return {name, "g", static_cast<std::int64_t>(values.size()), 0, 0, {"", raw_bytes(values)}};
}

TestColumn words(const std::string& name, const std::vector<std::string>& values) {
  std::vector<std::int32_t> offsets = {0};
  std::string characters;
  for (const std::string& value : values) {
    characters += value;
    offsets.push_back(static_cast<std::int32_t>(characters.size()));
  }
  return {name, "u", static_cast<std::int64_t>(values.size()),
          0,    0,   {"", raw_bytes(offsets), characters + " "}};
}

TestColumn coded(const std::string& name, const std::vector<std::int8_t>& codes,
                 const std::vector<std::string>& entries) {
  return {name,
          "c",
          static_cast<std::int64_t>(codes.size()),
          0,
          0,
          {"", raw_bytes(codes)},
          std::make_shared<TestColumn>(words("", entries))};
}

CellBlock read_all(Table& table, std::span<const ColumnRequest> asked) {
  CellBlock block;
  while (table.read(asked, 3, block) > 0) {
  }
  return block;
}

std::string damage(std::vector<TestColumn> columns) {
  return input_error([&] {
    const auto table = arrow_table(ArrowBatches("in", TestStream({std::move(columns)}).open()), {});
    std::vector<ColumnRequest> asked;
    for (std::size_t j = 0; j < table->columns().size(); ++j) asked.push_back({j, CellType::either});
    read_all(*table, asked);
  });
}

TEST(ArrowTable, HasNumbersTextNullsAndDictionaries) {
  TestColumn gaps = numbers("x", {9, 1, 2, 3});
  gaps.offset = 1;  // the first value is beside the batch
  gaps.length = 3;
  gaps.null_count = 1;
  gaps.buffers[0] = std::string(1, '\x0b');  // bits 0, 1 and 3: the row with 2 is null
  TestColumn second = numbers("x", {4});
  const TestStream stream({{gaps, words("w", {"a", "", "NA"}), coded("c", {1, 0, 1}, {"red", "blue"})},
                           {second, words("w", {"7"}), coded("c", {0}, {"green"})}});
  const auto open = [&](const std::vector<std::size_t>& columns) { return stream.open(columns); };
  const ColumnRequest asked[] = {{0, CellType::number}, {2, CellType::text}, {1, CellType::text}};
  std::unique_ptr<Table> tables[] = {arrow_table("in", open, {}),
                                     arrow_table(ArrowBatches("in", stream.open()), {})};
  for (const auto& table : tables) {
    EXPECT_EQ(table->columns().names(), (std::vector<std::string>{"x", "w", "c"}));
    for (int pass = 0; pass < 2; ++pass, table->rewind()) {
      const CellBlock block = read_all(*table, asked);
      ASSERT_EQ(block.rows(), 4U);
      EXPECT_EQ(block.columns[0].numbers[0], 1);
      EXPECT_TRUE(std::isnan(block.columns[0].numbers[1]));
      EXPECT_EQ(block.columns[0].numbers[2], 3);
      EXPECT_EQ(block.columns[0].numbers[3], 4);
      EXPECT_EQ(block.columns[1].text(0), "blue");
      EXPECT_EQ(block.columns[1].text(1), "red");
      EXPECT_EQ(block.columns[1].text(3), "green");
      EXPECT_EQ(block.columns[2].text(0), "a");
      EXPECT_TRUE(block.columns[2].is_missing(1));
      EXPECT_TRUE(block.columns[2].is_missing(2));
      EXPECT_EQ(block.places, (std::vector<std::size_t>{1, 2, 3, 4}));
    }
  }
}

TEST(ArrowTable, StreamsTheRequestedColumnsAlone) {
  const TestStream stream({{numbers("x", {1, 2}), words("w", {"a", "b"}), numbers("y", {3, 4})},
                           {numbers("x", {5}), words("w", {"c"}), numbers("y", {6})}});
  std::vector<std::vector<std::size_t>> opened;
  const auto table = arrow_table("in",
                                 [&](const std::vector<std::size_t>& columns) {
                                   opened.push_back(columns);
                                   return stream.open(columns);
                                 },
                                 {});
  const ColumnRequest y_and_x[] = {{2, CellType::number}, {0, CellType::number}};
  for (int pass = 0; pass < 2; ++pass, table->rewind()) {
    const CellBlock block = read_all(*table, y_and_x);
    EXPECT_EQ(block.columns[0].numbers, (std::vector<double>{3, 4, 6}));
    EXPECT_EQ(block.columns[1].numbers, (std::vector<double>{1, 2, 5}));
  }
  using Columns = std::vector<std::size_t>;
  EXPECT_EQ(opened, (std::vector<Columns>{{}, {0, 2}, {0, 2}, {0, 2}}));
  // A column that is requested within a pass is read from the row at hand on.
  const ColumnRequest x[] = {{0, CellType::number}}, w[] = {{1, CellType::text}};
  CellBlock first, rest;
  ASSERT_EQ(table->read(x, 1, first), 1U);
  EXPECT_EQ(first.columns[0].numbers, (std::vector<double>{1}));
  while (table->read(w, 1, rest) > 0) {
  }
  ASSERT_EQ(rest.rows(), 2U);
  EXPECT_EQ(rest.columns[0].text(0), "b");
  EXPECT_EQ(rest.columns[0].text(1), "c");
}

TEST(ArrowTable, CountsTheRowsOfAPartFromItsFirst) {
  const auto table = arrow_table(ArrowBatches("in", TestStream({{words("w", {"7", "x"})}}).open()), {}, 100);
  const ColumnRequest asked{0, CellType::number};
  EXPECT_PART("in: row 102, column 'w'", input_error([&] { read_all(*table, std::span(&asked, 1)); }));
}

TEST(ArrowTable, ReadsEveryTypeOfNumber) {
  const auto one = [](const std::string& format, const std::string& bytes) {
    const auto table =
        arrow_table(ArrowBatches("in", TestStream({{{"x", format, 2, 0, 0, {"", bytes}}}}).open()), {});
    const ColumnRequest asked{0, CellType::number};
    return read_all(*table, std::span(&asked, 1)).columns[0].numbers;
  };
  using D = std::vector<double>;
  EXPECT_EQ(one("c", raw_bytes<std::int8_t>({-3, 7})), (D{-3, 7}));
  EXPECT_EQ(one("C", raw_bytes<std::uint8_t>({200, 7})), (D{200, 7}));
  EXPECT_EQ(one("s", raw_bytes<std::int16_t>({-300, 7})), (D{-300, 7}));
  EXPECT_EQ(one("S", raw_bytes<std::uint16_t>({60000, 7})), (D{60000, 7}));
  EXPECT_EQ(one("i", raw_bytes<std::int32_t>({-70000, 7})), (D{-70000, 7}));
  EXPECT_EQ(one("I", raw_bytes<std::uint32_t>({4000000000U, 7})), (D{4e9, 7}));
  EXPECT_EQ(one("l", raw_bytes<std::int64_t>({-(1LL << 50), 7})), (D{-std::ldexp(1, 50), 7}));
  EXPECT_EQ(one("L", raw_bytes<std::uint64_t>({1ULL << 63, 7})), (D{std::ldexp(1, 63), 7}));
  EXPECT_EQ(one("f", raw_bytes<float>({0.5F, 7})), (D{0.5, 7}));
  EXPECT_EQ(one("b", std::string(1, '\x02')), (D{0, 1}));
  // 1.5, and the least half number 2^-24.
  EXPECT_EQ(one("e", raw_bytes<std::uint16_t>({0x3e00, 0x0001})), (D{1.5, std::ldexp(1, -24)}));
  // A decimal of 16 bytes, least first: -125 and 3 hundredths.
  EXPECT_EQ(one("d:10,2", raw_bytes<std::int64_t>({-125, -1, 3, 0})), (D{-1.25, 0.03}));
  EXPECT_EQ(one("d:10,1,64", raw_bytes<std::int64_t>({-125, 3})), (D{-12.5, 0.3}));
}

TEST(ArrowTable, ReadsViewsOfText) {
  struct View {
    std::int32_t length;
    char start[4];
    std::int32_t piece, place;
  };
  View views[2] = {{3, {'c', 'a', 't', 0}, 0, 0}, {14, {'e', 'l', 'e', 'p'}, 0, 2}};
  std::string bytes(reinterpret_cast<const char*>(views), sizeof views);
  const std::string long_text = "__elephant house";
  const auto sizes = raw_bytes<std::int64_t>({static_cast<std::int64_t>(long_text.size())});
  const auto table = arrow_table(
      ArrowBatches("in", TestStream({{{"w", "vu", 2, 0, 0, {"", bytes, long_text, sizes}}}}).open()), {});
  const ColumnRequest asked{0, CellType::text};
  const CellBlock block = read_all(*table, std::span(&asked, 1));
  EXPECT_EQ(block.columns[0].text(0), "cat");
  EXPECT_EQ(block.columns[0].text(1), "elephant house");
  views[1].place = 3;
  bytes.assign(reinterpret_cast<const char*>(views), sizeof views);
  EXPECT_PART("a text lies beyond its buffer", damage({{"w", "vu", 2, 0, 0, {"", bytes, long_text, sizes}}}));
}

TEST(ArrowTable, RefusesWhatCannotBe) {
  EXPECT_PART("in: column 't' has times, neither numbers nor text",
              damage({{"t", "tsu:UTC", 0, 0, 0, {"", ""}}}));
  EXPECT_PART("in: column 'l' has lists", damage({{"l", "+l", 0, 0, 0, {"", ""}}}));
  EXPECT_PART("in: column 's' has structs", damage({{"s", "+s", 0, 0, 0, {""}}}));
  EXPECT_PART("'strange'", damage({{"q", "strange", 0, 0, 0, {"", ""}}}));
  const TestColumn good = numbers("x", {1, 2, 3});
  EXPECT_EQ(damage({good}), "");
  TestColumn bad = good;
  bad.buffers.pop_back();
  EXPECT_PART("it has 1 buffers", damage({bad}));
  bad = good;
  bad.null_count = 2;
  EXPECT_PART("it counts nulls and does not say which", damage({bad}));
  bad = good;
  bad.offset = -1;
  EXPECT_PART("its length or offset cannot be", damage({bad}));
  bad = good;
  bad.length = 2;
  EXPECT_PART("column 'x' has 2 rows, and the batch 3", damage({words("w", {"a", "b", "c"}), bad}));
  bad.length = -5;
  EXPECT_PART("its length or offset is negative", damage({bad}));
  bad = words("w", {"abc", "d"});
  bad.buffers[1] = raw_bytes<std::int32_t>({0, 3, 2});
  EXPECT_PART("in: column 'w': the Arrow array is damaged: a text has a negative length", damage({bad}));
  bad.buffers[1] = raw_bytes<std::int32_t>({-4, 3, 4});
  EXPECT_PART("the place of a text is negative", damage({bad}));
  EXPECT_PART("row 2 of a batch is beyond its dictionary", damage({coded("c", {0, 2}, {"a", "b"})}));
  EXPECT_PART("row 1 of a batch is beyond its dictionary", damage({coded("c", {-1, 0}, {"a", "b"})}));
  bad = good;
  bad.dictionary = std::make_shared<TestColumn>(words("", {"a"}));
  EXPECT_PART("its dictionary cannot be", damage({bad}));
  EXPECT_PART("was read before", input_error([] { ArrowBatches("in", {}); }));
}

// Whatever the lengths, offsets, counts, types and bytes of the buffers say, there is a table or an
// InputError. Buffers are long enough for every length here, as the interface obliges a producer.
TEST(ArrowTable, AnswersDamagedStreamsWithErrors) {
  RandomStream random(11);
  const char* formats[] = {"n", "b", "c", "S", "l", "f", "g", "u", "U", "vu", "d:5,2", "+l", "tdD", "", "e"};
  std::size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto column = [&](auto&& self, bool may_code) -> TestColumn {
      TestColumn c{"x", formats[random.below(std::size(formats))], 4, 0, 0, {}};
      if (random.below(6) == 0) c.length = static_cast<std::int64_t>(random.below(9)) - 3;
      if (random.below(6) == 0) c.offset = static_cast<std::int64_t>(random.below(6)) - 2;
      if (random.below(3) == 0) c.null_count = static_cast<std::int64_t>(random.below(5)) - 1;
      const std::size_t buffers = random.below(8) == 0 ? random.below(5)
                                                       : (c.format == "u" || c.format == "U" ? 3
                                                          : c.format == "vu"                 ? 4
                                                                                             : 2);
      for (std::size_t b = 0; b < buffers; ++b) {
        std::string bytes(512, '\0');
        if (b > 0 || random.below(2) == 0)
          for (char& byte : bytes) byte = static_cast<char>(random.below(4) == 0 ? random.below(256) : 0);
        // Text and its places: small numbers, so that what passes the checks lies within the buffers.
        if ((c.format == "u" || c.format == "U") && b == 1)
          for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<char>(i % (c.format == "u" ? 4 : 8) == 0 ? random.below(200) : 0);
        if (c.format == "vu" && b == 3) bytes = raw_bytes<std::int64_t>({512});
        c.buffers.push_back(bytes);
      }
      if (may_code && random.below(4) == 0) c.dictionary = std::make_shared<TestColumn>(self(self, false));
      return c;
    };
    refused += damage({column(column, true)}).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 500U);
  EXPECT_LT(refused, 2900U);
}

}  // namespace
}  // namespace linkgistic
