#include "export/sql_columns.hpp"

#include <algorithm>

#include "text/message.hpp"
#include "text/parse_number.hpp"
#include "text/print_number.hpp"

namespace linkgistic {
namespace {

std::string doubled(const std::string& text, char quote) {
  std::string out(1, quote);
  for (const char c : text) out += c == quote ? std::string(2, quote) : std::string(1, c);
  return out + quote;
}

std::string literal(const std::string& text) { return doubled(text, '\''); }

bool is_number(const std::string& word, double& value) {
  return parse_number(word, value) == NumberKind::finite;
}

// The spellings of a word in the databases, which may keep 8 as 8.0.
std::vector<std::string> spellings(const std::string& word) {
  double value = 0;
  std::vector<std::string> all{word};
  if (!is_number(word, value)) return all;
  const std::string text = shortest(value);
  for (const std::string& other : {text, text + ".0"})
    if (other != word && (other == text || text.find_first_of(".e") == std::string::npos))
      all.push_back(other);
  return all;
}

std::string is_one_of(const std::string& text, const std::vector<std::string>& words) {
  return text + " IN (" + joined(words, ", ", literal) + ")";
}

/// A column of the table of any type: as text it tells which of its values are missing.
class Column {
 public:
  Column(const ColumnEncoding& column, const FeatureEncoding& encoding)
      : column_(column),
        words_(encoding.na),
        imputes_(encoding.missing == MissingValues::impute),
        name_("r." + sql_identifier(column.name)),
        text_("TRIM(CAST(" + name_ + " AS VARCHAR))") {}

  // As MissingWords of the tables: no text, NaN in any case, or a word.
  [[nodiscard]] std::string missing() const {
    std::vector<std::string> words{""};
    for (const std::string& word : words_)
      for (std::string& one : spellings(word)) words.push_back(std::move(one));
    return is_one_of("COALESCE(" + text_ + ", '')", words) + " OR " +
           is_one_of("LOWER(" + text_ + ")", {"nan", "+nan", "-nan"});
  }

  // SQLite takes every text for a number, so texts that are none are NULL before they are cast. The cast of
  // an infinite word is 0 there. A column of truth values is 1 and 0.
  [[nodiscard]] std::string number() const {
    const std::string fill = imputes_ ? sql_number(column_.median) : "NULL";
    const std::string cast = "CAST(" + name_ + " AS DOUBLE PRECISION)";
    std::string value = cast;
    double word_value = 0;
    for (const std::string& word : words_)
      if (is_number(word, word_value)) value = "NULLIF(" + value + ", " + sql_number(word_value) + ")";
    if (value != cast && imputes_) value = "COALESCE(" + value + ", " + fill + ")";
    const std::string unsigned_text = "LOWER(LTRIM(" + text_ + ", '+-'))";
    return "CASE WHEN " + missing() + " THEN " + fill + "\n      WHEN SUBSTR(LTRIM(" + text_ +
           ", '+-.'), 1, 1) IN ('0', '1', '2', '3', '4', '5', '6', '7', '8', '9')\n        AND TRIM(REPLACE("
           "REPLACE(" +
           unsigned_text + ", 'e-', 'e'), 'e+', 'e'), '0123456789.e') = ''\n      THEN " + value +
           "\n      WHEN " + is_one_of(unsigned_text, {"inf", "infinity"}) + " THEN NULLIF(" + cast +
           ", 0e0)\n      WHEN LOWER(" + text_ + ") = 'true' THEN 1e0 WHEN LOWER(" + text_ +
           ") = 'false' THEN 0e0 END";
  }

  [[nodiscard]] std::string indicator() const { return "CASE WHEN " + missing() + " THEN 1 ELSE 0 END"; }

  // The number of the category, -1 of a text of no category.
  [[nodiscard]] std::string category() const {
    const std::vector<std::string>& all = column_.categories;
    const bool own = !all.empty() && all.front().empty();  // missing values are a category
    std::string term = "CASE WHEN " + missing() + " THEN " + (own ? "0" : imputes_ ? "-1" : "NULL");
    for (std::size_t k = own ? 1 : 0; k < all.size(); ++k) {
      std::vector<std::string> words = spellings(all[k]);
      std::erase_if(words, [&](const std::string& word) {
        return word != all[k] && std::find(all.begin(), all.end(), word) != all.end();
      });
      term += "\n      WHEN " + is_one_of(text_, words) + " THEN " + std::to_string(k);
    }
    return term + " ELSE -1 END";
  }

 private:
  const ColumnEncoding& column_;
  const std::vector<std::string>& words_;
  bool imputes_;
  std::string name_, text_;
};

}  // namespace

std::string sql_identifier(const std::string& name) { return doubled(name, '"'); }

std::string sql_number(double value) {
  std::string text = shortest(value);
  if (text.find('e') == std::string::npos) text += "e0";
  return value < 0 ? "(" + text + ")" : text;
}

SqlColumns sql_columns(const PortableModel& model) {
  FeatureEncoding encoding = model.encoding;
  if (encoding.columns.empty())
    for (const std::string& feature : model.features)
      encoding.columns.push_back({feature, false, 0, false, {}});
  SqlColumns all;
  const auto key = [&](std::string term) {
    all.keys.push_back(std::move(term));
    return "lg_x" + std::to_string(all.keys.size() - 1);
  };
  for (const ColumnEncoding& one : encoding.columns) {
    const Column column(one, encoding);
    if (one.text) {
      const std::string number = key(column.category());
      for (std::size_t k = 0; k < one.categories.size(); ++k)
        all.features.push_back("CASE WHEN " + number + " = " + std::to_string(k) + " THEN 1e0 ELSE 0e0 END");
    } else {
      all.features.push_back(key(column.number()));
      if (one.indicator) all.features.push_back(key(column.indicator()));
    }
  }
  return all;
}

}  // namespace linkgistic
