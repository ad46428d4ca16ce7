#include "engine/verbs/sample.hpp"

#include <algorithm>

#include "numeric/random.hpp"

namespace linkgistic {

double drawn_weight(const SampleRequest& r, const ScoredRow& row) {
  const double c = row_curvature(r.scores, 0, row);
  if (!(c > 0)) return 0;
  const double probability = std::min(1.0, r.share * c);
  if (probability < 1 && !(RandomStream(r.seed, row.number).uniform() < probability)) return 0;
  return c / probability;
}

void merge(SampleAnswer& left, const SampleAnswer& right) {
  left.weights.insert(left.weights.end(), right.weights.begin(), right.weights.end());
  left.features.insert(left.features.end(), right.features.begin(), right.features.end());
}

}  // namespace linkgistic
