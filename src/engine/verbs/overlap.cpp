#include "engine/verbs/overlap.hpp"

#include <algorithm>
#include <cmath>

namespace linkgistic {

void add_values(const ScoreFunctions& f, double score, double factor, double* to) {
  const auto nodes = f.values.size() / f.count;
  const double place = std::min(std::max(0.0, (score - f.lower) / f.step), static_cast<double>(nodes - 1));
  const auto node = std::min(static_cast<std::size_t>(place), nodes - 2);
  const double beyond = place - static_cast<double>(node);
  const double* left = f.values.data() + node * f.count;
  const double* right = left + f.count;
  for (std::size_t i = 0; i < f.count; ++i) to[i] = factor * (left[i] + beyond * (right[i] - left[i]));
}

std::size_t OverlapRequest::size() const {
  std::size_t sum = 0;
  for (const ScoreFunctions& f : functions) sum += f.count;
  return sum;
}

OverlapAnswer empty_answer(const OverlapRequest& r) { return {std::vector<double>(r.size() * r.size())}; }

OverlapAdder::OverlapAdder(const OverlapRequest& request)
    : request_(request), loss_(request.of.scores), sum_(request.size()) {
  std::size_t place = 0;
  for (const ScoreFunctions& f : request.functions) {
    place_.push_back(place);
    place += f.count;
  }
}

void OverlapAdder::operator()(const ScoredRow& row, const OverlapAnswer&) {
  if (!(row.weight > 0)) return;
  for (std::size_t s = 0; s < request_.of.scores.sets(); ++s) {
    if (!loss_.takes(s, row)) continue;
    const auto scores = loss_.scores(s, row);
    loss_.value(s, row.label, scores);
    const auto p = loss_.probabilities();
    double* u = sum_.row();
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const std::size_t g = request_.of.group[s * scores.size() + k];
      add_values(request_.functions[g], scores[k], std::sqrt(row.weight) * p[k], u + place_[g]);
    }
    sum_.add();
  }
}

}  // namespace linkgistic
