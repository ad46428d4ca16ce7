// Scores with labels from a table, for the verbs that calibrate.
#pragma once

#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "context.hpp"
#include "data_options.hpp"
#include "table/score_table.hpp"
#include "text/row_error.hpp"

namespace linkgistic {

/// Reads them as the flags say; says how many rows were left out.
ScoreTable read_score_table(const DataOptions& data, const ScoreColumns& columns, const Context& context);

/// The columns of a calibration set with two labels.
struct BinaryScoreColumns {
  std::string score, label;
  std::string weights;   // empty: every row counts once
  std::string positive;  // the positive label; empty: as binary_labels says
  /// The labels that a model was fitted with, its negative ones; empty: any.
  std::vector<std::string> known_negatives = {};
};

struct ScoreRows : BinaryLabels {
  std::vector<double> score, weight;
  ScorePlace where;
};

ScoreRows read_binary_scores(const DataOptions& data, const BinaryScoreColumns& columns,
                             const Context& context);

/// Scores of many classes, row by row.
struct ClassScoreRows : ClassLabels {
  std::vector<double> score;   // (N, C)
  std::vector<double> weight;  // (N), or empty
  ScorePlace where;
};

/// `known` are the names of the classes where a model has them.
ClassScoreRows read_class_scores(const DataOptions& data, const ScoreColumns& columns,
                                 const std::vector<std::string>& known, const Context& context);

/// work(), its InputErrors beginning with the name of the table, and with line and column where they are of a
/// row.
template <class Work>
auto checked(const DataOptions& data, const ScorePlace& where, const Work& work) {
  try {
    return work();
  } catch (const RowError& error) {
    throw InputError(where(error.row(), error.column()) + ": " + error.without_row());
  } catch (const InputError& error) {
    throw InputError(with_name(error.what(), data));
  }
}

}  // namespace linkgistic
