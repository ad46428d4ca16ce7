// Engines of labelled scores: a number and a label a row, no features. They answer for checks and counts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/grid.hpp"
#include "engine/verbs/counts.hpp"
#include "engine/verbs/score_check.hpp"

namespace linkgistic {

/// What is counted passes the check: scores that are numbers, labels 0 or 1, weights finite and not negative.
/// What it views must outlive an engine of it.
struct LabelledScores {
  std::span<const double> scores;        // (N)
  std::span<const std::uint8_t> labels;  // (N)
  std::span<const double> weights;       // (N) or empty: every row counts once

  [[nodiscard]] LabelledScores part(std::size_t first, std::size_t last) const {
    return {scores.subspan(first, last - first), labels.subspan(first, last - first),
            weights.empty() ? weights : weights.subspan(first, last - first)};
  }
};

/// Rows of a block: pieces of the rows are whole blocks.
inline constexpr std::size_t score_block_rows = 4096;

/// What rows that begin with block `first_block` answer, as complete subtrees over leaves.
std::vector<TreeNode<CountsAnswer>> partial_counts(const LabelledScores& rows, std::uint64_t first_block,
                                                   const CountsRequest& request);
ScoreCheckAnswer partial_check(const LabelledScores& rows, std::uint64_t first_row);

class ScoreEngine {
 public:
  virtual ~ScoreEngine() = default;
  virtual ScoreCheckAnswer ask(const ScoreCheckRequest& request) = 0;
  virtual CountsAnswer ask(const CountsRequest& request) = 0;
};

std::unique_ptr<ScoreEngine> make_score_engine(const LabelledScores& rows, int threads);
/// Rows cut anywhere: partitions begin at `cuts`, as in partitions.hpp. Requests and answers travel as bytes;
/// `seed` shuffles the answers.
std::unique_ptr<ScoreEngine> make_partitioned_score_engine(const LabelledScores& rows,
                                                           std::vector<std::size_t> cuts, std::uint64_t seed);

}  // namespace linkgistic
