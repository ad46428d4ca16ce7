// The one pass over the rows that every fit of a linear score needs: in a single read of the data, for all
// classes,
//   margins m = Z beta_k,  losses l_k(m) by table lookup,  gradient Z' l_k'(m).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/column_blocks.hpp"
#include "numeric/loss_table.hpp"
#include "rows/column_scale.hpp"

namespace linkgistic {

/// One of the one-vs-rest problems: rows whose label equals `label` are its positives.
struct PassClass {
  std::int32_t label = 1;
  const LossTable* table = nullptr;
};

/// Labelled rows. `weights` may be empty: every row counts once.
struct LabelledView {
  const RowView* view = nullptr;
  std::span<const std::int32_t> labels;  // (N)
  std::span<const float> weights;        // (N) or empty
  // A second copy of sparse rows that takes the scatter out of the pass; or null.
  const ColumnBlocks* column_blocks = nullptr;

  [[nodiscard]] std::size_t rows() const { return view->rows.rows(); }
  [[nodiscard]] std::size_t columns() const { return view->rows.columns(); }
};

struct PassResult {
  std::vector<double> loss;           // (C) sum of weighted losses
  std::vector<double> residual_size;  // (C) sum of weighted |l'|, the scale of the gradient
  std::vector<double> gradient;       // (C, D + 1), intercept first
};

/// Losses and gradients at `beta` (C, D + 1), intercept first, in the features of the view. With `margins`
/// (C, N) not empty the margins are written there as well.
///
/// Products are in single precision within a block of at most 256 rows (sparse without column blocks: 16,384;
/// with them: 256 entries of a column), sums over blocks in double: each gradient component is within e sum_n
/// w_n |l'_n| |z_nj| + e max|l''| sum_n w_n |z_nj| sum_i |beta_i z_ni| of the exact one, e = 2e-6 (sparse
/// columns without zeros and without column blocks: 1e-5), in practice 100 times closer. Chunks of rows
/// depend on the data's size only, so the result is the same bit for bit whatever the number of threads.
PassResult fused_pass(const LabelledView& data, std::span<const PassClass> classes,
                      std::span<const double> beta, std::span<float> margins, int threads);

/// Margins (C, N) at `beta` (C, D + 1) alone.
std::vector<float> row_margins(const RowView& view, std::size_t classes, std::span<const double> beta,
                               int threads);

/// Loss and derivative of one class along a line, from cached margins: sum_n w_n l(m_n + t dm_n) and its
/// derivative in t. No read of the data.
LossNode loss_along(std::span<const float> margins, std::span<const float> direction, double t,
                    std::span<const std::int32_t> labels, std::span<const float> weights,
                    const PassClass& one_class, int threads);

}  // namespace linkgistic
