// Rows are cut anywhere, and each partition answers for its own rows, in any order. This is what many
// machines do, in one process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/cpu/cpu_rows.hpp"
#include "engine/engine_rows.hpp"
#include "engine/slices.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

class PartitionedEngine final : public RowEngine {
 public:
  PartitionedEngine(const EngineRows& rows, std::vector<std::size_t> cuts, std::uint64_t seed, int threads)
      : shape_(shape_of(rows)), random_(seed) {
    const std::size_t block = Grid(shape_).block_rows();
    cuts.push_back(0);
    for (std::size_t& cut : cuts) cut = std::min<std::size_t>((cut + block - 1) / block * block, shape_.rows);
    cuts.push_back(shape_.rows);
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      const std::size_t first = cuts[i];
      const std::size_t last = cuts[i + 1];
      if (first == last) continue;
      const EngineRows piece{slice_rows(rows.rows, first, last), rows.labels.subspan(first, last - first),
                             rows.weights.empty() ? rows.weights : rows.weights.subspan(first, last - first),
                             slice_parts(rows.parts, first, last)};
      partitions_.push_back(std::make_unique<CpuRows>(piece, shape_, first / Grid::leaf_rows, threads));
    }
  }

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }

  Answer answer(const Request& request) override {
    std::vector<std::size_t> order(partitions_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.below(i)]);
    return std::visit(
        [&](const auto& r) -> Answer {
          using A = typename std::decay_t<decltype(r)>::Answer;
          Nodes<A> nodes;
          for (const std::size_t i : order)
            for (TreeNode<A>& node : partitions_[i]->partial(r)) nodes.push_back(std::move(node));
          std::sort(nodes.begin(), nodes.end(), [](const TreeNode<A>& a, const TreeNode<A>& b) {
            return a.index << a.level < b.index << b.level;
          });
          return total_of(std::move(nodes), empty_answer(r));
        },
        request);
  }

 private:
  RowsShape shape_;
  RandomStream random_;
  std::vector<std::unique_ptr<CpuRows>> partitions_;
};

/// Partitions begin at the rows `cuts` (any order, repeated ones are empty partitions); `seed` shuffles their
/// answers. A partition that begins within a block of the grid gives the rows before the next one to its left
/// neighbour.
inline std::unique_ptr<RowEngine> make_partitioned_engine(EngineRows rows, std::vector<std::size_t> cuts,
                                                          std::uint64_t seed, int threads) {
  return std::make_unique<PartitionedEngine>(rows, std::move(cuts), seed, threads);
}

}  // namespace linkgistic
