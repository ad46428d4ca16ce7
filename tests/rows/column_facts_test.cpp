// Facts of parts of a table join to those of the whole, wherever it is cut.
#include "rows/column_facts.hpp"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

#include "numeric/bytes.hpp"
#include "numeric/random.hpp"
#include "rows/encoded_features.hpp"
#include "rows/encoding_learner.hpp"
#include "table/files.hpp"
#include "table/table.hpp"

namespace linkgistic {
namespace {

// A column of numbers, one of words, one of words and numbers.
std::string line(RandomStream& random) {
  const char* words[] = {"red", "green", "blue", "7", "8.5"};
  std::ostringstream out;
  out << random.below(1000) / 8.0 << "," << words[random.below(3)] << "," << words[random.below(5)] << "\n";
  return out.str();
}

class Parts {
 public:
  explicit Parts(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  std::unique_ptr<Table> table(std::size_t first, std::size_t last) {
    std::string text = "a,b,c\n";
    for (std::size_t i = first; i < last; ++i) text += lines_[i];
    return open_table(write_text(folder_.file("part-" + std::to_string(++count_) + ".csv"), text));
  }

 private:
  TemporaryFolder folder_;
  std::vector<std::string> lines_;
  int count_ = 0;
};

TableFacts joined_facts(Parts& parts, const std::vector<std::size_t>& cuts) {
  std::vector<std::unique_ptr<Table>> tables;
  for (std::size_t i = 1; i < cuts.size(); ++i) tables.push_back(parts.table(cuts[i - 1], cuts[i]));
  const ColumnRoles roles = roles_of(tables[0]->columns(), {});
  TableFacts all = read_column_facts(*tables[0], roles, {});
  for (std::size_t i = 1; i < tables.size(); ++i)
    join_facts(all, from_bytes<TableFacts>(to_bytes(read_column_facts(*tables[i], roles, {}))));
  EXPECT_TRUE(needs_texts(all));
  TableFacts texts;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    tables[i]->rewind();
    const TableFacts own = read_texts(*tables[i], roles, MissingValues::error, all);
    if (i == 0) texts = own;
    if (i > 0) join_facts(texts, own);
  }
  join_facts(all, texts);
  return all;
}

TEST(ColumnFacts, OfPartsJoinToThoseOfTheWhole) {
  RandomStream random(3);
  std::vector<std::string> lines;
  for (int i = 0; i < 3000; ++i) lines.push_back(line(random));
  Parts parts(lines);
  const auto whole = parts.table(0, lines.size());
  const LearnedEncoding learned = learn_encoding(*whole, roles_of(whole->columns(), {}), {});
  ASSERT_EQ(learned.encoding.columns.size(), 3U);
  EXPECT_EQ(learned.encoding.columns[2].categories,
            (std::vector<std::string>{"7", "8.5", "blue", "green", "red"}));
  for (int run = 0; run < 5; ++run) {
    std::vector<std::size_t> cuts = {0, lines.size()};
    for (int i = 0; i < run; ++i) cuts.push_back(random.below(lines.size()));
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::string> notes;
    const TableFacts all = joined_facts(parts, cuts);
    const FeatureEncoding encoding = encoding_of(all, "parts", notes);
    EXPECT_EQ(notes, learned.notes);
    EXPECT_EQ(encoding.feature_names(), learned.encoding.feature_names());
    // And their features, one under the other, are the whole's.
    whole->rewind();
    const std::vector<double> expected = encoded_features(*whole, encoding);
    std::vector<double> found;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
      const std::vector<double> own = encoded_features(*parts.table(cuts[i - 1], cuts[i]), encoding);
      found.insert(found.end(), own.begin(), own.end());
    }
    EXPECT_EQ(found, expected);
  }
}

TEST(ColumnFacts, RefuseWordsAmongNumbersOfAnyPart) {
  Parts parts({"1,x,y\n", "2,x,y\n", "3,x,y\n", "oops,x,y\n"});
  const auto first = parts.table(0, 2), second = parts.table(2, 4);
  const ColumnRoles roles = roles_of(first->columns(), {});
  TableFacts all = read_column_facts(*first, roles, {});
  join_facts(all, read_column_facts(*second, roles, {}));
  std::vector<std::string> notes;
  const std::string said = input_error([&] { encoding_of(all, "parts", notes); });
  EXPECT_PRED_FORMAT2(::testing::IsSubstring,
                      "line 3, column 'a': 'oops' is not a number, but 3 of the 4 values", said);
}

}  // namespace
}  // namespace linkgistic
