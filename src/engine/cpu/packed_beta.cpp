#include "engine/cpu/packed_beta.hpp"

#include <algorithm>
#include <variant>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

std::size_t round_up(std::size_t n, std::size_t multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

PackedBeta pack(const RowView& view, std::size_t classes, std::span<const double> beta) {
  const std::size_t columns = view.rows.columns();
  const bool sparse = view.rows.is_sparse();
  PackedBeta packed;
  packed.stride = !sparse        ? round_up(columns, kernel::dense_padding)
                  : classes == 1 ? 1
                                 : round_up(classes, kernel::class_padding);
  packed.size = packed.stride * (sparse ? columns : classes);
  packed.beta = hwy::AllocateAligned<float>(std::max<std::size_t>(packed.size, 1));
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

kernel::Table kernel_table(const PassClass& one_class) {
  const LossTable& table = *one_class.table;
  return {table.packed(), static_cast<float>(1 / table.step()), table.cells(), table.first_cell(),
          one_class.label};
}

void run_kernel(const RowMatrix& rows, const kernel::ChunkTask& task) {
  std::visit([&](const auto& storage) { kernel::pass_chunk(storage, task); }, rows.storage());
}

void write_margins(const RowView& view, std::span<const double> beta, std::span<float* const> margins,
                   int threads) {
  const std::size_t classes = margins.size();
  if (beta.size() != classes * (view.rows.columns() + 1)) {
    throw InputError("coefficients: expected classes x (columns + 1)");
  }
  const PackedBeta packed = pack(view, classes, beta);
  kernel::ChunkTask common{};
  common.classes = classes;
  common.coupled = 1;
  common.stride = packed.stride;
  common.beta = packed.beta.get();
  common.intercept = packed.intercept.data();
  common.margins = margins.data();
  const auto write = [&](std::size_t, std::size_t first, std::size_t last) {
    kernel::ChunkTask task = common;
    task.first = first;
    task.last = last;
    run_kernel(view.rows, task);
  };
  parallel_chunks(view.rows.rows(), Grid::leaf_rows, threads, write);
}

std::vector<float> row_margins(const RowView& view, std::size_t classes, std::span<const double> beta,
                               int threads) {
  const std::size_t rows = view.rows.rows();
  std::vector<float> margins(classes * rows);
  std::vector<float*> to;
  for (std::size_t k = 0; k < classes; ++k) to.push_back(margins.data() + k * rows);
  write_margins(view, beta, to, threads);
  return margins;
}

LossNode loss_along(std::span<const float> margins, std::span<const float> direction, double t,
                    std::span<const std::int32_t> labels, const float* weights, const PassClass& one_class) {
  return kernel::line_chunk({0, margins.size(), margins.data(), direction.data(), static_cast<float>(t),
                             labels.data(), weights, kernel_table(one_class)});
}

LossNode softmax_along(std::span<const float* const> margins, std::span<const float* const> ends, double t,
                       std::span<const std::int32_t> labels, const float* weights,
                       std::span<const PassClass> classes) {
  std::vector<kernel::Table> tables;
  for (const PassClass& one_class : classes) tables.push_back(kernel_table(one_class));
  return kernel::softmax_line_chunk({0, labels.size(), classes.size(), margins.data(), ends.data(),
                                     static_cast<float>(t), labels.data(), weights, tables.data()});
}

}  // namespace linkgistic
