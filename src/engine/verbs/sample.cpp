#include "engine/verbs/sample.hpp"

#include <algorithm>

#include "engine/verbs/same_size.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

double drawn_weight(const SampleRequest& r, double c, std::uint64_t row) {
  if (!(c > 0)) return 0;
  const double probability = std::min(1.0, r.share * c);
  if (probability < 1 && !(RandomStream(r.seed, row).uniform() < probability)) return 0;
  return c / probability;
}

double drawn_weight(const SampleRequest& r, RowLoss& loss, const ScoredRow& row) {
  if (!loss.takes(0, row)) return 0;
  return drawn_weight(r, row.weight * loss.curvatures(0, row.label, loss.scores(0, row))[r.direction],
                      row.number);
}

void merge(SampleAnswer& left, SampleAnswer& right) {
  for (SamplePiece& piece : right.pieces) left.pieces.push_back(std::move(piece));
  if (left.product.empty()) {
    left.product = std::move(right.product);
  } else if (!right.product.empty()) {
    check_same_size(left.product.size(), right.product.size());
    for (std::size_t i = 0; i < left.product.size(); ++i) left.product[i] += right.product[i];
  }
}

}  // namespace linkgistic
