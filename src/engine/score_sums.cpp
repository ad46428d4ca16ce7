#include "engine/score_sums.hpp"

#include <limits>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/limits.hpp"
#include "numeric/log_odds.hpp"

namespace linkgistic {

void ScoreSums::add(const LabelledScores& rows) {
  if (rows.scores.empty()) return;
  const ScoreCheckAnswer check = partial_check(rows, check_.rows);
  const auto refuse = [](const FirstRow& found, const std::string& what, const std::string& rule) {
    if (found.row != FirstRow::none)
      throw InputError("the " + what + " of row " + std::to_string(found.row + 1) + ": " + rule);
  };
  refuse(check.no_number, "score", "it is not a number");
  refuse(check.bad_label, "label", "it must be 0 or 1");
  refuse(check.bad_weight, "weight", weight_rule);
  const auto counts = make_score_engine(rows, 1)->ask(CountsRequest{});
  merge(check_, check);
  merge(counts_, counts, std::numeric_limits<std::uint64_t>::max());
}

ScoreCheckAnswer ScoreSums::ask(const ScoreCheckRequest& /*request*/) { return check_; }

// Log odds and the cells of a request rise with the score: equal ones stand next to each other.
CountsAnswer ScoreSums::ask(const CountsRequest& request) {
  const CountsRequest own;
  CountsAnswer answer;
  answer.rows = counts_.rows;
  for (std::size_t i = 0; i < counts_.cell.size(); ++i) {
    const double score = own.score(counts_.cell[i]);
    const std::uint64_t cell = request.cell(ordered_key(request.log_odds ? bounded_log_odds(score) : score));
    if (answer.cell.empty() || answer.cell.back() != cell) {
      if (answer.cell.size() == request.most_cells) return {true, answer.rows, {}, {}, {}};
      answer.cell.push_back(cell);
      answer.negative.push_back(0);
      answer.positive.push_back(0);
    }
    answer.negative.back() += counts_.negative[i];
    answer.positive.back() += counts_.positive[i];
  }
  return answer;
}

}  // namespace linkgistic
