// CSV against a plain parser that works a character at a time, round trips, and messages.
#include "table/csv_reader.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "numeric/random.hpp"
#include "table/files.hpp"

namespace linkgistic {
namespace {

struct Row {
  std::size_t line;
  std::vector<std::string> fields;
  bool operator==(const Row&) const = default;
};

struct Parsed {
  std::vector<std::string> header;
  std::vector<Row> rows;  // those before the first error
  bool error = false;
};

CsvReader reader(const std::string& text, const CsvOptions& options = {}) {
  return CsvReader(memory_source("t.csv", text), options);
}

std::vector<Row> all_rows(CsvReader& csv) {
  std::vector<Row> rows;
  while (csv.next()) rows.push_back({csv.line(), {csv.fields().begin(), csv.fields().end()}});
  return rows;
}

Parsed fast(const std::string& text, const CsvOptions& options) {
  Parsed parsed;
  try {
    CsvReader csv = reader(text, options);
    parsed.header = csv.header();
    while (csv.next()) parsed.rows.push_back({csv.line(), {csv.fields().begin(), csv.fields().end()}});
  } catch (const InputError&) {
    parsed.error = true;
  }
  return parsed;
}

// One record from `i` on, the slow way; nothing when a quote is misplaced.
std::optional<std::vector<std::string>> slow_record(const std::string& text, std::size_t& i,
                                                    std::size_t& line) {
  std::vector<std::string> fields;
  for (;; ++i) {
    std::string field;
    const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\n'; };
    if (at(i) == '"') {
      for (++i;; ++i) {
        if (i >= text.size()) return {};
        if (text[i] == '"' && (i + 1 >= text.size() || text[i + 1] != '"')) break;
        if (text[i] == '"') ++i;
        if (text[i] == '\n') ++line;
        field += text[i];
      }
      ++i;
      if (at(i) == '\r' && at(i + 1) == '\n') ++i;
      if (at(i) != ',' && at(i) != '\n') return {};
    } else {
      while (at(i) != ',' && at(i) != '\n') field += text[i++];
      if (at(i) == '\n' && !field.empty() && field.back() == '\r') field.pop_back();
    }
    fields.push_back(field);
    if (at(i) == '\n') break;
  }
  ++i;
  ++line;
  return fields;
}

Parsed slow(const std::string& text) {
  Parsed parsed;
  std::vector<std::size_t> blanks;
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t first_line = line;
    const bool opens_quote = text[i] == '"';
    const auto fields = slow_record(text, i, line);
    const bool blank = fields && fields->size() == 1 && fields->front().empty() && !opens_quote;
    parsed.error = !fields || (parsed.header.empty() && blank);
    if (parsed.error) return parsed;
    if (parsed.header.empty()) {
      parsed.header = *fields;
    } else if (blank) {
      blanks.push_back(first_line);
    } else {
      parsed.error = fields->size() != parsed.header.size() || (!blanks.empty() && parsed.header.size() > 1);
      if (parsed.header.size() == 1) {
        for (const std::size_t b : blanks) parsed.rows.push_back({b, {""}});
      }
      if (parsed.error) return parsed;
      blanks.clear();
      parsed.rows.push_back({first_line, *fields});
    }
  }
  parsed.error = parsed.header.empty();
  return parsed;
}

TEST(CsvReader, AgreesWithThePlainParserOnRandomTextWhateverTheBlockSize) {
  RandomStream random(7);
  constexpr std::string_view alphabet = "aab,,\"\"\"\n\n\r";
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text;
    for (std::size_t length = random.below(24); text.size() < length;)
      text += alphabet[random.below(alphabet.size())];
    // Spaces are trimmed from names, and so is a stray carriage return: keep those out of the header.
    text = (trial % 2 == 0 ? "h\n" : "h,\"i\"\"\nj\"\n") + text;
    const Parsed expected = slow(text);
    for (const std::size_t block : {1U, 2U, 3U, 5U, 64U}) {
      const Parsed got = fast(text, {',', block});
      ASSERT_EQ(got.header, expected.header) << testing::PrintToString(text);
      ASSERT_EQ(got.rows, expected.rows) << testing::PrintToString(text) << " block " << block;
      ASSERT_EQ(got.error, expected.error) << testing::PrintToString(text) << " block " << block;
    }
  }
}

TEST(CsvReader, GivesBackWhatWasWrittenForEveryDelimiterAndLineEnd) {
  RandomStream random(11);
  for (const char delimiter : {',', ';', '\t', '|'}) {
    for (const std::string line_end : {"\n", "\r\n"}) {
      std::vector<std::vector<std::string>> written;
      std::string text =
          std::string("\xEF\xBB\xBF") + "a" + delimiter + " b " + delimiter + "\"c;,|\t\"" + line_end;
      for (int r = 0; r < 200; ++r) {
        auto& fields = written.emplace_back(3);
        for (std::size_t c = 0; c < 3; ++c) {
          for (std::size_t n = random.below(6); fields[c].size() < n;)
            fields[c] += "xyz ,;|\t\"\r\n"[random.below(11)];
          std::string escaped;
          for (const char ch : fields[c]) escaped += ch == '"' ? std::string("\"\"") : std::string(1, ch);
          const bool plain = fields[c].find_first_of(",;|\t\"\r\n") == std::string::npos;
          text +=
              (plain ? fields[c] : "\"" + escaped + "\"") + (c < 2 ? std::string(1, delimiter) : line_end);
        }
      }
      for (const std::size_t block : {1U, 2U, 13U, 1U << 18}) {
        CsvReader csv = reader(text, {0, block});
        EXPECT_EQ(csv.header(), (std::vector<std::string>{"a", "b", "c;,|"}));
        const std::vector<Row> rows = all_rows(csv);
        ASSERT_EQ(rows.size(), written.size());
        for (std::size_t r = 0; r < rows.size(); ++r) EXPECT_EQ(rows[r].fields, written[r]) << r;
      }
    }
  }
}

TEST(CsvReader, CountsTheLinesInsideQuotes) {
  CsvReader csv = reader("a,b\n\"1\n2\n3\",x\ny,\"\r\n\"\r\nlast,z");
  const std::vector<Row> expected{{2, {"1\n2\n3", "x"}}, {5, {"y", "\r\n"}}, {7, {"last", "z"}}};
  EXPECT_EQ(all_rows(csv), expected);
}

TEST(CsvReader, BlankLinesAtTheEndAreNoRows) {
  for (const std::string tail : {"", "\n", "\r\n", "\n\n\n", "\n\r\n\r\n"}) {
    CsvReader two = reader("a,b\n1,2" + tail);
    EXPECT_EQ(all_rows(two), (std::vector<Row>{{2, {"1", "2"}}}));
    CsvReader one = reader("a\n1\n\n\n2" + tail);
    EXPECT_EQ(all_rows(one), (std::vector<Row>{{2, {"1"}}, {3, {""}}, {4, {""}}, {5, {"2"}}}));
  }
}

TEST(CsvReader, RewindGivesTheSameRowsAgain) {
  CsvReader csv = reader("a,b\n1,\"x\"\"y\"\n\"3\n\",4\n", {0, 3});
  const std::vector<Row> first = all_rows(csv);
  csv.rewind();
  csv.next();
  csv.rewind();
  EXPECT_EQ(all_rows(csv), first);
  CsvReader one = reader("a\n\n\n1\n");
  one.next();
  one.rewind();
  EXPECT_EQ(all_rows(one), (std::vector<Row>{{2, {""}}, {3, {""}}, {4, {"1"}}}));
  EXPECT_EQ(first, (std::vector<Row>{{2, {"1", "x\"y"}}, {3, {"3\n", "4"}}}));
}

TEST(CsvReader, TakesTheDelimiterThatIsGiven) {
  CsvReader csv = reader("a,b;c,d\n1,2;3,4\n", {';'});
  EXPECT_EQ(csv.header(), (std::vector<std::string>{"a,b", "c,d"}));
  EXPECT_THROW(reader("a\n", {'"'}), UsageError);
}

TEST(CsvReader, SaysWhereAndWhatIsWrong) {
  const struct {
    std::string text, message;
  } cases[] = {
      {"", "t.csv: the file is empty"},
      {"\xEF\xBB\xBF", "t.csv: the file is empty"},
      {"\n\na,b\n", "t.csv: line 1: blank, where the header should be"},
      {std::string("\xFF\xFE") + std::string("a\0,\0b\0\n\0", 8), "t.csv: not a text file in UTF-8"},
      {"a,b,c,d\n1,2,3,4\n1,2,3\n", "t.csv: line 3: 3 fields, the header has 4"},
      {"a,b\n\"\n\n\",2\n1,2,3\n", "t.csv: line 5: 3 fields, the header has 2"},
      {"a,b\n1\n", "t.csv: line 2: 1 field, the header has 2"},
      {"a\n1,2\n", "t.csv: line 2: 2 fields, the header has 1"},
      {"a,b\n1,2\n\n3,4\n", "t.csv: line 3: blank, with more rows below it"},
      {"a,b\n1,2\n3,\"4\n5,6\n", "t.csv: line 3: a quote opens here and is never closed"},
      {"a,b\n\"x\ny\",\"4\n5,6\n", "t.csv: line 3: a quote opens here and is never closed"},
      {"a,b\n\"1\"2,3\n", "t.csv: line 2: text after a closing quote"},
  };
  for (const auto& bad : cases) {
    for (const std::size_t block : {1U, 1U << 18}) {
      EXPECT_EQ(input_error([&] {
                  CsvReader csv = reader(bad.text, {0, block});
                  all_rows(csv);
                }),
                bad.message);
    }
  }
}

TEST(CsvReader, AQuoteThatIsNeverClosedDoesNotFillTheMemory) {
  EXPECT_EQ(input_error([] {
              CsvReader csv = reader("a,b\n1,\"" + std::string(70 << 20, 'x'));
              csv.next();
            }),
            "t.csv: line 2: a record of more than 64 MiB; is a quote never closed?");
}

}  // namespace
}  // namespace linkgistic
