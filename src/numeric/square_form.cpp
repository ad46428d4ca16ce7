#include "numeric/square_form.hpp"

#include <map>
#include <utility>

namespace linkgistic {

SquareForm polarised(const QuadraticMap& map) {
  std::map<std::pair<Index, Index>, Index> point;  // (i, i) is g_i, (i, j) with i < j is g_i + g_j
  const auto at = [&](Index i, Index j) {
    const std::pair<Index, Index> key{std::min(i, j), std::max(i, j)};
    return point.try_emplace(key, static_cast<Index>(point.size())).first->second;
  };
  for (const auto& t : map.quadratic_terms()) {
    at(t.i, t.i);
    at(t.j, t.j);
    at(t.i, t.j);
  }
  SquareForm form;
  form.points = Matrix::Zero(static_cast<Index>(point.size()), map.inputs());
  form.weights = Matrix::Zero(map.outputs(), form.points.rows());
  for (const auto& [pair, q] : point) form.points(q, pair.first) = form.points(q, pair.second) = 1;
  for (const auto& t : map.quadratic_terms()) {
    if (t.i == t.j) {
      form.weights(t.p, at(t.i, t.i)) += t.value;
      continue;
    }
    form.weights(t.p, at(t.i, t.j)) += t.value / 2;
    form.weights(t.p, at(t.i, t.i)) -= t.value / 2;
    form.weights(t.p, at(t.j, t.j)) -= t.value / 2;
  }
  return form;
}

}  // namespace linkgistic
