#include "solver/class_factors.hpp"

#include <algorithm>
#include <utility>

namespace linkgistic {
namespace {

// Rows of a sampled Hessian: four for each of its dimensions keep it within a small factor of the whole one.
std::size_t sample_size(const LabelledView& data) {
  return std::max<std::size_t>(4 * (data.columns() + 1), 2048);
}

// Its Gram matrix and its Cholesky factor (slower by a few) against the two products of a pass, in
// multiply-adds.
double cost_in_passes(const LabelledView& data) {
  const auto width = static_cast<double>(data.columns() + 1);
  const auto entries = static_cast<double>(data.view->rows.entries());
  const auto rows = static_cast<double>(std::min(data.rows(), sample_size(data)));
  return (0.5 * rows * width * width + width * width * width) / (2 * entries + 1);
}

}  // namespace

ClassFactors::ClassFactors(const LabelledView& data)
    : data_(data),
      cost_(cost_in_passes(data)),
      refresh_after_(std::max(8, static_cast<int>(std::min(0.5 * cost_, 1e9)))) {}

bool ClassFactors::pay() const {
  constexpr std::size_t most_columns = 2048;  // 16 MB a factor
  return cost_ < 100 && data_.columns() + 1 <= most_columns;
}

void ClassFactors::clear(std::size_t classes) {
  factors_.assign(classes, nullptr);
  memory_.factors.assign(classes, std::nullopt);
}

void ClassFactors::make(std::size_t k, const PassClass& one_class, std::span<const float> margins,
                        double ridge, std::uint64_t seed, int threads) {
  put(k, draw_rows(data_, margins, one_class, sample_size(data_), seed), ridge, threads);
}

void ClassFactors::put(std::size_t k, HessianSample sample, double ridge, int threads) {
  factors_[k] = std::make_shared<const Preconditioner>(hessian_of(data_, sample, threads), ridge);
  memory_.factors[k] = SolverMemory::Factor{std::move(sample), ridge};
}

void ClassFactors::share_first(const PassClass& one_class, std::span<const double> ridge, int threads) {
  const std::vector<float> zero(data_.rows());
  const HessianSample sample = draw_rows(data_, zero, one_class, sample_size(data_), 0);
  const Eigen::MatrixXf hessian = hessian_of(data_, sample, threads);
  for (std::size_t k = 0; k < ridge.size(); ++k) {
    const bool same = k > 0 && ridge[k] == ridge[k - 1];
    factors_[k] = same ? factors_[k - 1] : std::make_shared<const Preconditioner>(hessian, ridge[k]);
    memory_.factors[k] = SolverMemory::Factor{sample, ridge[k]};
  }
}

void ClassFactors::restore(const SolverMemory& memory, int threads) {
  clear(memory.factors.size());
  for (std::size_t k = 0; k < memory.factors.size(); ++k) {
    const auto& f = memory.factors[k];
    if (f) put(k, f->sample, f->ridge, threads);
  }
}

}  // namespace linkgistic
