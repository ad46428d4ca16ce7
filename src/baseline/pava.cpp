#include "baseline/pava.hpp"

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
  std::vector<Block> blocks(y.size());
  Block* top = blocks.data();  // one past the last block
  Block* const bottom = top;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Block block{y[i], weight(i), i + 1};
    while (top != bottom && top[-1].mean >= block.mean) {
      --top;
      const double sum = top->weight + block.weight;
      block.mean = (top->weight * top->mean + block.weight * block.mean) / sum;
      block.weight = sum;
    }
    *top++ = block;
  }
  blocks.resize(static_cast<std::size_t>(top - bottom));
  return blocks;
}

std::vector<Block> pool(std::span<const double> y, std::span<const double> weight) {
  if (weight.empty()) return pool_with(y, [](std::size_t) { return 1.0; });
  return pool_with(y, [weight](std::size_t i) { return weight[i]; });
}

}  // namespace

std::vector<double> pava(std::span<const double> y, std::span<const double> weight) {
  if (!weight.empty() && weight.size() != y.size()) throw InputError("pava: y and weight differ in length");
  std::vector<double> values(y.size());
  std::size_t i = 0;
  for (const Block& block : pool(y, weight))
    for (; i < block.end; ++i) values[i] = block.mean;
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
