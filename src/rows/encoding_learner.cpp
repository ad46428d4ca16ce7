#include "rows/encoding_learner.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "numeric/tree_sum.hpp"

namespace linkgistic {
namespace {

// Sums of the columns of numbers, along the tree over the rows that are left.
class StreamedSums {
 public:
  explicit StreamedSums(std::size_t columns) : leaf_(columns) {}

  void add(const CellBlock& block) {
    for (std::size_t first = 0; first < block.rows();) {
      const std::size_t rows = std::min(block.rows() - first, sum_leaf_rows - rows_ % sum_leaf_rows);
      for (std::size_t j = 0; j < leaf_.size(); ++j) {
        if (block.columns[j].type == CellType::text) continue;
        for (const double value : std::span(block.columns[j].numbers).subspan(first, rows))
          if (std::isfinite(value)) leaf_[j] += value;
      }
      first += rows;
      rows_ += rows;
      if (rows_ % sum_leaf_rows == 0) end_leaf();
    }
  }

  std::vector<double> total() {
    if (rows_ % sum_leaf_rows != 0) end_leaf();
    return total_sum(std::move(nodes_), leaf_.size());
  }

 private:
  void end_leaf() {
    nodes_.push_back({0, leaves_++, leaf_});
    std::fill(leaf_.begin(), leaf_.end(), 0.0);
    if (nodes_.size() > 64) nodes_ = merged_sums(std::move(nodes_));
  }

  std::vector<double> leaf_;
  std::size_t rows_ = 0, leaves_ = 0;
  SumNodes nodes_;
};

}  // namespace

LearnedEncoding learn_encoding(Table& table, const ColumnRoles& roles, const DatasetOptions& options) {
  StreamedSums sums(roles.features.size());
  TableFacts facts =
      read_column_facts(table, roles, options, [&](const CellBlock& block) { sums.add(block); });
  if (facts.dropped == facts.rows) refuse_no_rows(table.name(), facts.dropped);
  if (needs_texts(facts)) {
    table.rewind();
    join_facts(facts, read_texts(table, roles, options.missing, facts));
  }
  LearnedEncoding learned;
  learned.encoding = encoding_of(facts, table.name(), learned.notes);
  learned.rows = facts.rows;
  learned.dropped = facts.dropped;
  const std::vector<double> total = sums.total();
  for (std::size_t i = 0; i < facts.columns.size(); ++i) {
    const ColumnFacts& column = facts.columns[i];
    learned.means.push_back(column.is_text() ? 0.0 : total[i] / static_cast<double>(column.numbers));
  }
  return learned;
}

}  // namespace linkgistic
