// Scores with binary labels from a table, for the verbs that calibrate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "context.hpp"
#include "data_options.hpp"

namespace linkgistic {

/// The columns of a calibration set.
struct ScoreColumns {
  std::string score, label;
  std::string weights;   // empty: every row counts once
  std::string positive;  // the positive label; empty: the greater of two
};

struct ScoreRows {
  std::vector<double> score, weight;
  std::vector<std::uint8_t> label;
  std::string positive;
};

/// Reads them; says how many rows were left out. An InputError when it cannot tell which label is positive.
ScoreRows read_scores(const DataOptions& data, const ScoreColumns& columns, const Context& context);

/// One column of scores; a missing value is an InputError.
std::vector<double> read_score_column(const DataOptions& data, const std::string& column);

}  // namespace linkgistic
