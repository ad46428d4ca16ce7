// gram: sum over rows of c_n z_n z_n', c_n the curvature of one direction of a set and z_n the scaled
// features with the intercept: the Hessian of the loss, all rows in double precision.
#pragma once

#include <algorithm>

#include "engine/verbs/sample.hpp"

namespace linkgistic {

struct GramAnswer {
  std::vector<double> sum;  // (D + 1, D + 1), the upper triangle of it

  auto fields() { return std::tie(sum); }
};

struct GramRequest {
  using Answer = GramAnswer;
  ScoreRequest scores;  // of one set
  std::uint32_t direction = 0;
  ColumnScale scale;

  auto fields() { return std::tie(scores, direction, scale); }
};

inline GramAnswer empty_answer(const GramRequest& r) {
  const std::size_t width = r.scores.beta.size() / std::max<std::size_t>(1, r.scores.problems.size());
  return {std::vector<double>(width * width)};
}

}  // namespace linkgistic
