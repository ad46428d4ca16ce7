#include "engine/score_engine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/partitions.hpp"
#include "numeric/log_odds.hpp"

namespace linkgistic {
namespace {

constexpr unsigned block_level = 2;
constexpr std::size_t block_rows = score_block_rows;
static_assert(block_rows == Grid::leaf_rows << block_level);

// The weight of a row, negative when its label is 0.
struct Item {
  std::uint64_t key;
  double weight;
};

std::vector<Item> items_of(const LabelledScores& rows) {
  std::vector<Item> items;
  items.reserve(rows.scores.size());
  for (std::size_t n = 0; n < rows.scores.size(); ++n) {
    const double w = rows.weights.empty() ? 1.0 : rows.weights[n];
    if (w > 0) items.push_back({ordered_key(rows.scores[n]), rows.labels[n] == 1 ? w : -w});
  }
  return items;
}

// The counts of items in increasing order of their keys.
CountsAnswer counts_of(const std::vector<Item>& sorted, const CountsRequest& request) {
  CountsAnswer answer;
  answer.rows = sorted.size();
  for (std::size_t i = 0; i < sorted.size();) {
    const std::uint64_t cell = request.cell(sorted[i].key);
    double weight[2] = {0, 0};
    for (; i < sorted.size() && request.cell(sorted[i].key) == cell; ++i)
      weight[sorted[i].weight > 0 ? 1 : 0] += std::abs(sorted[i].weight);
    if (answer.cell.size() == request.most_cells) return {true, answer.rows, {}, {}, {}};
    answer.cell.push_back(cell);
    answer.negative.push_back(weight[0]);
    answer.positive.push_back(weight[1]);
  }
  return answer;
}

struct Key {
  std::uint64_t key;
};

// The scores of rows that count once, of either label in increasing order.
using SortedKeys = std::array<std::vector<Key>, 2>;

SortedKeys sorted_keys(const LabelledScores& rows, int threads) {
  SortedKeys keys;
  const auto positive = static_cast<std::size_t>(std::count(rows.labels.begin(), rows.labels.end(), 1));
  keys[0].reserve(rows.scores.size() - positive);
  keys[1].reserve(positive);
  for (std::size_t n = 0; n < rows.scores.size(); ++n)
    keys[rows.labels[n] == 1 ? 1 : 0].push_back({ordered_key(rows.scores[n])});
  for (auto& own : keys) radix_sort(own, threads);
  return keys;
}

CountsAnswer counts_of(const SortedKeys& sorted, const CountsRequest& request) {
  CountsAnswer answer;
  answer.rows = sorted[0].size() + sorted[1].size();
  const auto room = static_cast<std::size_t>(std::min(answer.rows, request.most_cells));
  answer.cell.reserve(room);
  for (auto* counts : {&answer.negative, &answer.positive}) counts->reserve(room);
  std::array<std::size_t, 2> at{};
  while (at[0] < sorted[0].size() || at[1] < sorted[1].size()) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const std::size_t label : {0, 1}) {
      if (at[label] < sorted[label].size()) least = std::min(least, sorted[label][at[label]].key);
    }
    const std::uint64_t cell = request.cell(least);
    std::array<double, 2> count{};
    for (const std::size_t label : {0, 1}) {
      const std::vector<Key>& keys = sorted[label];
      for (; at[label] < keys.size() && request.cell(keys[at[label]].key) == cell; ++at[label])
        ++count[label];
    }
    if (answer.cell.size() == request.most_cells) return {true, answer.rows, {}, {}, {}};
    answer.cell.push_back(cell);
    answer.negative.push_back(count[0]);
    answer.positive.push_back(count[1]);
  }
  return answer;
}

// Sums of weights along the tree.
class CountsTree {
 public:
  explicit CountsTree(const CountsRequest& request)
      : tree_([most = request.most_cells](CountsAnswer& left, const CountsAnswer& right) {
          merge(left, right, most);
        }) {}

  void push(TreeNode<CountsAnswer> node) { tree_.push(std::move(node)); }
  [[nodiscard]] std::vector<TreeNode<CountsAnswer>> take_nodes() { return tree_.take_nodes(); }
  [[nodiscard]] CountsAnswer take_total() { return tree_.take_total(); }

 private:
  TreeSum<CountsAnswer, std::function<void(CountsAnswer&, const CountsAnswer&)>> tree_;
};

}  // namespace

std::vector<TreeNode<CountsAnswer>> partial_counts(const LabelledScores& rows, std::uint64_t first_block,
                                                   const CountsRequest& request) {
  CountsTree tree(request);
  for (std::size_t first = 0; first < rows.scores.size(); first += block_rows) {
    std::vector<Item> items = items_of(rows.part(first, std::min(first + block_rows, rows.scores.size())));
    radix_sort(items, 1);
    tree.push({block_level, first_block + first / block_rows, counts_of(items, request)});
  }
  return tree.take_nodes();
}

ScoreCheckAnswer partial_check(const LabelledScores& rows, std::uint64_t first_row) {
  ScoreCheckAnswer answer;
  for (std::size_t n = 0; n < rows.scores.size(); ++n)
    add_row(answer, first_row + n, rows.scores[n], rows.labels[n],
            rows.weights.empty() ? 1.0 : rows.weights[n]);
  return answer;
}

namespace {

// Scores as a request counts them; their log odds are made once.
class WorkingScores {
 public:
  explicit WorkingScores(const LabelledScores& rows) : rows_(rows) {}

  [[nodiscard]] const LabelledScores& rows() const { return rows_; }
  [[nodiscard]] LabelledScores of(const CountsRequest& request) {
    if (!request.log_odds) return rows_;
    if (log_odds_.empty())
      std::transform(rows_.scores.begin(), rows_.scores.end(), std::back_inserter(log_odds_),
                     bounded_log_odds);
    return {log_odds_, rows_.labels, rows_.weights};
  }

 private:
  LabelledScores rows_;
  std::vector<double> log_odds_;  // (N), or empty: not requested yet
};

// Counts are whole numbers, whose sum is the same in any order: one sort is enough and is kept for coarser
// cells. Weights are added along the tree.
class LocalScores final : public ScoreEngine {
 public:
  LocalScores(const LabelledScores& rows, int threads) : scores_(rows), threads_(threads) {}

  ScoreCheckAnswer ask(const ScoreCheckRequest&) override { return partial_check(scores_.rows(), 0); }

  CountsAnswer ask(const CountsRequest& request) override {
    const LabelledScores rows = scores_.of(request);
    if (rows.scores.empty()) return {};
    if (rows.weights.empty()) {
      if (sorted_as_log_odds_ != request.log_odds) {
        sorted_ = sorted_keys(rows, threads_);
        sorted_as_log_odds_ = request.log_odds;
      }
      return counts_of(sorted_, request);
    }
    CountsTree tree(request);
    for (auto& node : partial_counts(rows, 0, request)) tree.push(std::move(node));
    return tree.take_total();
  }

 private:
  WorkingScores scores_;
  int threads_;
  SortedKeys sorted_;
  std::optional<bool> sorted_as_log_odds_;  // empty: not sorted yet
};

class PartitionedScores final : public ScoreEngine {
 public:
  PartitionedScores(const LabelledScores& rows, std::vector<std::size_t> cuts, std::uint64_t seed)
      : random_(seed) {
    for (const auto& [first, last] : partition_rows(std::move(cuts), block_rows, rows.scores.size()))
      pieces_.push_back({first, WorkingScores(rows.part(first, last))});
  }

  ScoreCheckAnswer ask(const ScoreCheckRequest&) override {
    ScoreCheckAnswer total;
    for (const std::size_t i : shuffled(pieces_.size(), random_)) {
      const Piece& piece = pieces_[i];
      merge(total,
            from_bytes<ScoreCheckAnswer>(to_bytes(partial_check(piece.scores.rows(), piece.first_row))));
    }
    return total;
  }

  CountsAnswer ask(const CountsRequest& request) override {
    const auto received = from_bytes<CountsRequest>(to_bytes(request));
    auto nodes = gather<CountsAnswer>(pieces_.size(), random_, [&](std::size_t i) {
      return partial_counts(pieces_[i].scores.of(received), pieces_[i].first_row / block_rows, received);
    });
    if (nodes.empty()) return {};
    CountsTree tree(request);
    for (auto& node : nodes) tree.push(std::move(node));
    return tree.take_total();
  }

 private:
  struct Piece {
    std::uint64_t first_row;
    WorkingScores scores;
  };
  RandomStream random_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::unique_ptr<ScoreEngine> make_score_engine(const LabelledScores& rows, int threads) {
  return std::make_unique<LocalScores>(rows, threads);
}

std::unique_ptr<ScoreEngine> make_partitioned_score_engine(const LabelledScores& rows,
                                                           std::vector<std::size_t> cuts,
                                                           std::uint64_t seed) {
  return std::make_unique<PartitionedScores>(rows, std::move(cuts), seed);
}

}  // namespace linkgistic
