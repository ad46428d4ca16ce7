#include "classification/pairs.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/decompositions.hpp"
#include "numeric/logistic.hpp"
#include "numeric/types.hpp"

namespace linkgistic {

std::vector<ClassPair> class_pairs(std::size_t classes) {
  std::vector<ClassPair> pairs;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j) pairs.push_back({i, j});
  return pairs;
}

RowParts pair_parts(const RowParts& parts, std::span<const std::int32_t> labels, std::size_t classes) {
  const std::vector<ClassPair> pairs = class_pairs(classes);
  const std::size_t each = parts.size() + 1;
  RowParts result(pairs.size() * each, labels.size());
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const auto label = static_cast<std::size_t>(labels[n]);
    const bool unheld = parts.size() == 0 || parts.takes({Selection::Rows::unheld, 0}, n);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (label != pairs[k].first && label != pairs[k].second) continue;
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto part = static_cast<std::int32_t>(p);
        if (parts.takes({Selection::Rows::train, part}, n)) result.set_train(n, k * each + p);
        if (parts.takes({Selection::Rows::held_out, part}, n)) result.set_held_out(n, k * each + p);
      }
      result.set_train(n, k * each + parts.size());
      if (unheld) result.set_held_out(n, k * each + parts.size());
    }
  }
  return result;
}

Selection pair_selection(const Selection& selection, std::size_t pair, std::size_t parts) {
  const auto part = [&](std::size_t p) { return static_cast<std::int32_t>(pair * (parts + 1) + p); };
  switch (selection.rows) {
    case Selection::Rows::all:
      return {Selection::Rows::train, part(parts)};
    case Selection::Rows::unheld:
      return {Selection::Rows::held_out, part(parts)};
    default:
      return {selection.rows, part(static_cast<std::size_t>(selection.part))};
  }
}

// With Q_ii = sum_j r_ji^2 and Q_ij = -r_ij r_ji the sum is p'Qp. Its least under e'p = 1 has Qp = b e, so p
// is (Q + e e')^-1 e but for a factor, and Q + e e' is positive definite even where the pairs agree and Qp =
// 0.
void couple_pairs(std::span<const double> log_odds, std::span<double> probability) {
  constexpr double most = 16.118095550958319;  // log odds of 1 - 1e-7
  const auto classes = static_cast<Index>(probability.size());
  Matrix q = Matrix::Ones(classes, classes);
  std::size_t k = 0;
  for (Index i = 0; i < classes; ++i) {
    for (Index j = i + 1; j < classes; ++j, ++k) {
      const double t = std::clamp(log_odds[k], -most, most);
      const double of_first = sigmoid(-t), of_second = sigmoid(t);
      q(i, i) += of_second * of_second;
      q(j, j) += of_first * of_first;
      q(i, j) = q(j, i) = 1 - of_first * of_second;
    }
  }
  Vector p = Cholesky(q).solve(Vector(Vector::Ones(classes))).cwiseMax(1e-300);
  p /= p.sum();
  std::copy(p.begin(), p.end(), probability.begin());
}

}  // namespace linkgistic
