#include "rows/column_facts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_shown = 5;  // words of a message

[[noreturn]] void refuse_identifier(const ColumnFacts& facts, const std::string& name,
                                    const std::string& what) {
  throw InputError(facts.shown.front().where + ": " + in_quotes(facts.shown.front().text) +
                   " is not a number, and the column has " + what + ": leave it out by --drop " + name);
}

constexpr const char* too_many = "more than 10000 different texts";

class FactsReader {
 public:
  FactsReader(Table& table, const ColumnRoles& roles, MissingValues missing)
      : table_(table), roles_(roles), missing_(missing), texts_(roles.features.size()) {
    for (const std::size_t j : roles.features) facts_.names.push_back(table.columns()[j]);
    facts_.columns.resize(roles.features.size());
  }

  TableFacts read(const DatasetOptions& options, const OnBlock& on_block) {
    std::unordered_set<std::size_t> categorical;
    for (const std::string& name : options.categorical) categorical.insert(table_.columns().find(name));
    std::vector<CellType> types;
    for (std::size_t i = 0; i < facts_.columns.size(); ++i) {
      facts_.columns[i].categorical = categorical.contains(roles_.features[i]);
      types.push_back(facts_.columns[i].categorical ? CellType::text : CellType::either);
    }
    each_block(types, true, [&](const CellBlock& block) {
      for (std::size_t i = 0; i < facts_.columns.size(); ++i) {
        if (facts_.columns[i].categorical) {
          add_categories(i, block);
        } else {
          add_numbers(facts_.columns[i], block.columns[i].numbers);
        }
      }
      for (const CellWord& word : block.words) {
        ColumnFacts& column = facts_.columns[word.column];
        ++(word.infinite ? column.infinite : column.words);
        add_category(word.column, word.text, block.places[word.row]);
      }
      if (on_block) on_block(block);
    });
    return take();
  }

  TableFacts read_texts(const TableFacts& known) {
    std::vector<CellType> types;
    for (const ColumnFacts& column : known.columns)
      types.push_back(column.is_text() ? CellType::text : CellType::either);
    each_block(types, false, [&](const CellBlock& block) {
      for (std::size_t i = 0; i < types.size(); ++i) {
        for (std::size_t r = 0; types[i] == CellType::text && r < block.rows(); ++r)
          if (!block.columns[i].is_missing(r)) add_category(i, block.columns[i].text(r), block.places[r]);
      }
    });
    return take();
  }

 private:
  // The table in blocks, without the rows that are dropped.
  template <class Look>
  void each_block(const std::vector<CellType>& types, bool count_rows, const Look& look) {
    const std::vector<ColumnRequest> asked = requests(roles_, types);
    CellBlock block;
    while (const std::size_t count = table_.read(asked, rows_for(asked.size()), block)) {
      if (block.missing > 0 && missing_ == MissingValues::error) {
        refuse_gap(table_, asked, block, "--missing drop leaves such rows out, --missing impute fills them");
      }
      const bool drop = block.missing > 0 && missing_ == MissingValues::drop;
      const std::size_t dropped = drop ? count - block.keep_complete().size() : 0;
      if (count_rows) {
        facts_.rows += count;
        facts_.dropped += dropped;
      }
      look(block);
      block.clear();
    }
  }

  static void add_numbers(ColumnFacts& column, std::span<const double> values) {
    for (const double value : values) {
      if (std::isfinite(value)) {
        ++column.numbers;
      } else if (std::isnan(value)) {
        ++column.missing;
      }
    }
  }

  void add_categories(std::size_t i, const CellBlock& block) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const std::string_view text = block.columns[i].text(r);
      if (text.empty()) {
        ++facts_.columns[i].missing;
      } else {
        add_category(i, text, block.places[r]);
      }
    }
  }

  void add_category(std::size_t i, std::string_view text, std::size_t place) {
    ColumnFacts& column = facts_.columns[i];
    if (texts_[i].contains(text)) return;
    texts_[i].emplace(text);
    if (column.shown.size() < most_shown)
      column.shown.push_back(
          {std::string(text), table_.where(place, roles_.features[i]), table_.place(place)});
    if (texts_[i].size() > most_categories) refuse_identifier(column, facts_.names[i], too_many);
  }

  TableFacts take() {
    for (std::size_t i = 0; i < texts_.size(); ++i)
      facts_.columns[i].categories.assign(texts_[i].begin(), texts_[i].end());
    return std::move(facts_);
  }

  Table& table_;
  const ColumnRoles& roles_;
  MissingValues missing_;
  TableFacts facts_;
  std::vector<std::set<std::string, std::less<>>> texts_;  // (columns)
};

// A column of numbers that holds words as well: a mistake in the data more often than categories.
[[noreturn]] void refuse_words(const ColumnFacts& column, const std::string& name) {
  const std::string first = column.shown.front().where + ": " + in_quotes(column.shown.front().text);
  if (column.words == 0) throw InputError(first + " is not finite");
  std::string words = joined(column.shown, ", ", [](const SeenText& word) {
    return in_quotes(word.text) + " (" + word.place + ")";
  });
  if (column.categories.size() > column.shown.size()) words += ", ...";
  throw InputError(first + " is not a number, but " + std::to_string(column.numbers) + " of the " +
                   counted(column.numbers + column.infinite + column.words, "value") +
                   " of the column are; the words are " + words + ". If they are missing values, say --na " +
                   joined(column.shown, ",", [](const SeenText& word) { return word.text; }) + "; --drop " +
                   name + " leaves the column out, --categorical " + name +
                   " takes all its values for categories");
}

std::string note_of_categories(const ColumnEncoding& column) {
  const auto shown = std::span(column.categories).first(std::min(column.categories.size(), most_shown));
  std::string names = joined(shown, ", ", [](const std::string& category) {
    return category.empty() ? "missing" : in_quotes(category);
  });
  if (column.categories.size() > most_shown) names += ", ...";
  return "column " + in_quotes(column.name) + " is text: one-hot encoded, " +
         std::to_string(column.categories.size()) +
         (column.categories.size() == 1 ? " category (" : " categories (") + names + ")";
}

}  // namespace

TableFacts read_column_facts(Table& table, const ColumnRoles& roles, const DatasetOptions& options,
                             const OnBlock& on_block) {
  return FactsReader(table, roles, options.missing).read(options, on_block);
}

bool needs_texts(const TableFacts& facts) {
  return std::any_of(facts.columns.begin(), facts.columns.end(),
                     [](const ColumnFacts& column) { return column.is_text() && column.numbers > 0; });
}

TableFacts read_texts(Table& table, const ColumnRoles& roles, MissingValues missing,
                      const TableFacts& facts) {
  return FactsReader(table, roles, missing).read_texts(facts);
}

void join_facts(TableFacts& facts, const TableFacts& later) {
  if (facts.names != later.names) throw InputError("the parts of the table have other columns");
  facts.rows += later.rows;
  facts.dropped += later.dropped;
  for (std::size_t i = 0; i < facts.columns.size(); ++i) {
    ColumnFacts& column = facts.columns[i];
    const ColumnFacts& more = later.columns[i];
    column.numbers += more.numbers;
    column.infinite += more.infinite;
    column.words += more.words;
    column.missing += more.missing;
    column.categorical = column.categorical || more.categorical;
    for (const SeenText& word : more.shown) {
      const bool known = std::binary_search(column.categories.begin(), column.categories.end(), word.text);
      if (!known && column.shown.size() < most_shown) column.shown.push_back(word);
    }
    std::vector<std::string> all;
    std::set_union(column.categories.begin(), column.categories.end(), more.categories.begin(),
                   more.categories.end(), std::back_inserter(all));
    column.categories = std::move(all);
    if (column.categories.size() > most_categories) refuse_identifier(column, facts.names[i], too_many);
  }
}

FeatureEncoding encoding_of(const TableFacts& facts, const std::string& table,
                            std::vector<std::string>& notes) {
  for (std::size_t i = 0; i < facts.columns.size(); ++i)
    if (!facts.columns[i].is_text() && !facts.columns[i].shown.empty())
      refuse_words(facts.columns[i], facts.names[i]);
  const std::uint64_t rows = facts.rows - facts.dropped;
  FeatureEncoding encoding;
  for (std::size_t i = 0; i < facts.columns.size(); ++i) {
    const ColumnFacts& known = facts.columns[i];
    ColumnEncoding column;
    column.name = facts.names[i];
    column.text = known.is_text();
    if (known.missing == rows)
      throw InputError(table + ": column " + in_quotes(column.name) +
                       " has no values: leave it out by --drop " + column.name);
    if (column.text) {
      if (known.categories.size() == rows && rows >= least_distinct)
        refuse_identifier(known, column.name, "another text in every row");
      column.categories = known.categories;
      if (known.missing > 0) column.categories.insert(column.categories.begin(), "");
      notes.push_back(note_of_categories(column));
    } else if (known.missing > 0) {
      column.indicator = true;
      notes.push_back("column " + in_quotes(column.name) + ": " + counted(known.missing, "missing value") +
                      " filled by the median, with an indicator column");
    }
    encoding.columns.push_back(std::move(column));
  }
  return encoding;
}

}  // namespace linkgistic
