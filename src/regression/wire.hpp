// The two requests of a regression and their answers as messages, for rows that other processes hold.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/wire.hpp"
#include "regression/data.hpp"

namespace linkgistic {

/// A contiguous piece of the rows that begins with row `first_row`, at the begin of a block.
struct RegressionPieceRows {
  std::uint64_t first_row = 0;
  RowBlock rows;
};

/// What a piece says to a request.
std::string answer_regression(const RegressionPieceRows& piece, const Response& response,
                              std::string_view request, int threads);
/// Answers to one request, in any order, as one.
std::string merge_regression_answers(std::span<const std::string> answers);

/// Rows elsewhere.
std::unique_ptr<RegressionEngine> make_remote_regression(Ask ask);

}  // namespace linkgistic
