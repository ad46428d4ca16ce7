// The two requests of a calibration and their answers as messages, for scores that other processes hold.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/score_engine.hpp"
#include "engine/wire.hpp"

namespace linkgistic {

/// Scores that begin with row `first_row` of all, at the begin of a block of score_block_rows.
std::string answer_scores(const LabelledScores& rows, std::uint64_t first_row, std::string_view request);
/// Answers to one request, in any order, as one.
std::string merge_score_answers(std::span<const std::string> answers);

/// Scores elsewhere.
std::unique_ptr<ScoreEngine> make_remote_scores(Ask ask);

}  // namespace linkgistic
