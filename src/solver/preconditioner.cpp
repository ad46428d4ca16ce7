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
  if (!sample.product.empty()) return Eigen::Map<const Eigen::MatrixXf>(sample.product.data(), size, size);
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

Preconditioner::Preconditioner(Eigen::MatrixXf hessian, const std::vector<double>& strength) {
  for (std::size_t j = 0; j < strength.size(); ++j)
    hessian.diagonal()[static_cast<Eigen::Index>(j)] += static_cast<float>(strength[j]);
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
  // The factors of C coupled classes cost C more requests, each for the scores of all classes.
  constexpr std::size_t most_coupled = 32;
  const double saved = coupled_ > 1 ? 500 : 100;  // passes
  return cost_ < saved && rows_.width() <= most_columns && coupled_ <= most_coupled;
}

Eigen::VectorXd SetPreconditioner::solve(const Eigen::VectorXd& g, int threads) const {
  if (factors_.size() == 1) return factors_[0]->solve(g);
  const auto classes = static_cast<Eigen::Index>(factors_.size()) - 1;
  const Eigen::Map<const Eigen::MatrixXd> by_class(g.data(), g.size() / classes, classes);
  const Eigen::VectorXd sum = by_class.rowwise().sum();
  Eigen::VectorXd result(g.size());
  Eigen::Map<Eigen::MatrixXd> solved(result.data(), by_class.rows(), classes);
  const Eigen::VectorXd mean = sum / static_cast<double>(classes);
  Eigen::VectorXd common;
  // Short vectors take less time than it takes to wake a second thread.
  parallel_for(factors_.size(), g.size() > 4096 ? threads : 1, [&](std::size_t k) {
    if (k + 1 == factors_.size()) {
      common = factors_[k]->solve(sum);
    } else {
      const auto column = static_cast<Eigen::Index>(k);
      solved.col(column) = factors_[k]->solve(by_class.col(column) - mean);
    }
  });
  common -= solved.rowwise().mean();
  solved.colwise() += common;
  return result;
}

std::vector<Factors::Direction> Factors::directions_of(Set set) const {
  std::vector<Direction> result;
  const std::size_t width = rows_.width();
  for (const LinearProblem& p : set) {
    Direction& own = result.emplace_back(Direction{key_of(p), {}, false});
    for (std::size_t j = 0; j < width; ++j) own.strength.push_back(p.strength(j));
  }
  if (coupled_ == 1) return result;
  LinearProblem nobody = set[0];
  nobody.label = -1;
  Direction common{key_of(nobody), std::vector<double>(width), true};
  for (const Direction& d : result)
    for (std::size_t j = 0; j < width; ++j) common.strength[j] += d.strength[j];
  result.push_back(std::move(common));
  return result;
}

std::vector<SetPreconditioner> Factors::get(std::span<const Set> sets) {
  // A Hessian that problems share is factored once.
  using Made = std::pair<const Eigen::MatrixXf*, std::vector<double>>;
  std::map<Made, std::shared_ptr<const Preconditioner>> known;
  std::vector<std::vector<Direction>> directions;
  for (const Set set : sets) {
    directions.push_back(directions_of(set));
    for (const Direction& d : directions.back()) {
      const Factor& factor = factors_.at(d.key);
      auto& place = known[{factor.hessian.get(), d.strength}];
      if (factor.strength == d.strength && factor.preconditioner != nullptr) place = factor.preconditioner;
    }
  }
  std::vector<const Made*> open;
  for (const auto& entry : known)
    if (entry.second == nullptr) open.push_back(&entry.first);
  std::vector<std::shared_ptr<const Preconditioner>> done(open.size());
  parallel_for(open.size(), threads_, [&](std::size_t i) {
    done[i] = std::make_shared<const Preconditioner>(*open[i]->first, open[i]->second);
  });
  for (std::size_t i = 0; i < open.size(); ++i) known[*open[i]] = done[i];
  std::vector<SetPreconditioner> result;
  for (std::vector<Direction>& of_set : directions) {
    std::vector<std::shared_ptr<const Preconditioner>> factors;
    for (Direction& d : of_set) {
      Factor& factor = factors_.at(d.key);
      factor.preconditioner = known[{factor.hessian.get(), d.strength}];
      factor.strength = std::move(d.strength);
      factors.push_back(factor.preconditioner);
    }
    result.emplace_back(std::move(factors));
  }
  return result;
}

std::vector<double> Factors::curvatures(std::span<const Wanted> wanted) const {
  CurvatureRequest request;
  for (const Wanted& w : wanted) add_scores(rows_, w, request);
  return rows_.engine().ask(request).sum;
}

std::shared_ptr<const Eigen::MatrixXf> Factors::hessian(const Wanted& wanted, std::size_t direction,
                                                        double curvature) const {
  const RowsShape& shape = rows_.engine().shape();
  const double count = sample_size(shape);
  SampleRequest request;
  add_scores(rows_, wanted, request.scores);
  request.direction = static_cast<std::uint32_t>(direction);
  request.scale = rows_.scale();
  request.share =
      static_cast<double>(shape.rows) <= count ? std::numeric_limits<double>::infinity() : count / curvature;
  request.seed = wanted.seed;
  return std::make_shared<const Eigen::MatrixXf>(
      hessian_of(rows_.engine().ask(request), rows_.width(), threads_));
}

std::shared_ptr<const Eigen::MatrixXf> Factors::common_hessian(const Wanted& wanted, double curvature,
                                                               double of_classes,
                                                               const Eigen::MatrixXf& a_class) const {
  // Straight links have none but rounding.
  Eigen::MatrixXf common = Eigen::MatrixXf::Zero(a_class.rows(), a_class.cols());
  if (curvature > 1e-9 * of_classes) common = *hessian(wanted, coupled_, curvature);
  // The intercept has no ridge: it must not move freely.
  common(0, 0) += a_class(0, 0);
  return std::make_shared<const Eigen::MatrixXf>(std::move(common));
}

void Factors::make(std::span<const Wanted> wanted) {
  if (wanted.empty()) return;
  const std::vector<double> curvature = curvatures(wanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::vector<Direction> directions = directions_of(wanted[i].set);
    const double* of_set = curvature.data() + i * directions.size();
    double sum = 0;
    for (std::size_t k = 0; k < coupled_; ++k) {
      sum += of_set[k];
      factors_[directions[k].key] = {hessian(wanted[i], k, of_set[k]), {}, nullptr};
    }
    if (coupled_ == 1) continue;
    const Eigen::MatrixXf& first = *factors_[directions[0].key].hessian;
    factors_[directions.back().key] = {common_hessian(wanted[i], of_set[coupled_], sum, first), {}, nullptr};
  }
}

void Factors::share_first(Set problems) {
  std::shared_ptr<const Eigen::MatrixXf> shared, common;
  for (std::size_t first = 0; first < problems.size(); first += coupled_) {
    const Set set = problems.subspan(first, coupled_);
    if (has(set)) continue;
    if (shared == nullptr) {
      const std::vector<double> zero(coupled_ * rows_.width());
      const Wanted wanted{set, zero, 0};
      const std::vector<double> curvature = curvatures(std::span(&wanted, 1));
      shared = hessian(wanted, 0, curvature[0]);
      if (coupled_ > 1) common = common_hessian(wanted, curvature[coupled_], curvature[0], *shared);
    }
    for (const Direction& d : directions_of(set)) factors_[d.key] = {d.common ? common : shared, {}, nullptr};
  }
}

}  // namespace linkgistic
