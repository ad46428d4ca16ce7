#include "rows/encoding_learner.hpp"

#include <algorithm>
#include <set>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

namespace linkgistic {
namespace {

// What is known of one column.
struct ColumnFacts {
  bool text = false;
  bool numbers_before_text = false;  // its first rows must be read again for their categories
  std::size_t numbers = 0, missing = 0;
  double sum = 0;
  std::string first_text, first_text_place;
  std::set<std::string> categories;
};

class Learner {
 public:
  Learner(Records& records, const TableColumns& columns, MissingValues missing)
      : records_(records), columns_(columns), missing_(missing), facts_(columns.features.size()) {}

  LearnedEncoding learn() {
    while (records_.next()) {
      ++result_.rows;
      if (use_row()) {
        for (std::size_t i = 0; i < facts_.size(); ++i) look_at(i);
      }
    }
    check_rows();
    if (std::any_of(facts_.begin(), facts_.end(), [](const auto& f) { return f.numbers_before_text; })) {
      read_categories_again();
    }
    for (std::size_t i = 0; i < facts_.size(); ++i) add_column(i);
    return std::move(result_);
  }

 private:
  // Whether the row at hand counts; a missing value of label or weight is found here too.
  bool use_row() {
    if (missing_ == MissingValues::impute) return true;
    const auto gap = columns_.missing_in(records_);
    if (!gap) return true;
    if (missing_ == MissingValues::error) {
      throw InputError(records_.where(*gap) +
                       ": missing value (--missing drop leaves such rows out, --missing impute fills them)");
    }
    ++result_.dropped;
    return false;
  }

  void look_at(std::size_t i) {
    ColumnFacts& facts = facts_[i];
    const std::size_t j = columns_.features[i];
    double value = 0;
    switch (records_.number(j, value)) {
      case NumberKind::missing:
        ++facts.missing;
        return;
      case NumberKind::infinite:
        if (!facts.text) {
          throw InputError(records_.where(j) + ": " + in_quotes(records_.text(j)) + " is not finite");
        }
        break;
      case NumberKind::finite:
        if (!facts.text) {
          ++facts.numbers;
          facts.sum += value;
          return;
        }
        break;
      case NumberKind::text:
        if (!facts.text) {
          facts.text = true;
          facts.numbers_before_text = facts.numbers > 0;
          facts.first_text = records_.text(j);
          facts.first_text_place = records_.where(j);
        }
        break;
    }
    add_category(i);
  }

  void add_category(std::size_t i) {
    ColumnFacts& facts = facts_[i];
    facts.categories.insert(records_.text(columns_.features[i]));
    if (facts.categories.size() > most_categories) refuse_identifier(i, "more than 10000 different texts");
  }

  [[noreturn]] void refuse_identifier(std::size_t i, const std::string& what) const {
    const ColumnFacts& facts = facts_[i];
    throw InputError(facts.first_text_place + ": " + in_quotes(facts.first_text) +
                     " is not a number, and the column has " + what + ": leave it out by --drop " +
                     records_.columns()[columns_.features[i]]);
  }

  void check_rows() const {
    if (result_.rows == 0) throw InputError(records_.name() + ": there are no rows");
    if (result_.dropped == result_.rows) {
      throw InputError(records_.name() + ": no row is left, each of " + counted(result_.rows, "row") +
                       " has a missing value");
    }
  }

  void read_categories_again() {
    records_.rewind();
    while (records_.next()) {
      if (missing_ == MissingValues::drop && columns_.missing_in(records_)) continue;
      for (std::size_t i = 0; i < facts_.size(); ++i) {
        double value = 0;
        if (facts_[i].numbers_before_text &&
            records_.number(columns_.features[i], value) != NumberKind::missing) {
          add_category(i);
        }
      }
    }
  }

  void add_column(std::size_t i) {
    ColumnFacts& facts = facts_[i];
    const std::string& name = records_.columns()[columns_.features[i]];
    const std::size_t rows = result_.rows - result_.dropped;
    if (facts.missing == rows) {
      throw InputError(records_.name() + ": column " + in_quotes(name) +
                       " has no values: leave it out by --drop " + name);
    }
    ColumnEncoding column;
    column.name = name;
    column.text = facts.text;
    if (facts.text) {
      if (facts.categories.size() == rows && rows >= least_distinct) {
        refuse_identifier(i, "another text in every row");
      }
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
    result_.means.push_back(facts.numbers > 0 && !facts.text ? facts.sum / static_cast<double>(facts.numbers)
                                                             : 0.0);
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
    if (facts.numbers_before_text) note += "; the first text is at " + facts.first_text_place;
    result_.notes.push_back(std::move(note));
  }

  Records& records_;
  const TableColumns& columns_;
  MissingValues missing_;
  std::vector<ColumnFacts> facts_;
  LearnedEncoding result_;
};

}  // namespace

LearnedEncoding learn_encoding(Records& records, const TableColumns& columns, MissingValues missing) {
  return Learner(records, columns, missing).learn();
}

}  // namespace linkgistic
