#include "solver/preconditioner.hpp"

#include <algorithm>
#include <limits>

#include <hwy/aligned_allocator.h>

#include "engine/cpu/pass_kernels.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

// Rows of a sampled Hessian: four for each of its dimensions keep it within a small factor of the whole one.
double sample_size(const RowsShape& shape) {
  return static_cast<double>(std::max<std::uint64_t>(4 * (shape.columns + 1), 2048));
}

// Its Gram matrix and its Cholesky factor (slower by a few) against the two products of a pass, in
// multiply-adds.
double cost_in_passes(const RowsShape& shape) {
  const auto width = static_cast<double>(shape.columns + 1);
  const double rows = std::min(static_cast<double>(shape.rows), sample_size(shape));
  return (0.5 * rows * width * width + width * width * width) / (2 * static_cast<double>(shape.entries) + 1);
}

// The scores of one set, added to a request.
void add_scores(const ScaledRows& rows, const Factors::Wanted& wanted, ScoreRequest& to) {
  for (const LinearProblem& p : wanted.set) {
    to.problems.push_back({p.label, static_cast<std::int32_t>(to.tables.size()), p.selection});
    to.tables.push_back(p.table);
  }
  const std::vector<double> raw = rows.to_raw(wanted.beta);
  to.beta.insert(to.beta.end(), raw.begin(), raw.end());
  to.coupled = static_cast<std::uint32_t>(wanted.set.size());
}

}  // namespace

Eigen::MatrixXf hessian_of(const SampleAnswer& sample, std::size_t width, int threads) {
  const auto size = static_cast<Eigen::Index>(width);
  const std::size_t stride = SampleAnswer::stride(width - 1);
  constexpr std::size_t group = 40;
  const std::size_t groups = (width + group - 1) / group;
  const auto gram = hwy::AllocateAligned<double>(width * stride);
  std::fill_n(gram.get(), width * stride, 0.0);
  parallel_for(groups, threads, [&](std::size_t g) {
    for (const SamplePiece& piece : sample.pieces) {
      kernel::gram_rows({g * group, std::min(width, (g + 1) * group), piece.weights.size(), stride,
                         piece.features.data(), piece.weights.data(), gram.get()});
    }
  });
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
  return factor_->solve(g.cast<float>()).cast<double>();
}

Factors::Factors(const ScaledRows& rows, std::size_t coupled, int threads)
    : rows_(rows),
      coupled_(coupled),
      threads_(threads),
      cost_(cost_in_passes(rows.engine().shape())),
      refresh_after_(std::max(8, static_cast<int>(std::min(0.5 * cost_, 1e9)))) {}

bool Factors::pay() const {
  constexpr std::size_t most_columns = 2048;  // 16 MB a factor
  return cost_ < 100 && rows_.width() <= most_columns;
}

std::vector<std::shared_ptr<const Preconditioner>> Factors::get(
    std::span<const LinearProblem* const> problems) {
  using Made = std::pair<const Eigen::MatrixXf*, double>;  // a Hessian that problems share is factored once
  std::map<Made, std::shared_ptr<const Preconditioner>> known;
  for (const LinearProblem* p : problems) {
    const Factor& factor = factors_.at(key_of(*p));
    auto& place = known[{factor.hessian.get(), p->ridge}];
    if (factor.ridge == p->ridge && factor.preconditioner != nullptr) place = factor.preconditioner;
  }
  std::vector<Made> open;
  for (const auto& entry : known)
    if (entry.second == nullptr) open.push_back(entry.first);
  std::vector<std::shared_ptr<const Preconditioner>> done(open.size());
  parallel_for(open.size(), threads_, [&](std::size_t i) {
    done[i] = std::make_shared<const Preconditioner>(*open[i].first, open[i].second);
  });
  for (std::size_t i = 0; i < open.size(); ++i) known[open[i]] = done[i];
  std::vector<std::shared_ptr<const Preconditioner>> result;
  for (const LinearProblem* p : problems) {
    Factor& factor = factors_.at(key_of(*p));
    factor.ridge = p->ridge;
    factor.preconditioner = known[{factor.hessian.get(), p->ridge}];
    result.push_back(factor.preconditioner);
  }
  return result;
}

std::vector<double> Factors::curvatures(std::span<const Wanted> wanted) const {
  CurvatureRequest request;
  for (const Wanted& w : wanted) add_scores(rows_, w, request);
  return rows_.engine().ask(request).sum;
}

std::shared_ptr<const Eigen::MatrixXf> Factors::hessian(const Wanted& wanted, std::size_t member,
                                                        double curvature) const {
  const RowsShape& shape = rows_.engine().shape();
  const double count = sample_size(shape);
  SampleRequest request;
  add_scores(rows_, wanted, request.scores);
  request.member = static_cast<std::uint32_t>(member);
  request.scale = rows_.scale();
  request.share =
      static_cast<double>(shape.rows) <= count ? std::numeric_limits<double>::infinity() : count / curvature;
  request.seed = wanted.seed;
  return std::make_shared<const Eigen::MatrixXf>(
      hessian_of(rows_.engine().ask(request), rows_.width(), threads_));
}

void Factors::make(std::span<const Wanted> wanted) {
  if (wanted.empty()) return;
  const std::vector<double> curvature = curvatures(wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    for (std::size_t k = 0; k < coupled_; ++k) {
      const LinearProblem& problem = wanted[i].set[k];
      factors_[key_of(problem)] = {hessian(wanted[i], k, curvature[i * coupled_ + k]), problem.ridge,
                                   nullptr};
    }
  }
}

void Factors::share_first(std::span<const LinearProblem> problems) {
  std::shared_ptr<const Eigen::MatrixXf> shared;
  for (const LinearProblem& p : problems) {
    if (factors_.contains(key_of(p))) continue;
    if (shared == nullptr) {
      const std::vector<double> zero(coupled_ * rows_.width());
      const Wanted wanted{problems.first(coupled_), zero, 0};
      shared = hessian(wanted, 0, curvatures(std::span(&wanted, 1))[0]);
    }
    factors_[key_of(p)] = {shared, p.ridge, nullptr};
  }
}

}  // namespace linkgistic
