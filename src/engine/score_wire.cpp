#include "engine/score_wire.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <linkgistic/error.hpp>

#include "engine/partitions.hpp"
#include "numeric/bytes.hpp"
#include "numeric/log_odds.hpp"

namespace linkgistic {
namespace {

// Counts travel with the number of cells that they may have: a merge must not exceed it.
struct CountsMessage {
  std::uint64_t most = 0;
  std::string nodes;

  auto fields() { return std::tie(most, nodes); }
};

constexpr char check_verb = 0, counts_verb = 1;

char take_score_verb(std::string_view& message) {
  if (message.empty()) throw InputError("a message ends too soon");
  const char verb = message.front();
  message.remove_prefix(1);
  return verb;
}

std::vector<TreeNode<CountsAnswer>> merged_counts(std::vector<TreeNode<CountsAnswer>> nodes,
                                                  std::uint64_t most) {
  auto merge_two = [most](CountsAnswer& left, const CountsAnswer& right) { merge(left, right, most); };
  TreeSum<CountsAnswer, decltype(merge_two)> tree(merge_two);
  for (auto& node : nodes) tree.push(std::move(node));
  return tree.take_nodes();
}

class RemoteScores final : public ScoreEngine {
 public:
  explicit RemoteScores(Ask ask) : ask_(std::move(ask)) {}

  ScoreCheckAnswer ask(const ScoreCheckRequest&) override {
    return from_bytes<ScoreCheckAnswer>(answer(std::string(1, check_verb)));
  }
  CountsAnswer ask(const CountsRequest& request) override {
    const auto message = from_bytes<CountsMessage>(answer(std::string(1, counts_verb) + to_bytes(request)));
    auto nodes = nodes_of<CountsAnswer>({message.nodes});
    if (nodes.empty()) return {};
    auto merge_two = [&](CountsAnswer& left, const CountsAnswer& right) {
      merge(left, right, request.most_cells);
    };
    TreeSum<CountsAnswer, decltype(merge_two)> tree(merge_two);
    for (auto& node : nodes) tree.push(std::move(node));
    CountsAnswer total = tree.take_total();
    check_sizes(total);
    return total;
  }

 private:
  std::string answer(const std::string& request) {
    const std::string message = ask_(instructions_head() + request);
    if (message.empty() || message.front() != request.front())
      throw InputError("an answer is of another verb");
    return message.substr(1);
  }
  Ask ask_;
};

}  // namespace

std::string answer_scores(const LabelledScores& rows, std::uint64_t first_row, std::string_view request) {
  if (first_row % score_block_rows != 0) throw InputError("a piece of the scores begins within a block");
  std::string_view rest = check_instructions(request);
  const char verb = take_score_verb(rest);
  if (verb == check_verb) return verb + to_bytes(partial_check(rows, first_row));
  if (verb != counts_verb) throw InputError("a message has an unknown verb");
  const auto asked = from_bytes<CountsRequest>(rest);
  if (asked.drop > 62) throw InputError("a request drops more bits of a score than it has");
  LabelledScores counted = rows;
  std::vector<double> log_odds;
  if (asked.log_odds) {
    std::transform(rows.scores.begin(), rows.scores.end(), std::back_inserter(log_odds), bounded_log_odds);
    counted.scores = log_odds;
  }
  return verb + to_bytes(CountsMessage{asked.most_cells, message_of(partial_counts(
                                                             counted, first_row / score_block_rows, asked))});
}

std::string merge_score_answers(std::span<const std::string> answers) {
  if (answers.empty()) throw InputError("there are no answers to merge");
  char verb = 0;
  ScoreCheckAnswer check;
  std::vector<std::string> nodes;
  std::uint64_t most = 0;
  for (const std::string& answer : answers) {
    std::string_view rest = answer;
    verb = take_score_verb(rest);
    if (verb == check_verb) {
      merge(check, from_bytes<ScoreCheckAnswer>(rest));
    } else {
      auto message = from_bytes<CountsMessage>(rest);
      most = message.most;
      nodes.push_back(std::move(message.nodes));
    }
  }
  if (verb == check_verb) return verb + to_bytes(check);
  return verb + to_bytes(CountsMessage{most, message_of(merged_counts(nodes_of<CountsAnswer>(nodes), most))});
}

std::unique_ptr<ScoreEngine> make_remote_scores(Ask ask) {
  return std::make_unique<RemoteScores>(std::move(ask));
}

}  // namespace linkgistic
