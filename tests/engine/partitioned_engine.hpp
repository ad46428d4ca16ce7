// Rows are cut anywhere, and each partition answers for its own rows, in any order. This is what many
// machines do, in one process.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/cpu/cpu_rows.hpp"
#include "engine/engine_rows.hpp"
#include "engine/partitions.hpp"
#include "engine/slices.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

class PartitionedEngine final : public RowEngine {
 public:
  PartitionedEngine(const EngineRows& rows, std::vector<std::size_t> cuts, std::uint64_t seed, int threads)
      : shape_(shape_of(rows)), random_(seed) {
    for (const auto& [first, last] :
         partition_rows(std::move(cuts), Grid(shape_).block_rows(), shape_.rows)) {
      const EngineRows piece{slice_rows(rows.rows, first, last), rows.labels.subspan(first, last - first),
                             rows.weights.empty() ? rows.weights : rows.weights.subspan(first, last - first),
                             slice_parts(rows.parts, first, last)};
      partitions_.push_back(std::make_unique<CpuRows>(piece, shape_, first / Grid::leaf_rows, threads));
    }
  }

  [[nodiscard]] const RowsShape& shape() const override { return shape_; }

  Answer answer(const Request& request) override {
    return std::visit(
        [&](const auto& r) -> Answer {
          using R = std::decay_t<decltype(r)>;
          using A = typename R::Answer;
          const R received = from_bytes<R>(to_bytes(r));
          const auto partial = [&](std::size_t i) { return partitions_[i]->partial(received); };
          return total_of(gather<A>(partitions_.size(), random_, partial), empty_answer(r));
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
inline std::unique_ptr<RowEngine> make_partitioned_engine(const EngineRows& rows,
                                                          std::vector<std::size_t> cuts, std::uint64_t seed,
                                                          int threads) {
  return std::make_unique<PartitionedEngine>(rows, std::move(cuts), seed, threads);
}

}  // namespace linkgistic
