// The features a model sees, z_j = (raw_j - shift_j) scale_j.
#include "rows/column_scale.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// Weighted sums of (raw - pivot) and its square per column over some rows.
struct ColumnSums {
  std::vector<double> first;
  std::vector<double> second;
  double weight = 0;
};

double weight_of(std::span<const float> weights, std::size_t i) {
  return weights.empty() ? 1.0 : static_cast<double>(weights[i]);
}

template <class Dense>
double pivot(const Dense& rows, std::size_t j) {
  return static_cast<double>(rows.at(0, j));
}
double pivot(const CsrRows&, std::size_t) { return 0; }

ColumnSums column_sums(const RowMatrix& matrix, std::span<const float> weights, int threads) {
  constexpr std::size_t max_chunks = 16;
  const std::size_t chunks = std::clamp<std::size_t>(matrix.rows() / 1024, 1, max_chunks);
  const std::size_t columns = matrix.columns();
  std::vector<ColumnSums> parts(chunks, {std::vector<double>(columns), std::vector<double>(columns), 0.0});
  std::visit(
      [&](const auto& rows) {
        parallel_for(chunks, threads, [&](std::size_t c) {
          for (std::size_t i = c * rows.rows / chunks; i < (c + 1) * rows.rows / chunks; ++i) {
            ColumnSums& sums = parts[c];
            const double weight = weight_of(weights, i);
            each_value(rows, i, [&](std::size_t j, auto value) {
              const double x = static_cast<double>(value) - pivot(rows, j);
              sums.first[j] += weight * x;
              sums.second[j] += weight * x * x;
            });
            sums.weight += weight;
          }
        });
      },
      matrix.storage());
  for (std::size_t c = 1; c < chunks; ++c) {
    for (std::size_t j = 0; j < columns; ++j) {
      parts[0].first[j] += parts[c].first[j];
      parts[0].second[j] += parts[c].second[j];
    }
    parts[0].weight += parts[c].weight;
  }
  return std::move(parts[0]);
}

}  // namespace

std::vector<double> ColumnScale::to_raw(std::span<const double> beta) const {
  std::vector<double> raw(beta.begin(), beta.end());
  for (std::size_t j = 0; j + 1 < beta.size(); ++j) {
    raw[j + 1] *= scale_of(j);
    raw[0] -= raw[j + 1] * shift_of(j);
  }
  return raw;
}

void ColumnScale::gradient_from_raw(std::span<double> gradient) const {
  for (std::size_t j = 0; j + 1 < gradient.size(); ++j) {
    gradient[j + 1] = (gradient[j + 1] - shift_of(j) * gradient[0]) * scale_of(j);
  }
}

ColumnScale ColumnScale::about(std::span<const double> origin) const {
  ColumnScale stored = *this;
  if (!origin.empty()) stored.shift.resize(origin.size());
  for (std::size_t j = 0; j < origin.size(); ++j) stored.shift[j] = shift_of(j) - origin[j];
  return stored;
}

ColumnScale uniform_scale(std::size_t columns, double factor) {
  return {{}, std::vector<double>(columns, factor)};
}

std::vector<double> moment_pivot(const RowMatrix& rows) {
  std::vector<double> pivot(rows.columns());
  if (rows.is_sparse() || rows.rows() == 0) return pivot;
  for (std::size_t j = 0; j < pivot.size(); ++j) pivot[j] = rows.at(0, j);
  return pivot;
}

ColumnMoments moments_about(std::span<const double> pivot, std::span<const double> first,
                            std::span<const double> second, double weight) {
  ColumnMoments result;
  for (std::size_t j = 0; j < pivot.size(); ++j) {
    const double mean = first[j] / weight;
    const double square = second[j] / weight;
    const double variance = square - mean * mean;
    result.mean.push_back(mean + pivot[j]);
    result.variance.push_back(variance > 1e-14 * square ? variance : 0.0);
  }
  return result;
}

ColumnMoments column_moments(const RowMatrix& rows, std::span<const float> weights, int threads) {
  const std::vector<double> pivot = moment_pivot(rows);
  if (rows.rows() == 0) return {pivot, pivot};
  const ColumnSums sums = column_sums(rows, weights, threads);
  return moments_about(pivot, sums.first, sums.second, sums.weight);
}

ColumnScale standardizing_scale(const ColumnMoments& moments, bool sparse) {
  const std::size_t columns = moments.mean.size();
  ColumnScale result{std::vector<double>(columns, 0.0), std::vector<double>(columns, 1.0)};
  for (std::size_t j = 0; j < columns; ++j) {
    if (moments.variance[j] > 0) result.scale[j] = 1 / std::sqrt(moments.variance[j]);
    if (sparse) continue;
    result.shift[j] = moments.mean[j];
    if (moments.variance[j] == 0) result.scale[j] = 0;
  }
  return result;
}

}  // namespace linkgistic
