#include "rows/encoding_learner.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

// What is known of one column.
struct ColumnFacts {
  std::size_t numbers = 0, words = 0, missing = 0;
  double sum = 0;                        // of the numbers
  std::string first_word, first_place;   // of the words
  std::string infinite, infinite_place;  // of the first number that is not finite
  std::set<std::string, std::less<>> categories;

  [[nodiscard]] bool is_text() const { return words > 0; }
};

class Learner {
 public:
  Learner(Table& table, const ColumnRoles& roles, MissingValues missing)
      : table_(table), roles_(roles), missing_(missing), facts_(roles.features.size()) {}

  LearnedEncoding learn() {
    const std::vector<CellType> types(facts_.size(), CellType::either);
    read(requests(roles_, types), true, [this](const CellBlock& block) {
      for (std::size_t i = 0; i < facts_.size(); ++i) add_numbers(i, block.columns[i].numbers);
      for (const CellWord& word : block.words) add_word(word, block.places[word.row]);
    });
    if (result_.dropped == result_.rows) refuse_no_rows(table_.name(), result_.dropped);
    for (const ColumnFacts& facts : facts_) {
      if (!facts.is_text() && !facts.infinite.empty())
        throw InputError(facts.infinite_place + ": " + in_quotes(facts.infinite) + " is not finite");
    }
    if (std::any_of(facts_.begin(), facts_.end(), [](const auto& f) { return f.is_text() && f.numbers > 0; }))
      read_categories_again();
    for (std::size_t i = 0; i < facts_.size(); ++i) add_column(i);
    return std::move(result_);
  }

 private:
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

  void add_word(const CellWord& word, std::size_t place) {
    ColumnFacts& facts = facts_[word.column];
    const auto where = [&] { return table_.where(place, roles_.features[word.column]); };
    if (word.infinite && facts.infinite.empty()) {
      facts.infinite = word.text;
      facts.infinite_place = where();
    }
    if (!word.infinite && ++facts.words == 1) {
      facts.first_word = word.text;
      facts.first_place = where();
    }
    add_category(word.column, word.text);
  }

  void add_category(std::size_t i, std::string_view text) {
    ColumnFacts& facts = facts_[i];
    if (facts.categories.contains(text)) return;
    facts.categories.emplace(text);
    if (facts.categories.size() > most_categories) refuse_identifier(i, "more than 10000 different texts");
  }

  [[nodiscard]] const std::string& name_of(std::size_t i) const {
    return table_.columns()[roles_.features[i]];
  }

  [[noreturn]] void refuse_identifier(std::size_t i, const std::string& what) const {
    const ColumnFacts& facts = facts_[i];
    throw InputError(facts.first_place + ": " + in_quotes(facts.first_word) +
                     " is not a number, and the column has " + what + ": leave it out by --drop " +
                     name_of(i));
  }

  void read_categories_again() {
    std::vector<CellType> types;
    for (const ColumnFacts& facts : facts_)
      types.push_back(facts.is_text() ? CellType::text : CellType::either);
    table_.rewind();
    read(requests(roles_, types), false, [&](const CellBlock& block) {
      for (std::size_t i = 0; i < facts_.size(); ++i) {
        for (std::size_t r = 0; types[i] == CellType::text && r < block.rows(); ++r)
          if (!block.columns[i].is_missing(r)) add_category(i, block.columns[i].text(r));
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
      note_categories(column, facts);
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

  void note_categories(const ColumnEncoding& column, const ColumnFacts& facts) {
    constexpr std::size_t shown = 5;
    std::string names;
    for (std::size_t k = 0; k < std::min(column.categories.size(), shown); ++k) {
      const std::string& category = column.categories[k];
      names += (k == 0 ? "" : ", ") + (category.empty() ? "missing" : in_quotes(category));
    }
    if (column.categories.size() > shown) names += ", ...";
    std::string note = "column " + in_quotes(column.name) + " is text: one-hot encoded, " +
                       std::to_string(column.categories.size()) +
                       (column.categories.size() == 1 ? " category (" : " categories (") + names + ")";
    if (facts.numbers > 0) note += "; the first text is at " + facts.first_place;
    result_.notes.push_back(std::move(note));
  }

  Table& table_;
  const ColumnRoles& roles_;
  MissingValues missing_;
  std::vector<ColumnFacts> facts_;
  LearnedEncoding result_;
};

}  // namespace

LearnedEncoding learn_encoding(Table& table, const ColumnRoles& roles, MissingValues missing) {
  return Learner(table, roles, missing).learn();
}

}  // namespace linkgistic
