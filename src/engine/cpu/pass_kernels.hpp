// What the vectorised kernels of the fused pass take: one chunk of rows, coefficients folded to the raw
// values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/cpu/column_blocks.hpp"
#include "numeric/loss_table.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic::kernel {

/// Dense coefficients and gradients are padded with zeros to a multiple of this many columns: the widest
/// vectors of any target, so that a kernel need not treat the last columns apart.
constexpr std::size_t dense_padding = 64;
/// Sparse coefficients and gradients stand column by column, their classes padded to a multiple of this.
constexpr std::size_t class_padding = 4;

struct Table {
  const float* packed;
  float inverse_step;
  std::int32_t cells;
  std::int32_t first_cell;
  std::int32_t label;
};

struct ChunkTask {
  std::size_t first;  // rows first .. last-1
  std::size_t last;
  std::size_t classes;
  std::size_t coupled;         // classes to a set; above 1 a set is a softmax, its tables the links
  std::size_t stride;          // dense: padded columns; sparse: padded classes
  const float* beta;           // dense: (classes, stride); sparse: (columns, stride); raw values
  const float* intercept;      // (classes)
  const Table* tables;         // (classes), or null: margins only
  const std::int32_t* labels;  // (rows of the matrix)
  const float* const*
      weights;            // (classes): the weights of rows first .. last-1, or null: every row counts once
  float* const* margins;  // (classes): (rows of the matrix), or null
  double* loss;           // (classes), added to; that of a softmax stands at its first class
  double* residual;       // (classes): sum of w l', added to
  double* residual_size;  // (classes): sum of w |l'|, added to
  double* lower;          // (classes): least margin of a row that counts, lowered
  double* upper;          // (classes): greatest one, raised
  // (classes): least of the margins towards their own labels, lowered; of a softmax, at its first class, the
  // least lead of a label's nu over the others
  double* least_signed;
  double* gradient;  // laid out as beta, added to
  float* residuals;  // sparse: (rows of the matrix, stride), written in place of the gradient; or null
};

/// The margin of a row under a problem's coefficients has the same bits whatever other problems and rows are
/// in the task.
void pass_chunk(const DenseRows<std::uint8_t>& rows, const ChunkTask& task);
void pass_chunk(const DenseRows<float>& rows, const ChunkTask& task);
void pass_chunk(const ViewRows<float>& rows, const ChunkTask& task);
void pass_chunk(const ViewRows<double>& rows, const ChunkTask& task);
void pass_chunk(const CsrRows& rows, const ChunkTask& task);

/// One tile of the column-by-column copy of sparse rows.
struct ColumnTask {
  const ColumnBlocks::Block* block;
  const ColumnBlocks::Tile* tile;
  std::size_t stride;      // padded classes
  const float* residuals;  // (rows of the block, stride)
  double* gradient;        // (columns of the window, stride), added to
};

/// gradient += Z' r over the tile.
void column_gradient(const ColumnTask& task);

struct LineTask {
  std::size_t first;
  std::size_t last;
  const float* margins;
  const float* direction;
  float t;
  const std::int32_t* labels;
  const float* weights;  // or null
  Table table;
};

/// sum_n w_n l(m_n + t dm_n) and its derivative in t.
LossNode line_chunk(const LineTask& task);

/// The same of a softmax.
struct SoftmaxLineTask {
  std::size_t first;
  std::size_t last;
  std::size_t classes;
  const float* const* margins;  // (classes)
  const float* const* ends;     // (classes): the margins at t = 1
  float t;
  const std::int32_t* labels;
  const float* weights;  // or null
  const Table* tables;   // (classes)
};
LossNode softmax_line_chunk(const SoftmaxLineTask& task);

/// A class of a softmax: its link, the cells over its scores and their sums.
struct SoftmaxCells {
  const double* link;  // (nodes, 4): cubics on a grid
  double inverse_step;
  std::int64_t first_node, nodes;
  double label;
  double lower, width;  // of the cells
  std::int64_t cells;
  double* moments;  // (cells, 3, 4), added to: of w y, w p and w p (1 - p)
};

struct SoftmaxCellsTask {
  std::size_t first;
  std::size_t last;
  std::size_t classes;
  const SoftmaxCells* of;       // (classes)
  const float* const* margins;  // (classes): (rows of the matrix)
  const std::int32_t* labels;   // (rows of the matrix)
  const float* weights;         // of rows first .. last-1, or null
};
/// Adds moments; returns the loss.
double softmax_cells_chunk(const SoftmaxCellsTask& task);

struct GramTask {
  std::size_t first;  // rows first .. last-1 of the result
  std::size_t last;
  std::size_t rows;      // of the sample
  std::size_t stride;    // columns of the sample, a multiple of dense_padding
  const float* sample;   // (rows, stride)
  const float* weights;  // (rows)
  double* gram;          // (stride, stride), aligned; the upper triangle of the rows is added to
};

/// gram += S' diag(h) S.
void gram_rows(const GramTask& task);

}  // namespace linkgistic::kernel
