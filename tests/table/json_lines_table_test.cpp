// Objects of one line each as rows of a table.
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "table/files.hpp"
#include "table/format.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

std::unique_ptr<Table> open(const std::string& text, const std::string& name = "in.jsonl") {
  return open_table(memory_source(name, text));
}

// All cells of one column as text; a missing one is "-".
std::vector<std::string> texts(Table& table, const std::string& column) {
  const ColumnRequest asked{table.columns().find(column), CellType::text};
  std::vector<std::string> all;
  for (CellBlock block; table.read(std::span(&asked, 1), 2, block) > 0; block.clear()) {
    for (std::size_t r = 0; r < block.rows(); ++r)
      all.push_back(block.columns[0].is_missing(r) ? "-" : std::string(block.columns[0].text(r)));
  }
  return all;
}

using Words = std::vector<std::string>;

TEST(JsonLinesTable, KeysAreColumnsInTheOrderOfTheirFirstLines) {
  const auto table = open(
      "{\"a\": 1, \"s\": \"u v\", \"b\": true}\r\n\n{\"b\": false, \"late\": -2.5e0}\n"
      "  {\"s\": null, \"a\": \"NA\", \"\\u00e4\": \"x\\ny\"}");
  EXPECT_EQ(table->columns().names(), (Words{"a", "s", "b", "late", "\xC3\xA4"}));
  const std::vector<std::pair<std::string, Words>> expected{{"a", {"1", "-", "-"}},
                                                            {"s", {"u v", "-", "-"}},
                                                            {"b", {"true", "false", "-"}},
                                                            {"late", {"-", "-2.5", "-"}},
                                                            {"\xC3\xA4", {"-", "-", "x\ny"}}};
  for (const auto& [column, cells] : expected) {
    EXPECT_EQ(texts(*table, column), cells) << column;
    table->rewind();
  }
}

TEST(JsonLinesTable, NumbersAreThoseOfCsv) {
  std::string json, csv = "x,y\n";
  for (int i = 0; i < 70'000; ++i) {
    const std::string x = std::to_string(i % 1000 * 0.37), y = std::to_string(i * 7 % 13) + "e-3";
    json += (i % 2 == 0 ? "{\"x\":" + x + ",\"y\":" + y : "{\"y\":" + y + ",\"x\":\"" + x + "\"") + "}\n";
    csv += x + "," + y + "\n";
  }
  for (const std::string& text : {json, gzipped(json)}) {
    TableRows a(open(text, "in.ndjson"), {"x", "y", ""}, MissingValues::error);
    TableRows b(open(csv, "in.csv"), {"x", "y", ""}, MissingValues::error);
    for (int reading = 0; reading < 2; ++reading) {
      for (;;) {
        const RowBlock p = a.next(), q = b.next();
        ASSERT_TRUE(std::equal(p.x.begin(), p.x.end(), q.x.begin(), q.x.end()));
        ASSERT_TRUE(std::equal(p.y.begin(), p.y.end(), q.y.begin(), q.y.end()));
        if (p.size() == 0) break;
      }
      a.rewind();
      b.rewind();
    }
  }
}

TEST(JsonLinesTable, IsKnownByItsNameOrItsFirstCharacter) {
  for (const char* name : {"a.jsonl", "a.ndjson", "a.jsonl.gz", "stdin", "a.txt"}) {
    const auto source = memory_source(name, "\n {\"a\":1}\n");
    EXPECT_STREQ(format_of(*source).name, "a JSON Lines file") << name;
  }
  EXPECT_STREQ(format_of(*memory_source("a.csv", "{a,b\n1,2\n")).name, "a CSV file");
}

TEST(JsonLinesTable, SaysLineAndKeyOfWhatIsNoTable) {
  const std::string good = "{\"a\":1,\"b\":\"x\"}\n\n";
  const std::string object = "in.jsonl: line 3: each line must be one JSON object, {\"key\": value, ...}";
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "in.jsonl: the file is empty"},
      {"\n \n", "in.jsonl: the file is empty"},
      {good + "{\"a\":{\"c\":1}}",
       "in.jsonl: line 3, key 'a': holds an object: a table has numbers, text, true, false and null"},
      {good + "{\"a\":1,\"b\":[1,2]}",
       "in.jsonl: line 3, key 'b': holds an array: a table has numbers, text, true, false and null"},
      {good + "{\"a\":1,\"a\":2}", "in.jsonl: line 3, key 'a': comes twice"},
      {good + "[1,2]", object},
      {good + "7", object},
      {good + "{\"a\":1,\"b\":}", "in.jsonl: line 3: broken JSON at character 12, after key 'b'"},
      {good + "{\"a\":1", "in.jsonl: line 3: broken JSON at character 7, after key 'a'"},
      {good + "{\"a\":NaN}", "in.jsonl: line 3: broken JSON at character 6, after key 'a'"},
      {good + "{\"a\":1} {\"a\":2}", "in.jsonl: line 3: broken JSON at character 9, after key 'a'"},
      {good + "{a:1}", "in.jsonl: line 3: broken JSON at character 2"},
  };
  for (const auto& bad : cases) EXPECT_EQ(input_error([&] { open(bad.text); }), bad.message);
  const auto column = [&](const std::string& text) {
    return input_error([&] { read_column(open(good + text), "a", MissingValues::error); });
  };
  EXPECT_EQ(column("{\"a\":\"one\"}"), "in.jsonl: line 3, column 'a': 'one' is not a number");
  EXPECT_EQ(column("{\"b\":1}"),
            "in.jsonl: line 3, column 'a': missing value (--missing drop leaves such rows out)");
  EXPECT_EQ(input_error([&] { read_column(open(good), "c", MissingValues::error); }),
            "in.jsonl: no column 'c'; the columns are 'a', 'b'");
}

TEST(JsonLinesTable, LinesMayBeLongerThanTheBuffer) {
  const std::string longest(600'000, 'x');
  const auto table = open("{\"s\":\"" + longest + "\"}\n{\"s\":\"y\"}\n{\"s\":\"" + longest + "z\"}");
  EXPECT_EQ(texts(*table, "s"), (Words{longest, "y", longest + "z"}));
}

}  // namespace
}  // namespace linkgistic
