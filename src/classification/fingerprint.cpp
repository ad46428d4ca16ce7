#include "classification/fingerprint.hpp"

#include <vector>

#include "numeric/hash.hpp"
#include "rows/row_matrix.hpp"

namespace linkgistic {
namespace {

template <class T>
void add_rows(Hash& hash, const DenseRows<T>& rows) {
  hash.add(std::span<const T>(rows.values.data(), rows.rows * rows.columns));
}

template <class T>
void add_rows(Hash& hash, const ViewRows<T>& view) {
  std::vector<float> row(view.columns);
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t j = 0; j < view.columns; ++j) row[j] = view.at(i, j);
    hash.add(std::span<const float>(row));
  }
}

void add_rows(Hash& hash, const CsrRows& rows) {
  const auto entries = static_cast<std::size_t>(rows.row_start[rows.rows]);
  hash.add(std::span<const std::int64_t>(rows.row_start.data(), rows.rows + 1));
  hash.add(std::span<const std::int32_t>(rows.column.data(), entries));
  if (rows.value.doubles() != nullptr) {
    hash.add(std::span<const double>(rows.value.doubles(), entries));
  } else {
    hash.add(std::span<const float>(rows.value.floats(), entries));
  }
}

std::uint64_t head_of(std::uint64_t storage, std::uint64_t rows, std::uint64_t columns) {
  Hash hash;
  const std::uint64_t shape[] = {storage, rows, columns};
  hash.add(std::span<const std::uint64_t>(shape));
  return hash.value();
}

}  // namespace

std::uint64_t single_rows_head(std::uint64_t rows, std::uint64_t columns) {
  return head_of(RowMatrix(DenseRows<float>{}).storage().index(), rows, columns);
}

std::uint64_t fingerprint(const ClassificationData& data, std::span<const float> weights,
                          std::optional<std::uint64_t> rows_hash) {
  const RowMatrix& rows = data.rows.matrix();
  Hash hash(rows_hash.value_or(head_of(rows.storage().index(), rows.rows(), rows.columns())));
  if (!rows_hash) std::visit([&](const auto& storage) { add_rows(hash, storage); }, rows.storage());
  hash.add(std::span<const double>(data.rows.origin()));
  hash.add(std::span<const std::int32_t>(data.labels));
  hash.add(weights);
  for (const RowPart& part : data.parts) {
    hash.add(std::span<const std::size_t>(part.train));
    hash.add(std::span<const std::size_t>(part.held_out));
  }
  for (const auto* names : {&data.class_names, &data.feature_names}) {
    for (const std::string& name : *names) hash.add(name.data(), name.size());
  }
  return hash.value();
}

}  // namespace linkgistic
