// What the columns of a training table hold: numbers, or text and which. The facts of the parts of a table
// join to those of the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "table/roles.hpp"
#include "table/table.hpp"

namespace linkgistic {

/// A column with more categories than this is taken for an identifier, and so is a text column of at least
/// `least_distinct` rows that are all distinct.
inline constexpr std::size_t most_categories = 10'000;
inline constexpr std::size_t least_distinct = 20;

/// A text and where it stands first, in words: "cars.csv: line 12, column 'weight'", "line 12".
struct SeenText {
  std::string text, where, place;

  auto fields() { return std::tie(text, where, place); }
};

struct ColumnFacts {
  std::uint64_t numbers = 0, infinite = 0, words = 0, missing = 0;  // of the rows
  std::vector<SeenText> shown;                                      // the first different texts
  std::vector<std::string> categories;                              // all texts, sorted
  bool categorical = false;                                         // it was requested as text

  auto fields() { return std::tie(numbers, infinite, words, missing, shown, categories, categorical); }
  /// Whether more than half of its values are words, or it was requested as text.
  [[nodiscard]] bool is_text() const { return categorical || words > numbers + infinite; }
};

struct TableFacts {
  std::uint64_t rows = 0, dropped = 0;
  std::vector<std::string> names;  // of the columns
  std::vector<ColumnFacts> columns;

  auto fields() { return std::tie(rows, dropped, names, columns); }
};

/// Receives the rows of a reading, without those that are dropped.
using OnBlock = std::function<void(const CellBlock&)>;

/// The facts of the features. A missing value that is not allowed and an identifier are an InputError.
TableFacts read_column_facts(Table& table, const ColumnRoles& roles, const DatasetOptions& options,
                             const OnBlock& on_block = nullptr);
/// Whether a column of text holds numbers as well: their texts need another reading.
bool needs_texts(const TableFacts& facts);
/// The texts of these columns alone, of facts of the whole table.
TableFacts read_texts(Table& table, const ColumnRoles& roles, MissingValues missing, const TableFacts& facts);
/// Adds facts of later rows of the same columns.
void join_facts(TableFacts& facts, const TableFacts& later);

/// What the facts of a whole table make of its columns: the medians are still to come. A word or an infinite
/// value in a column of numbers, a column without values and an identifier are an InputError. Adds notes.
FeatureEncoding encoding_of(const TableFacts& facts, const std::string& table,
                            std::vector<std::string>& notes);

}  // namespace linkgistic
