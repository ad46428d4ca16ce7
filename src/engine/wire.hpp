// Requests and answers of row engines as messages, for rows that other processes hold: the one who fits sends
// a request, each holder of rows answers for its own, and answers merge in any grouping.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/cpu/cpu_rows.hpp"
#include "engine/row_engine.hpp"

namespace linkgistic {

/// A request with the instruction set that must answer it: another one has other last bits.
std::string request_message(const Request& request);
/// The instruction set of a message and what follows it; an InputError if it is not this machine's.
std::string_view check_instructions(std::string_view message);
/// The same set, to begin a message with.
std::string instructions_head();

/// What these rows say to a request, as complete subtrees.
std::string answer_message(CpuRows& rows, std::string_view request);
/// The complete subtrees of several answers to one request, in any order.
std::string merge_answer_messages(std::span<const std::string> answers);

/// Sends a request to all who hold rows, and returns their merged answers.
using Ask = std::function<std::string(const std::string& request)>;

/// Rows elsewhere, of this shape.
std::unique_ptr<RowEngine> make_remote_engine(const RowsShape& shape, Ask ask);

}  // namespace linkgistic
