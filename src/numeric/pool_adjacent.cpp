#include "numeric/pool_adjacent.hpp"

#include <algorithm>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

/// Pools rows [from, to), row(i) being a block by itself; the means of the result increase strictly.
template <class Row>
std::vector<PooledBlock> pool_range(std::size_t from, std::size_t to, Row row) {
  std::vector<PooledBlock> blocks;
  blocks.reserve(to - from);  // memory that is never touched costs nothing
  PooledBlock block{};
  for (std::size_t i = from; i < to;) {
    PooledBlock next = row(i++);
    if (!blocks.empty() && block.mean >= next.mean) {
      blocks.pop_back();
      double sum = block.weight * block.mean + next.weight * next.mean;
      double weight = block.weight + next.weight;
      // Rows that follow and do not exceed the mean belong to the block whatever stands before it (Busing
      // 2022).
      for (; i < to; ++i) {
        const PooledBlock following = row(i);
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
std::vector<PooledBlock> pool_pieces(std::size_t n, int threads, Row row) {
  constexpr std::size_t piece = std::size_t{1} << 17;
  if (n <= 2 * piece) return pool_range(0, n, row);
  std::vector<std::vector<PooledBlock>> pieces((n + piece - 1) / piece);
  parallel_for(pieces.size(), threads,
               [&](std::size_t k) { pieces[k] = pool_range(k * piece, std::min(n, (k + 1) * piece), row); });
  std::vector<PooledBlock> all;
  for (std::vector<PooledBlock>& blocks : pieces) {
    all.insert(all.end(), blocks.begin(), blocks.end());
    blocks = {};
  }
  return pool_range(0, all.size(), [&all](std::size_t i) { return all[i]; });
}

}  // namespace

std::vector<PooledBlock> pool_adjacent(std::span<const double> y, std::span<const double> weight,
                                       int threads) {
  if (weight.empty())
    return pool_pieces(y.size(), threads, [y](std::size_t i) { return PooledBlock{y[i], 1.0, i + 1}; });
  return pool_pieces(y.size(), threads, [y, weight](std::size_t i) {
    return PooledBlock{y[i], weight[i], i + 1};
  });
}

void pava(std::span<const double> y, std::span<const double> weight, std::span<double> values, int threads) {
  if ((!weight.empty() && weight.size() != y.size()) || values.size() != y.size())
    throw InputError("pava: y, weight and values differ in length");
  std::size_t i = 0;
  for (const PooledBlock& block : pool_adjacent(y, weight, threads))
    for (; i < block.end; ++i) values[i] = block.mean;
}

std::vector<double> pava(std::span<const double> y, std::span<const double> weight, int threads) {
  std::vector<double> values(y.size());
  pava(y, weight, values, threads);
  return values;
}

}  // namespace linkgistic
