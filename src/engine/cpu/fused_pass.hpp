// The one pass over the rows that every fit of a linear score needs: in a single read of the data, for all
// problems,
//   margins m = Z beta_k,  losses l_k(m) by table lookup,  gradient Z' l_k'(m).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/cpu/column_blocks.hpp"
#include "engine/grid.hpp"
#include "engine/selection.hpp"
#include "numeric/loss_table.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// One problem: rows whose label equals `label` are its positives, those that are selected count. The table
/// has its loss, or its link where problems are the classes of a softmax.
struct PassClass {
  std::int32_t label = 1;
  const LossTable* table = nullptr;
  Selection selection = {};
};

/// Labelled rows. `weights` may be empty: every row counts once.
struct LabelledView {
  const RowView* view = nullptr;
  std::span<const std::int32_t> labels;  // (N)
  std::span<const float> weights;        // (N) or empty
  // A second copy of sparse rows that takes the scatter out of the pass; or null.
  const ColumnBlocks* column_blocks = nullptr;
  const RowParts* parts = nullptr;  // what selections speak of; or null: there are none

  [[nodiscard]] std::size_t rows() const { return view->rows.rows(); }
  [[nodiscard]] std::size_t columns() const { return view->rows.columns(); }
  [[nodiscard]] double weight(std::size_t n) const {
    return weights.empty() ? 1.0 : static_cast<double>(weights[n]);
  }
};

RowsShape shape_of(const RowMatrix& rows);

struct PassResult {
  std::vector<double> loss;           // (C) sum of weighted losses; a softmax's stands at its first class
  std::vector<double> residual_size;  // (C) sum of weighted |l'|, the scale of the gradient
  std::vector<double> lower, upper,
      least_signed;              // (C) of the margins, and of the margins towards the labels
  std::vector<double> gradient;  // (C, D + 1), intercept first

  explicit PassResult(std::size_t classes = 0, std::size_t columns = 0);

  auto fields() { return std::tie(loss, residual_size, lower, upper, least_signed, gradient); }
};

void merge(PassResult& left, const PassResult& right);

/// Losses and gradients at `beta` (C, D + 1), intercept first, in the features of the view. With `margins` (C
/// pointers to N values) not empty the margins are written there as well.
///
/// Products are in single precision within a block of at most 256 rows (sparse without column blocks: 16,384;
/// with them: 256 entries of a column), sums over blocks in double: each gradient component is within e sum_n
/// w_n |l'_n| |z_nj| + e max|l''| sum_n w_n |z_nj| sum_i |beta_i z_ni| of the exact one, e = 2e-6 (sparse
/// columns without zeros and without column blocks: 1e-5), in practice 100 times closer. Sums follow the
/// grid's tree, so the result is the same bit for bit whatever the number of threads.
PassResult fused_pass(const LabelledView& data, std::span<const PassClass> classes,
                      std::span<const double> beta, std::span<float* const> margins, int threads);

/// The same of rows that are a piece of more: they begin at leaf `first_leaf` of `grid`, the gradient is that
/// of the raw values, and the complete subtrees are left as they are. `coupled` classes at a time are one
/// softmax.
std::vector<TreeNode<PassResult>> partial_pass(const LabelledView& data, const Grid& grid,
                                               std::uint64_t first_leaf, std::span<const PassClass> classes,
                                               std::span<const double> beta, std::span<float* const> margins,
                                               int threads, std::size_t coupled = 1);

/// Margins at `beta` (C, D + 1) alone, into C arrays of N values.
void write_margins(const RowView& view, std::span<const double> beta, std::span<float* const> margins,
                   int threads);
/// The same as one array (C, N).
std::vector<float> row_margins(const RowView& view, std::size_t classes, std::span<const double> beta,
                               int threads);

/// Loss and derivative of one class along a line, from cached margins of rows first .. last-1: sum_n w_n
/// l(m_n + t dm_n) and its derivative in t. `weights` are those of these rows, or null. No read of the data.
LossNode loss_along(std::span<const float> margins, std::span<const float> direction, double t,
                    std::span<const std::int32_t> labels, const float* weights, const PassClass& one_class);
/// The same of the softmax of some classes, from their margins at t = 0 and t = 1.
LossNode softmax_along(std::span<const float* const> margins, std::span<const float* const> ends, double t,
                       std::span<const std::int32_t> labels, const float* weights,
                       std::span<const PassClass> classes);

}  // namespace linkgistic
