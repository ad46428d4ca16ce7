// The one pass over the rows: coefficients folded to raw values, chunks over threads, sums in the order of
// the chunks.
#include "engine/fused_pass.hpp"

#include <algorithm>

#include <hwy/aligned_allocator.h>

#include <linkgistic/error.hpp>

#include "engine/pass_kernels.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

// Coefficients of the raw values as the kernels want them.
struct PackedBeta {
  std::size_t stride = 0;
  std::size_t size = 0;
  hwy::AlignedFreeUniquePtr<float[]> beta;
  std::vector<float> intercept;
};

// Where coefficient j of class k stands.
std::size_t place(bool sparse, std::size_t stride, std::size_t k, std::size_t j) {
  return sparse ? j * stride + k : k * stride + j;
}

PackedBeta pack(const RowView& view, std::size_t classes, std::span<const double> beta) {
  const std::size_t columns = view.rows.columns();
  const bool sparse = view.rows.is_sparse();
  PackedBeta packed;
  packed.stride = !sparse        ? round_up(columns, kernel::dense_padding)
                  : classes == 1 ? 1
                                 : round_up(classes, kernel::class_padding);
  packed.size = packed.stride * (sparse ? columns : classes);
  packed.beta = hwy::AllocateAligned<float>(packed.size);
  std::fill_n(packed.beta.get(), packed.size, 0.0F);
  for (std::size_t k = 0; k < classes; ++k) {
    const std::vector<double> raw = view.scale.to_raw(beta.subspan(k * (columns + 1), columns + 1));
    packed.intercept.push_back(static_cast<float>(raw[0]));
    for (std::size_t j = 0; j < columns; ++j) {
      packed.beta[place(sparse, packed.stride, k, j)] = static_cast<float>(raw[j + 1]);
    }
  }
  return packed;
}

// Enough chunks to keep threads busy, each with sums of its own: as many as the rows are worth, while the
// sums together stay below a quarter of the data or 32 MB and the sums of a chunk below a 16th of its
// entries.
std::size_t chunk_count(const RowMatrix& rows, std::size_t sums_per_chunk) {
  constexpr std::size_t rows_per_chunk = 512;
  constexpr std::size_t most = 64;
  constexpr std::size_t fewest = 8;
  const std::size_t by_rows = std::max<std::size_t>(1, rows.rows() / rows_per_chunk);
  const std::size_t memory = std::max<std::size_t>(rows.bytes() / 4, std::size_t{32} << 20);
  const std::size_t by_memory = std::max(fewest, memory / (sums_per_chunk * sizeof(double) + 1));
  const std::size_t by_entries = std::max(fewest, rows.entries() / (64 * rows.columns() + 1));
  return std::min({by_rows, by_memory, by_entries, most});
}

kernel::Table kernel_table(const PassClass& one_class) {
  const LossTable& table = *one_class.table;
  return {table.packed(), static_cast<float>(1 / table.step()), table.cells(), table.first_cell(),
          one_class.label};
}

void run_chunks(const RowMatrix& rows, const kernel::ChunkTask& common, std::size_t chunks, int threads,
                auto&& adjust) {
  std::visit(
      [&](const auto& storage) {
        parallel_for(chunks, threads, [&](std::size_t c) {
          kernel::ChunkTask task = common;
          task.first = c * storage.rows / chunks;
          task.last = (c + 1) * storage.rows / chunks;
          adjust(c, task);
          kernel::pass_chunk(storage, task);
        });
      },
      rows.storage());
}

void check(const LabelledView& data, std::size_t classes, std::size_t beta_size, std::size_t margins_size) {
  const std::size_t n = data.rows();
  if (data.labels.size() != n) {
    throw InputError(std::to_string(data.labels.size()) + " labels for " + std::to_string(n) + " rows");
  }
  if (!data.weights.empty() && data.weights.size() != n) {
    throw InputError(std::to_string(data.weights.size()) + " weights for " + std::to_string(n) + " rows");
  }
  if (beta_size != classes * (data.columns() + 1))
    throw InputError("coefficients: expected classes x (columns + 1)");
  if (margins_size != 0 && margins_size != classes * n) throw InputError("margins: expected classes x rows");
}

// The raw gradient as the kernels make it, laid out as the packed coefficients, from partial sums of chunks.
class ChunkSums {
 public:
  ChunkSums(std::size_t chunks, std::size_t size)
      : chunks_(chunks), size_(size), sums_(hwy::AllocateAligned<double>(chunks * size)) {}

  double* start(std::size_t chunk) {
    std::fill_n(part(chunk), size_, 0.0);
    return part(chunk);
  }
  [[nodiscard]] double total(std::size_t i) const {
    double sum = 0;
    for (std::size_t c = 0; c < chunks_; ++c) sum += sums_[c * size_ + i];
    return sum;
  }

 private:
  double* part(std::size_t chunk) { return sums_.get() + chunk * size_; }

  std::size_t chunks_;
  std::size_t size_;
  hwy::AlignedFreeUniquePtr<double[]> sums_;
};

// Z' r by windows of columns, each summed over the blocks in their order.
void sum_columns(const ColumnBlocks& copy, std::size_t stride, const float* residuals, double* gradient,
                 int threads) {
  parallel_for(copy.windows(), threads, [&](std::size_t w) {
    for (std::size_t b = 0; b < copy.blocks().size(); ++b) {
      const ColumnBlocks::Block& block = copy.blocks()[b];
      kernel::column_gradient({&block, &block.tiles[w], stride,
                               residuals + b * ColumnBlocks::rows_per_block * stride,
                               gradient + w * copy.window_columns() * stride});
    }
  });
}

}  // namespace

PassResult fused_pass(const LabelledView& data, std::span<const PassClass> classes,
                      std::span<const double> beta, std::span<float> margins, int threads) {
  check(data, classes.size(), beta.size(), margins.size());
  const RowView& view = *data.view;
  const std::size_t columns = data.columns();
  const std::size_t width = columns + 1;
  const PackedBeta packed = pack(view, classes.size(), beta);
  std::vector<kernel::Table> tables;
  for (const PassClass& one_class : classes) tables.push_back(kernel_table(one_class));

  // With column blocks the chunks leave residuals and need no sums of their own.
  const bool by_columns = data.column_blocks != nullptr;
  const std::size_t chunks = chunk_count(view.rows, by_columns ? 0 : packed.size);
  ChunkSums sums(by_columns ? 1 : chunks, packed.size);
  const auto residuals = hwy::AllocateAligned<float>(by_columns ? data.rows() * packed.stride : 1);
  std::vector<double> totals(chunks * 3 * classes.size());
  kernel::ChunkTask common{};
  common.classes = classes.size();
  common.stride = packed.stride;
  common.beta = packed.beta.get();
  common.intercept = packed.intercept.data();
  common.tables = tables.data();
  common.labels = data.labels.data();
  common.weights = data.weights.empty() ? nullptr : data.weights.data();
  common.margins = margins.empty() ? nullptr : margins.data();
  common.residuals = by_columns ? residuals.get() : nullptr;
  run_chunks(view.rows, common, chunks, threads, [&](std::size_t c, kernel::ChunkTask& task) {
    if (!by_columns) task.gradient = sums.start(c);
    task.loss = totals.data() + c * 3 * classes.size();
    task.residual = task.loss + classes.size();
    task.residual_size = task.residual + classes.size();
  });
  if (by_columns) {
    sum_columns(*data.column_blocks, packed.stride, residuals.get(), sums.start(0), threads);
  }

  PassResult result{std::vector<double>(classes.size()), std::vector<double>(classes.size()),
                    std::vector<double>(classes.size() * width)};
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const std::span<double> gradient(result.gradient.data() + k * width, width);
    for (std::size_t c = 0; c < chunks; ++c) {
      result.loss[k] += totals[c * 3 * classes.size() + k];
      gradient[0] += totals[(c * 3 + 1) * classes.size() + k];
      result.residual_size[k] += totals[(c * 3 + 2) * classes.size() + k];
    }
    for (std::size_t j = 0; j < columns; ++j) {
      gradient[j + 1] = sums.total(place(view.rows.is_sparse(), packed.stride, k, j));
    }
    view.scale.gradient_from_raw(gradient);
  }
  return result;
}

std::vector<float> row_margins(const RowView& view, std::size_t classes, std::span<const double> beta,
                               int threads) {
  if (beta.size() != classes * (view.rows.columns() + 1)) {
    throw InputError("coefficients: expected classes x (columns + 1)");
  }
  const PackedBeta packed = pack(view, classes, beta);
  std::vector<float> margins(classes * view.rows.rows());
  kernel::ChunkTask common{};
  common.classes = classes;
  common.stride = packed.stride;
  common.beta = packed.beta.get();
  common.intercept = packed.intercept.data();
  common.margins = margins.data();
  run_chunks(view.rows, common, chunk_count(view.rows, 0), threads, [](std::size_t, kernel::ChunkTask&) {});
  return margins;
}

LossNode loss_along(std::span<const float> margins, std::span<const float> direction, double t,
                    std::span<const std::int32_t> labels, std::span<const float> weights,
                    const PassClass& one_class, int threads) {
  constexpr std::size_t rows_per_chunk = 8192;
  const std::size_t rows = margins.size();
  const std::size_t chunks = std::max<std::size_t>(1, rows / rows_per_chunk);
  std::vector<LossNode> parts(chunks);
  parallel_for(chunks, threads, [&](std::size_t c) {
    parts[c] = kernel::line_chunk({c * rows / chunks, (c + 1) * rows / chunks, margins.data(),
                                   direction.data(), static_cast<float>(t), labels.data(),
                                   weights.empty() ? nullptr : weights.data(), kernel_table(one_class)});
  });
  LossNode total;
  for (const LossNode& part : parts) {
    total.value += part.value;
    total.slope += part.slope;
  }
  return total;
}

}  // namespace linkgistic
