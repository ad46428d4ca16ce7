#include "regression/engine.hpp"

#include <span>
#include <utility>

#include "engine/partitions.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

class StreamEngine final : public RegressionEngine {
 public:
  StreamEngine(RowStream& rows, const Response& response, int threads)
      : rows_(rows), response_(response), threads_(threads) {}

  RegressionRange range(const std::function<bool()>& stop) override {
    rows_.rewind();
    return partial_range(rows_, response_, 0, stop);
  }
  RegressionSums sums(const SumsRequest& request, const std::function<bool()>& stop) override {
    rows_.rewind();
    return total_sums(partial_sums(rows_, response_, request, 0, threads_, stop));
  }

 private:
  RowStream& rows_;
  const Response& response_;
  int threads_;
};

// The rows of one partition.
class RegressionPartition {
 public:
  RegressionPartition(const RowBlock& all, const RowSpan& piece) : first_(piece.first) {
    const auto copy = [&](std::span<const double> from) {
      const auto part = from.empty() ? from : from.subspan(piece.first, piece.size());
      return std::vector<double>(part.begin(), part.end());
    };
    x_ = copy(all.x);
    y_ = copy(all.y);
    weight_ = copy(all.weight);
    offset_ = copy(all.offset);
    exposure_ = copy(all.exposure);
    trials_ = copy(all.trials);
  }

  [[nodiscard]] RegressionRange range(const Response& response, const std::function<bool()>& stop) const {
    MemoryRows rows(all());
    return partial_range(rows, response, first_, stop);
  }
  [[nodiscard]] std::vector<TreeNode<RegressionSums>> sums(const Response& response,
                                                           const SumsRequest& request, int threads,
                                                           const std::function<bool()>& stop) const {
    MemoryRows rows(all());
    return partial_sums(rows, response, request, first_ / rows_per_block, threads, stop);
  }

 private:
  [[nodiscard]] RowBlock all() const { return {x_, y_, weight_, offset_, exposure_, trials_}; }

  std::size_t first_;
  std::vector<double> x_, y_, weight_, offset_, exposure_, trials_;
};

class PartitionedRegression final : public RegressionEngine {
 public:
  PartitionedRegression(const RowBlock& rows, const Response& response, std::vector<std::size_t> cuts,
                        std::uint64_t seed, int threads)
      : response_(response), random_(seed), threads_(threads) {
    for (const RowSpan& piece : partition_rows(std::move(cuts), rows_per_block, rows.size()))
      partitions_.emplace_back(rows, piece);
  }

  RegressionRange range(const std::function<bool()>& stop) override {
    RegressionRange total;
    for (const std::size_t i : shuffled(partitions_.size(), random_))
      merge(total, from_bytes<RegressionRange>(to_bytes(partitions_[i].range(response_, stop))));
    return total;
  }
  RegressionSums sums(const SumsRequest& request, const std::function<bool()>& stop) override {
    const auto received = from_bytes<SumsRequest>(to_bytes(request));
    return total_sums(gather<RegressionSums>(partitions_.size(), random_, [&](std::size_t i) {
      return partitions_[i].sums(response_, received, threads_, stop);
    }));
  }

 private:
  const Response& response_;
  RandomStream random_;
  int threads_;
  std::vector<RegressionPartition> partitions_;
};

}  // namespace

std::unique_ptr<RegressionEngine> make_stream_engine(RowStream& rows, const Response& response, int threads) {
  return std::make_unique<StreamEngine>(rows, response, threads);
}

std::unique_ptr<RegressionEngine> make_partitioned_regression(const RowBlock& rows, const Response& response,
                                                              std::vector<std::size_t> cuts,
                                                              std::uint64_t seed, int threads) {
  return std::make_unique<PartitionedRegression>(rows, response, std::move(cuts), seed, threads);
}

}  // namespace linkgistic
