// The protocol of the paper's Table 1: a feature of auto-mpg against mpg, in five parts.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "numeric/random.hpp"
#include "table/row_stream.hpp"
#include "table/toys.hpp"

namespace linkgistic::repro {

struct Rows {
  std::vector<double> x, y;
};

inline Rows read_feature(const std::string& feature) {
  Rows rows;
  const std::vector<std::string> columns{feature, "mpg"};
  CompleteRows table(open_auto_mpg(), columns, MissingValues::drop);
  while (table.next() > 0) {
    rows.x.insert(rows.x.end(), table.column(0).begin(), table.column(0).end());
    rows.y.insert(rows.y.end(), table.column(1).begin(), table.column(1).end());
  }
  return rows;
}

/// The part, 0 to 4, of each of n rows.
inline std::vector<int> random_partition(std::size_t n, std::uint64_t seed) {
  std::vector<int> part(n);
  for (std::size_t i = 0; i < n; ++i) part[i] = static_cast<int>(i % 5);
  RandomStream random(seed);
  for (std::size_t i = n; i > 1; --i) std::swap(part[i - 1], part[random.below(i)]);
  return part;
}

/// Rows i with part[i] == k, or the others.
inline Rows select(const Rows& rows, const std::vector<int>& part, int k, bool equal) {
  Rows result;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    if ((part[i] == k) != equal) continue;
    result.x.push_back(rows.x[i]);
    result.y.push_back(rows.y[i]);
  }
  return result;
}

}  // namespace linkgistic::repro
