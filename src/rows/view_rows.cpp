#include "rows/view_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <linkgistic/error.hpp>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// A mean cannot carry smaller values beyond single precision.
constexpr double safe = std::numeric_limits<float>::max() / 2.0;

// Sums of the columns over the rows of a chunk, and whether all values are safe.
struct ChunkSum {
  std::vector<double> sum;
  bool all_safe = true;
};

void add_row(const ViewRows<double>& view, std::size_t i, ChunkSum& chunk) {
  const double* row = view.row(i);
  bool good = true;
  for (std::size_t j = 0; j < view.columns; ++j) {
    const double value = row[j * view.column_step];
    chunk.sum[j] += value;
    good = good && std::abs(value) <= safe;  // false for NaN
  }
  chunk.all_safe = chunk.all_safe && good;
}

[[noreturn]] void refuse(const ViewRows<double>& view) {
  for (std::size_t i = 0; i < view.rows; ++i) {
    for (std::size_t j = 0; j < view.columns; ++j) {
      const double value = view.row(i)[j * view.column_step];
      if (std::abs(value) <= safe) continue;
      throw InputError("row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1) + ": " +
                       std::to_string(value) + " is not a finite single-precision number");
    }
  }
  throw InputError("the rows changed while they were read");
}

}  // namespace

ViewRows<double> about_means(ViewRows<double> rows, int threads) {
  constexpr std::size_t max_chunks = 16;
  const std::size_t chunks = std::clamp<std::size_t>(rows.rows / 1024, 1, max_chunks);
  std::vector<ChunkSum> parts(chunks, {std::vector<double>(rows.columns)});
  parallel_for(chunks, threads, [&](std::size_t c) {
    for (std::size_t i = c * rows.rows / chunks; i < (c + 1) * rows.rows / chunks; ++i)
      add_row(rows, i, parts[c]);
  });
  if (!std::all_of(parts.begin(), parts.end(), [](const ChunkSum& p) { return p.all_safe; })) refuse(rows);
  rows.origin.assign(rows.columns, 0.0);
  for (const ChunkSum& part : parts) {
    for (std::size_t j = 0; j < rows.columns; ++j)
      rows.origin[j] += part.sum[j] / static_cast<double>(std::max<std::size_t>(rows.rows, 1));
  }
  return rows;
}

}  // namespace linkgistic
