#include "regression/wire.hpp"

#include <utility>
#include <vector>

#include <linkgistic/error.hpp>

#include "engine/partitions.hpp"
#include "numeric/bytes.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

constexpr std::uint8_t range_verb = 0, sums_verb = 1;

std::uint8_t take_verb(std::string_view& message) {
  if (message.empty()) throw InputError("a message ends too soon");
  const auto verb = static_cast<std::uint8_t>(message.front());
  message.remove_prefix(1);
  return verb;
}

std::string head(std::uint8_t verb) { return to_bytes(verb); }

class RemoteRegression final : public RegressionEngine {
 public:
  explicit RemoteRegression(Ask ask) : ask_(std::move(ask)) {}

  RegressionRange range(const std::function<bool()>& stop) override {
    return from_bytes<RegressionRange>(answer(head(range_verb), stop));
  }
  RegressionSums sums(const SumsRequest& request, const std::function<bool()>& stop) override {
    return total_sums(nodes_of<RegressionSums>({answer(head(sums_verb) + to_bytes(request), stop)}));
  }

 private:
  std::string answer(const std::string& request, const std::function<bool()>& stop) {
    std::string message = ask_(instructions_head() + request);
    if (stop && stop()) throw Interrupted();
    if (message.empty() || message.front() != request.front())
      throw InputError("an answer is of another verb");
    return message.substr(1);
  }
  Ask ask_;
};

}  // namespace

std::string answer_regression(const RegressionPieceRows& piece, const Response& response,
                              std::string_view request, int threads) {
  if (piece.first_row % rows_per_block != 0) throw InputError("a piece of the rows begins within a block");
  std::string_view rest = check_instructions(request);
  const std::uint8_t verb = take_verb(rest);
  MemoryRows rows(piece.rows);
  if (verb == range_verb) return head(verb) + to_bytes(partial_range(rows, response, piece.first_row, {}));
  if (verb != sums_verb) throw InputError("a message has an unknown verb");
  return head(verb) + message_of(partial_sums(rows, response, from_bytes<SumsRequest>(rest),
                                              piece.first_row / rows_per_block, threads, {}));
}

std::string merge_regression_answers(std::span<const std::string> answers) {
  if (answers.empty()) throw InputError("there are no answers to merge");
  std::vector<std::string> rests;
  std::uint8_t verb = 0;
  for (const std::string& answer : answers) {
    std::string_view rest = answer;
    verb = take_verb(rest);
    rests.emplace_back(rest);
  }
  if (verb == range_verb) {
    RegressionRange total;
    for (const std::string& rest : rests) merge(total, from_bytes<RegressionRange>(rest));
    return head(verb) + to_bytes(total);
  }
  auto merge_two = [](RegressionSums& left, RegressionSums& right) { merge(left, right); };
  TreeSum<RegressionSums, decltype(merge_two)> tree(merge_two);
  for (auto& node : nodes_of<RegressionSums>(rests)) tree.push(std::move(node));
  return head(verb) + message_of(tree.take_nodes());
}

std::unique_ptr<RegressionEngine> make_remote_regression(Ask ask) {
  return std::make_unique<RemoteRegression>(std::move(ask));
}

}  // namespace linkgistic
