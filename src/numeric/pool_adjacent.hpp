// Pooling of adjacent violators: the increasing sequence with the least weighted squared distance from
// another.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace linkgistic {

/// Elements [previous block's end, end) with their weighted mean.
struct PooledBlock {
  double mean;
  double weight;
  std::size_t end;
};

/// The blocks of argmin sum_i w_i (v_i - y_i)^2 subject to v_1 <= ... <= v_n, their means strictly
/// increasing; `weight` positive, or empty for ones. O(n). The result does not depend on the number of
/// threads (0 = all).
std::vector<PooledBlock> pool_adjacent(std::span<const double> y, std::span<const double> weight = {},
                                       int threads = 0);

/// v itself.
std::vector<double> pava(std::span<const double> y, std::span<const double> weight = {}, int threads = 0);

/// The same into memory of the caller's; `values` may be `y` itself.
void pava(std::span<const double> y, std::span<const double> weight, std::span<double> values,
          int threads = 0);

}  // namespace linkgistic
