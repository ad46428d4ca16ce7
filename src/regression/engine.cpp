#include "regression/engine.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <linkgistic/error.hpp>

#include "engine/partitions.hpp"
#include "numeric/extent.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

// The rows of another stream, which must have the range that was known of them.
class CheckedRows final : public RowStream {
 public:
  CheckedRows(RowStream& rows, const KnownRows& known) : rows_(rows), known_(known) {}

  RowBlock next() override {
    const RowBlock block = rows_.next();
    const Extent x = extent_of(block.x), y = extent_of(block.y);
    read_.rows += block.size();
    read_.x_lower = std::min(read_.x_lower, x.lower), read_.x_upper = std::max(read_.x_upper, x.upper);
    read_.y_lower = std::min(read_.y_lower, y.lower), read_.y_upper = std::max(read_.y_upper, y.upper);
    if (block.size() == 0 && !as_known()) {
      throw InputError("the file says that it has other rows than it has: it is damaged");
    }
    return block;
  }
  void rewind() override {
    rows_.rewind();
    read_ = nothing;
  }

 private:
  [[nodiscard]] bool as_known() const {
    return read_.rows == known_.rows && read_.x_lower == known_.x_lower && read_.x_upper == known_.x_upper &&
           read_.y_lower == known_.y_lower && read_.y_upper == known_.y_upper;
  }

  static constexpr double infinity = RegressionRange::infinity;
  static constexpr KnownRows nothing{0, infinity, -infinity, infinity, -infinity};
  RowStream& rows_;
  KnownRows known_, read_ = nothing;
};

class StreamEngine final : public RegressionEngine {
 public:
  StreamEngine(RowStream& rows, const Response& response, int threads)
      : rows_(rows), response_(response), threads_(threads) {
    if (const auto* foreseen = dynamic_cast<const ForeseenRows*>(&rows)) known_ = foreseen->known_rows();
  }

  RegressionRange range(const std::function<bool()>& stop) override {
    if (known_) {
      RegressionRange known;
      known.rows = known.read = known_->rows;
      known.x_lower = known_->x_lower, known.x_upper = known_->x_upper;
      known.y_lower = known_->y_lower, known.y_upper = known_->y_upper;
      return known;
    }
    rows_.rewind();
    return partial_range(rows_, response_, 0, stop);
  }
  RegressionSums sums(const SumsRequest& request, const std::function<bool()>& stop) override {
    if (known_) {
      CheckedRows checked(rows_, *known_);
      checked.rewind();
      return total_sums(partial_sums(checked, response_, request, 0, threads_, stop));
    }
    rows_.rewind();
    return total_sums(partial_sums(rows_, response_, request, 0, threads_, stop));
  }

 private:
  RowStream& rows_;
  const Response& response_;
  int threads_;
  std::optional<KnownRows> known_;  // then the rows are read once an answer to sums alone
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
