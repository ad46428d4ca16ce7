// Approximate inverse Hessians for the solver.
#include "solver/preconditioner.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <hwy/aligned_allocator.h>

#include "engine/pass_kernels.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

template <class Dense>
void densify(const Dense& rows, std::size_t i, const ColumnScale& scale, float* z) {
  for (std::size_t j = 0; j < rows.columns; ++j) {
    z[j] = static_cast<float>((static_cast<double>(rows.at(i, j)) - scale.shift_of(j)) * scale.scale_of(j));
  }
}

void densify(const CsrRows& rows, std::size_t i, const ColumnScale& scale, float* z) {
  for (auto e = static_cast<std::size_t>(rows.row_start[i]);
       e < static_cast<std::size_t>(rows.row_start[i + 1]); ++e) {
    const auto j = static_cast<std::size_t>(rows.column[e]);
    z[j] += static_cast<float>(static_cast<double>(rows.value[e]) * scale.scale_of(j));
  }
}

// c_n = w_n max(l''(m_n), 0)
std::vector<double> curvatures(const LabelledView& data, std::span<const float> margins,
                               const PassClass& one_class) {
  std::vector<double> c(data.rows());
  for (std::size_t n = 0; n < c.size(); ++n) {
    const double weight = data.weights.empty() ? 1.0 : static_cast<double>(data.weights[n]);
    const int label = data.labels[n] == one_class.label ? 1 : 0;
    c[n] = weight * std::max(one_class.table->curvature(label, static_cast<double>(margins[n])), 0.0);
  }
  return c;
}

HessianSample draw(const std::vector<double>& c, std::size_t count, std::uint64_t seed) {
  HessianSample sample;
  if (c.size() <= count) {
    for (std::size_t n = 0; n < c.size(); ++n) {
      sample.rows.push_back(n);
      sample.weights.push_back(static_cast<float>(c[n]));
    }
    return sample;
  }
  const double part = std::accumulate(c.begin(), c.end(), 0.0) / static_cast<double>(count);
  RandomStream random(seed);
  double sum = 0;
  double next = part * random.uniform();
  std::size_t drawn = 0;
  for (std::size_t n = 0; n < c.size() && drawn < count; ++n) {
    sum += c[n];
    std::size_t hits = 0;
    for (; drawn < count && next < sum; ++hits) {
      ++drawn;
      next = part * (static_cast<double>(drawn) + random.uniform());
    }
    if (hits == 0) continue;
    sample.rows.push_back(n);
    sample.weights.push_back(static_cast<float>(part * static_cast<double>(hits)));
  }
  return sample;
}

}  // namespace

std::vector<double> feature_sizes(const LabelledView& data, int threads) {
  const ColumnScale& scale = data.view->scale;
  const ColumnMoments moments = column_moments(data.view->rows, data.weights, threads);
  std::vector<double> sizes(data.columns() + 1, 1.0);
  for (std::size_t j = 0; j < data.columns(); ++j) {
    // E (raw - shift)^2 = var + (mean - shift)^2
    const double offset = moments.mean[j] - scale.shift_of(j);
    sizes[j + 1] = std::abs(scale.scale_of(j)) * std::sqrt(moments.variance[j] + offset * offset);
  }
  return sizes;
}

HessianSample draw_rows(const LabelledView& data, std::span<const float> margins, const PassClass& one_class,
                        std::size_t count, std::uint64_t seed) {
  return draw(curvatures(data, margins, one_class), count, seed);
}

Eigen::MatrixXf hessian_of(const LabelledView& data, const HessianSample& sample, int threads) {
  const std::size_t width = data.columns() + 1;
  const std::size_t stride =
      (width + kernel::dense_padding - 1) / kernel::dense_padding * kernel::dense_padding;
  const auto values = hwy::AllocateAligned<float>(sample.rows.size() * stride);
  std::visit(
      [&](const auto& storage) {
        parallel_for(sample.rows.size(), threads, [&](std::size_t i) {
          float* z = values.get() + i * stride;
          std::fill_n(z, stride, 0.0F);
          z[0] = 1;
          densify(storage, sample.rows[i], data.view->scale, z + 1);
        });
      },
      data.view->rows.storage());
  constexpr std::size_t group = 40;
  const std::size_t groups = (width + group - 1) / group;
  const auto gram = hwy::AllocateAligned<double>(width * stride);
  std::fill_n(gram.get(), width * stride, 0.0);
  parallel_for(groups, threads, [&](std::size_t g) {
    kernel::gram_rows({g * group, std::min(width, (g + 1) * group), sample.rows.size(), stride, values.get(),
                       sample.weights.data(), gram.get()});
  });
  const auto size = static_cast<Eigen::Index>(width);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor, Eigen::Unaligned, Eigen::OuterStride<>>(
             gram.get(), size, size, Eigen::OuterStride<>(static_cast<Eigen::Index>(stride)))
      .cast<float>();
}

Preconditioner::Preconditioner(Eigen::MatrixXf hessian, double ridge) {
  hessian.diagonal().tail(hessian.rows() - 1).array() += static_cast<float>(ridge);
  // Rounding of the factorisation is about eps times the trace; columns of zeros need something too.
  const float largest = std::max(hessian.diagonal().maxCoeff(), 1e-30F);
  for (float jitter = 1e-7F * largest;; jitter *= 10) {
    Eigen::MatrixXf trial = hessian.selfadjointView<Eigen::Upper>();
    trial.diagonal().array() += jitter;
    factor_.emplace(std::move(trial));
    if (factor_->info() == Eigen::Success || jitter > largest) return;
  }
}

Eigen::VectorXd Preconditioner::solve(const Eigen::VectorXd& g) const {
  if (factor_) return factor_->solve(g.cast<float>()).cast<double>();
  return g.cwiseQuotient(diagonal_);
}

}  // namespace linkgistic
