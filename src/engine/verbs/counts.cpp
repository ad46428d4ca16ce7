#include "engine/verbs/counts.hpp"

#include "engine/verbs/same_size.hpp"

namespace linkgistic {

void check_sizes(const CountsAnswer& answer) {
  check_same_size(answer.cell.size(), answer.negative.size());
  check_same_size(answer.cell.size(), answer.positive.size());
}

void merge(CountsAnswer& left, const CountsAnswer& right, std::uint64_t most) {
  check_sizes(left);
  check_sizes(right);
  CountsAnswer both;
  both.rows = left.rows + right.rows;
  both.too_many = left.too_many || right.too_many;
  std::size_t i = 0;
  std::size_t j = 0;
  while (!both.too_many && (i < left.cell.size() || j < right.cell.size())) {
    const bool from_left = j == right.cell.size() || (i < left.cell.size() && left.cell[i] <= right.cell[j]);
    const bool from_right = i == left.cell.size() || (j < right.cell.size() && right.cell[j] <= left.cell[i]);
    both.cell.push_back(from_left ? left.cell[i] : right.cell[j]);
    both.negative.push_back((from_left ? left.negative[i] : 0) + (from_right ? right.negative[j] : 0));
    both.positive.push_back((from_left ? left.positive[i] : 0) + (from_right ? right.positive[j] : 0));
    i += from_left ? 1 : 0;
    j += from_right ? 1 : 0;
    both.too_many = both.cell.size() > most;
  }
  if (both.too_many) both = {true, both.rows, {}, {}, {}};
  left = std::move(both);
}

}  // namespace linkgistic
