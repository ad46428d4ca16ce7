#include "engine/verbs/information.hpp"

#include <algorithm>
#include <cmath>

namespace linkgistic {

InformationAdder::InformationAdder(const InformationRequest& request)
    : request_(request), sum_(request.width()), values_(request.functions[0].count) {}

void InformationAdder::operator()(const ScoredRow& row, const double* z) {
  const ScoreProblem& problem = request_.scores.problems[0];
  if (!(row.weight > 0) || !row.in(problem)) return;
  const bool positive = row.label == problem.label;
  add_values(request_.functions[positive ? 1 : 0], row.scores[0], std::sqrt(row.weight), values_.data());
  const std::size_t width = request_.scores.beta.size();
  double* x = sum_.row();
  for (std::size_t j = 0; j < width; ++j) x[j] = values_[0] * z[j];
  std::copy(values_.begin() + 1, values_.end(), x + width);
  sum_.add();
}

InformationAnswer InformationAdder::answer() {
  InformationAnswer answer = empty_answer(request_);
  sum_.take(answer.sum);
  return answer;
}

}  // namespace linkgistic
