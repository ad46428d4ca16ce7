#include "rows/encoding_learner.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_set>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

constexpr std::size_t most_shown = 5;  // words of a message

struct PlacedWord {
  std::string text;
  std::size_t place;
};

// What is known of one column.
struct ColumnFacts {
  std::size_t numbers = 0, infinite = 0, words = 0, missing = 0;
  double sum = 0;                 // of the numbers
  std::vector<PlacedWord> shown;  // the first different ones
  std::set<std::string, std::less<>> categories;

  bool categorical = false;

  [[nodiscard]] bool is_text() const { return categorical || words > numbers + infinite; }
};

class Learner {
 public:
  Learner(Table& table, const ColumnRoles& roles, const DatasetOptions& options)
      : table_(table), roles_(roles), missing_(options.missing), facts_(roles.features.size()) {
    std::unordered_set<std::size_t> categorical;
    for (const std::string& name : options.categorical) categorical.insert(table.columns().find(name));
    for (std::size_t i = 0; i < facts_.size(); ++i)
      facts_[i].categorical = categorical.contains(roles.features[i]);
  }

  LearnedEncoding learn() {
    read(requests(roles_, types()), true, [this](const CellBlock& block) {
      for (std::size_t i = 0; i < facts_.size(); ++i) {
        if (facts_[i].categorical) {
          add_categories(i, block);
        } else {
          add_numbers(i, block.columns[i].numbers);
        }
      }
      for (const CellWord& word : block.words) add_word(word, block.places[word.row]);
    });
    if (result_.dropped == result_.rows) refuse_no_rows(table_.name(), result_.dropped);
    for (std::size_t i = 0; i < facts_.size(); ++i)
      if (!facts_[i].is_text() && !facts_[i].shown.empty()) refuse_words(i);
    if (std::any_of(facts_.begin(), facts_.end(), [](const auto& f) { return f.is_text() && f.numbers > 0; }))
      read_categories_again();
    for (std::size_t i = 0; i < facts_.size(); ++i) add_column(i);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<CellType> types() const {
    std::vector<CellType> types;
    for (const ColumnFacts& facts : facts_)
      types.push_back(facts.is_text() ? CellType::text : CellType::either);
    return types;
  }

  // The table in blocks, without the rows that are dropped; counts them in the first reading.
  template <class Look>
  void read(const std::vector<ColumnRequest>& asked, bool first, const Look& look) {
    CellBlock block;
    while (const std::size_t count = table_.read(asked, rows_for(asked.size()), block)) {
      if (block.missing > 0 && missing_ == MissingValues::error) {
        refuse_gap(table_, asked, block, "--missing drop leaves such rows out, --missing impute fills them");
      }
      const bool drop = block.missing > 0 && missing_ == MissingValues::drop;
      const std::size_t dropped = drop ? count - block.keep_complete().size() : 0;
      if (first) {
        result_.rows += count;
        result_.dropped += dropped;
      }
      look(block);
      block.clear();
    }
  }

  void add_numbers(std::size_t i, std::span<const double> values) {
    ColumnFacts& facts = facts_[i];
    for (const double value : values) {
      if (std::isfinite(value)) {
        ++facts.numbers;
        facts.sum += value;
      } else if (std::isnan(value)) {
        ++facts.missing;
      }
    }
  }

  void add_categories(std::size_t i, const CellBlock& block) {
    for (std::size_t r = 0; r < block.rows(); ++r) {
      const std::string_view text = block.columns[i].text(r);
      if (text.empty()) {
        ++facts_[i].missing;
      } else {
        add_category(i, text, block.places[r]);
      }
    }
  }

  void add_word(const CellWord& word, std::size_t place) {
    ++(word.infinite ? facts_[word.column].infinite : facts_[word.column].words);
    add_category(word.column, word.text, place);
  }

  void add_category(std::size_t i, std::string_view text, std::size_t place) {
    ColumnFacts& facts = facts_[i];
    if (facts.categories.contains(text)) return;
    facts.categories.emplace(text);
    if (facts.shown.size() < most_shown) facts.shown.push_back({std::string(text), place});
    if (facts.categories.size() > most_categories) refuse_identifier(i, "more than 10000 different texts");
  }

  [[nodiscard]] const std::string& name_of(std::size_t i) const {
    return table_.columns()[roles_.features[i]];
  }

  [[nodiscard]] std::string where(std::size_t i) const {
    return table_.where(facts_[i].shown.front().place, roles_.features[i]);
  }

  [[noreturn]] void refuse_identifier(std::size_t i, const std::string& what) const {
    throw InputError(where(i) + ": " + in_quotes(facts_[i].shown.front().text) +
                     " is not a number, and the column has " + what + ": leave it out by --drop " +
                     name_of(i));
  }

  // A column of numbers that holds words as well: a mistake in the data more often than categories.
  [[noreturn]] void refuse_words(std::size_t i) const {
    const ColumnFacts& facts = facts_[i];
    const std::string first = where(i) + ": " + in_quotes(facts.shown.front().text);
    if (facts.words == 0) throw InputError(first + " is not finite");
    std::string words = joined(facts.shown, ", ", [this](const PlacedWord& word) {
      return in_quotes(word.text) + " (" + table_.place(word.place) + ")";
    });
    if (facts.categories.size() > facts.shown.size()) words += ", ...";
    throw InputError(first + " is not a number, but " + std::to_string(facts.numbers) + " of the " +
                     counted(facts.numbers + facts.infinite + facts.words, "value") +
                     " of the column are; the words are " + words +
                     ". If they are missing values, say --na " +
                     joined(facts.shown, ",", [](const PlacedWord& word) { return word.text; }) +
                     "; --drop " + name_of(i) + " leaves the column out, --categorical " + name_of(i) +
                     " takes all its values for categories");
  }

  // Numbers in columns of text are categories too.
  void read_categories_again() {
    table_.rewind();
    read(requests(roles_, types()), false, [&](const CellBlock& block) {
      for (std::size_t i = 0; i < facts_.size(); ++i) {
        for (std::size_t r = 0; facts_[i].is_text() && r < block.rows(); ++r)
          if (!block.columns[i].is_missing(r)) add_category(i, block.columns[i].text(r), block.places[r]);
      }
    });
  }

  void add_column(std::size_t i) {
    ColumnFacts& facts = facts_[i];
    const std::string& name = name_of(i);
    const std::size_t rows = result_.rows - result_.dropped;
    if (facts.missing == rows) {
      throw InputError(table_.name() + ": column " + in_quotes(name) +
                       " has no values: leave it out by --drop " + name);
    }
    ColumnEncoding column;
    column.name = name;
    column.text = facts.is_text();
    if (column.text) {
      if (facts.categories.size() == rows && rows >= least_distinct)
        refuse_identifier(i, "another text in every row");
      column.categories.assign(facts.categories.begin(), facts.categories.end());
      if (facts.missing > 0) column.categories.insert(column.categories.begin(), "");
      note_categories(column);
    } else {
      column.indicator = facts.missing > 0;
      if (column.indicator) {
        result_.notes.push_back("column " + in_quotes(name) + ": " + counted(facts.missing, "missing value") +
                                " filled by the median, with an indicator column");
      }
    }
    result_.means.push_back(column.text ? 0.0 : facts.sum / static_cast<double>(facts.numbers));
    result_.encoding.columns.push_back(std::move(column));
  }

  void note_categories(const ColumnEncoding& column) {
    const auto shown = std::span(column.categories).first(std::min(column.categories.size(), most_shown));
    std::string names = joined(shown, ", ", [](const std::string& category) {
      return category.empty() ? "missing" : in_quotes(category);
    });
    if (column.categories.size() > most_shown) names += ", ...";
    std::string note = "column " + in_quotes(column.name) + " is text: one-hot encoded, " +
                       std::to_string(column.categories.size()) +
                       (column.categories.size() == 1 ? " category (" : " categories (") + names + ")";
    result_.notes.push_back(std::move(note));
  }

  Table& table_;
  const ColumnRoles& roles_;
  MissingValues missing_;
  std::vector<ColumnFacts> facts_;
  LearnedEncoding result_;
};

}  // namespace

LearnedEncoding learn_encoding(Table& table, const ColumnRoles& roles, const DatasetOptions& options) {
  return Learner(table, roles, options).learn();
}

}  // namespace linkgistic
