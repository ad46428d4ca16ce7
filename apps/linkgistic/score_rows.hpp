// Scores with binary labels from a table, for the verbs that calibrate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <linkgistic/error.hpp>

#include "context.hpp"
#include "data_options.hpp"

namespace linkgistic {

/// The columns of a calibration set.
struct ScoreColumns {
  std::string score, label;
  std::string weights;   // empty: every row counts once
  std::string positive;  // the positive label; empty: the greater of two
  /// The labels that a model was fitted with, its negative ones; empty: any.
  std::vector<std::string> known_negatives = {};
};

struct ScoreRows {
  std::vector<double> score, weight;
  std::vector<std::uint8_t> label;
  std::string positive;
  std::vector<std::string> negatives;  // the other labels
};

/// Reads them; says how many rows were left out. An InputError when it cannot tell which label is positive or
/// a label is none that a model knows.
ScoreRows read_scores(const DataOptions& data, const ScoreColumns& columns, const Context& context);

/// One column of scores; a missing value is an InputError.
std::vector<double> read_score_column(const DataOptions& data, const std::string& column);

/// Scores of many classes, row by row.
struct ClassScoreRows {
  std::vector<double> score;             // (N, C)
  std::vector<std::int32_t> label;       // (N): places in class_names; empty where no label was asked for
  std::vector<double> weight;            // (N), or empty
  std::vector<std::string> class_names;  // (C)
};

/// `scores` are the columns of the classes, `known` the names of the classes where a model has them.
/// Otherwise a column belongs to the class that its name is, or ends with; failing that, columns and sorted
/// labels go together in their order.
ClassScoreRows read_class_scores(const DataOptions& data, const std::vector<std::string>& scores,
                                 const std::string& label, const std::string& weights,
                                 const std::vector<std::string>& known, const Context& context);

/// work(), its InputErrors beginning with the name of the table.
template <class Work>
auto checked(const DataOptions& data, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(with_name(error.what(), data));
  }
}

}  // namespace linkgistic
