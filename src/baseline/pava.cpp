#include "baseline/pava.hpp"

#include <algorithm>
#include <cstddef>

#include <linkgistic/error.hpp>

#include "baseline/sorted_rows.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

/// Rows [previous block's end, end) with their weighted mean.
struct Block {
  double mean;
  double weight;
  std::size_t end;
};

/// Pools rows [from, to), row(i) being a block by itself; the means of the result increase strictly.
template <class Row>
std::vector<Block> pool_range(std::size_t from, std::size_t to, Row row) {
  std::vector<Block> blocks;
  blocks.reserve(to - from);  // memory that is never touched costs nothing
  Block block{};
  for (std::size_t i = from; i < to;) {
    Block next = row(i++);
    if (!blocks.empty() && block.mean >= next.mean) {
      blocks.pop_back();
      double sum = block.weight * block.mean + next.weight * next.mean;
      double weight = block.weight + next.weight;
      // Rows that follow and do not exceed the mean belong to the block whatever stands before it (Busing
      // 2022).
      for (; i < to; ++i) {
        const Block following = row(i);
        if (!(sum >= following.mean * weight)) break;
        sum += following.weight * following.mean;
        weight += following.weight;
        next.end = following.end;
      }
      // Mostly decided without the division; the second test is of the mean as it will be rounded.
      while (!blocks.empty() && (blocks.back().mean * weight >= sum || blocks.back().mean >= sum / weight)) {
        sum += blocks.back().weight * blocks.back().mean;
        weight += blocks.back().weight;
        blocks.pop_back();
      }
      next = {sum / weight, weight, next.end};
    }
    block = next;
    blocks.push_back(block);
  }
  return blocks;
}

/// Pieces of the rows are pooled by themselves, then the blocks of all pieces: pooling in any order has one
/// result.
template <class Row>
std::vector<Block> pool_pieces(std::size_t n, int threads, Row row) {
  constexpr std::size_t piece = std::size_t{1} << 17;
  if (n <= 2 * piece) return pool_range(0, n, row);
  std::vector<std::vector<Block>> pieces((n + piece - 1) / piece);
  parallel_for(pieces.size(), threads,
               [&](std::size_t k) { pieces[k] = pool_range(k * piece, std::min(n, (k + 1) * piece), row); });
  std::vector<Block> all;
  for (std::vector<Block>& blocks : pieces) {
    all.insert(all.end(), blocks.begin(), blocks.end());
    blocks = {};
  }
  return pool_range(0, all.size(), [&all](std::size_t i) { return all[i]; });
}

std::vector<Block> pool(std::span<const double> y, std::span<const double> weight, int threads) {
  if (weight.empty())
    return pool_pieces(y.size(), threads, [y](std::size_t i) { return Block{y[i], 1.0, i + 1}; });
  return pool_pieces(y.size(), threads, [y, weight](std::size_t i) { return Block{y[i], weight[i], i + 1}; });
}

}  // namespace

void pava(std::span<const double> y, std::span<const double> weight, std::span<double> values, int threads) {
  if ((!weight.empty() && weight.size() != y.size()) || values.size() != y.size())
    throw InputError("pava: y, weight and values differ in length");
  std::size_t i = 0;
  for (const Block& block : pool(y, weight, threads))
    for (; i < block.end; ++i) values[i] = block.mean;
}

std::vector<double> pava(std::span<const double> y, std::span<const double> weight, int threads) {
  std::vector<double> values(y.size());
  pava(y, weight, values, threads);
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
  for (const Block& block : pool(sorted.y, sorted.weight, options.threads)) {
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
