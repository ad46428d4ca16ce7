#include "baseline/pava.hpp"

#include <algorithm>
#include <cstddef>

#include <linkgistic/error.hpp>

#include "baseline/sorted_rows.hpp"

namespace linkgistic {
namespace {

/// Rows [previous block's end, end) with their weighted mean.
struct Block {
  double mean;
  double weight;
  std::size_t end;
};

/// The pooled blocks, their means strictly increasing.
template <class Weight>
std::vector<Block> pool_with(std::span<const double> y, Weight weight) {
  std::vector<Block> blocks;
  blocks.reserve(y.size());  // memory that is never touched costs nothing
  const std::size_t n = y.size();
  Block block{};
  for (std::size_t i = 0; i < n;) {
    double w = weight(i);
    double mean = y[i];
    ++i;
    if (!blocks.empty() && block.mean >= mean) {
      blocks.pop_back();
      double sum = block.weight * block.mean + w * mean;
      w += block.weight;
      // Rows that follow and do not exceed the mean belong to the block whatever stands before it (Busing
      // 2022).
      for (; i < n && sum >= y[i] * w; ++i) {
        sum += weight(i) * y[i];
        w += weight(i);
      }
      mean = sum / w;
      while (!blocks.empty() && blocks.back().mean >= mean) {
        sum += blocks.back().weight * blocks.back().mean;
        w += blocks.back().weight;
        mean = sum / w;
        blocks.pop_back();
      }
    }
    block = {mean, w, i};
    blocks.push_back(block);
  }
  return blocks;
}

std::vector<Block> pool(std::span<const double> y, std::span<const double> weight) {
  if (weight.empty()) return pool_with(y, [](std::size_t) { return 1.0; });
  return pool_with(y, [weight](std::size_t i) { return weight[i]; });
}

}  // namespace

void pava(std::span<const double> y, std::span<const double> weight, std::span<double> values) {
  if ((!weight.empty() && weight.size() != y.size()) || values.size() != y.size())
    throw InputError("pava: y, weight and values differ in length");
  std::size_t i = 0;
  for (const Block& block : pool(y, weight)) {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(i),
              values.begin() + static_cast<std::ptrdiff_t>(block.end), block.mean);
    i = block.end;
  }
}

std::vector<double> pava(std::span<const double> y, std::span<const double> weight) {
  if (!weight.empty() && weight.size() != y.size()) throw InputError("pava: y and weight differ in length");
  std::vector<double> values;
  values.reserve(y.size());
  for (const Block& block : pool(y, weight))
    values.insert(values.end(), block.end - values.size(), block.mean);
  return values;
}

PiecewiseLinear fit_isotonic(const RowBlock& rows, const IsotonicOptions& options) {
  SortedRows sorted = sort_rows(rows, options.threads);
  const double sign = options.increasing ? 1.0 : -1.0;
  if (!options.increasing)
    for (double& y : sorted.y) y = -y;
  std::vector<double> knots;
  std::vector<double> values;
  std::size_t first = 0;
  for (const Block& block : pool(sorted.y, sorted.weight)) {
    knots.push_back(sorted.x[first]);
    values.push_back(sign * block.mean);
    if (block.end - first > 1) {
      knots.push_back(sorted.x[block.end - 1]);
      values.push_back(sign * block.mean);
    }
    first = block.end;
  }
  return {std::move(knots), std::move(values)};
}

}  // namespace linkgistic
