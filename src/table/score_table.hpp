// Columns of scores, infinite ones allowed, with labels and weights, read whole.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "table/labels.hpp"
#include "table/table.hpp"

namespace linkgistic {

/// Names of columns.
struct ScoreColumns {
  std::vector<std::string> scores;
  std::string label, weight;  // empty: none
};

/// "cars.csv: line 12, column 'p'" for a row, from 0, and a column among those of the scores.
using ScorePlace = std::function<std::string(std::size_t row, std::size_t column)>;

struct ScoreTable {
  std::string name;            // of the table
  std::vector<double> score;   // (N, columns of scores)
  LabelColumn labels;          // (N), or none
  std::vector<double> weight;  // (N), or empty: every row counts once
  std::size_t dropped = 0;
  ScorePlace where;  // reads the table again up to the row
};

/// Rows with a missing value are refused or dropped; a table without any other row is an InputError.
ScoreTable read_scores(std::unique_ptr<Table> table, const ScoreColumns& columns, MissingValues missing);

}  // namespace linkgistic
