// The fused pass against its reference on every storage, odd sizes, weights, tables and instruction sets.
#include "engine/cpu/fused_pass.hpp"

#include <cmath>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <linkgistic/error.hpp>

#include "engine/reference_pass.hpp"
#include "engine/slices.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

enum class Kind { bytes, floats, double_view, column_view, sparse, sparse_doubles, column_blocks };

bool is_sparse(Kind kind) { return kind >= Kind::sparse; }

struct Problem {
  RowView view;
  std::vector<std::int32_t> labels;
  std::vector<float> weights;
  std::vector<double> beta;
  std::vector<LossTable> tables;
  std::vector<PassClass> classes;
  std::optional<ColumnBlocks> column_blocks;

  [[nodiscard]] LabelledView data() const {
    return {&view, labels, weights, column_blocks ? &*column_blocks : nullptr};
  }
};

// Rows with planted zeros, rows that are all zero, and (sparse) empty rows.
RowMatrix make_rows(Kind kind, std::size_t n, std::size_t d, RandomStream& random) {
  std::vector<double> values(n * d);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      const bool zero = i % 7 == 3 || random.uniform() < (is_sparse(kind) ? 0.8 : 0.3);
      values[i * d + j] = zero                  ? 0.0
                          : kind == Kind::bytes ? std::floor(256 * random.uniform())
                                                : random.normal();
    }
  }
  if (kind == Kind::floats) return float_rows(values, n, d);
  if (kind == Kind::double_view) {
    return RowMatrix(ViewRows<double>{n, d, std::move(values), d, 1, std::vector<double>(d, 0.25)});
  }
  if (kind == Kind::column_view) {  // column by column
    return RowMatrix(ViewRows<float>{n, d, std::vector<float>(values.begin(), values.end()), 1, n, {}});
  }
  if (kind == Kind::bytes) {
    return RowMatrix(DenseRows<std::uint8_t>{n, d, std::vector<std::uint8_t>(values.begin(), values.end())});
  }
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      if (values[i * d + j] == 0) continue;
      column.push_back(static_cast<std::int32_t>(j));
      value.push_back(static_cast<float>(values[i * d + j]));
    }
    start.push_back(static_cast<std::int64_t>(value.size()));
  }
  if (kind == Kind::sparse_doubles) {
    const SharedSpan<double> doubles(std::vector<double>(value.begin(), value.end()));
    return RowMatrix(CsrRows{n, d, std::move(start), std::move(column), doubles});
  }
  return RowMatrix(CsrRows{n, d, std::move(start), std::move(column), std::move(value)});
}

// A loss without symmetry whose table is narrower than the margins.
LossTable skew_table() {
  return LossTable::tabulate(-3, 2, 4, [](int label, double m) {
    return label == 1 ? LossNode{std::exp(-m), -std::exp(-m)} : LossNode{0.5 * (m + 1) * (m + 1), m + 1};
  });
}

Problem make_problem(Kind kind, std::size_t n, std::size_t d, std::size_t classes, bool weighted) {
  RandomStream random(n * 1000 + d * 10 + classes);
  Problem p;
  p.view.rows = make_rows(kind, n, d, random);
  if (kind == Kind::bytes) p.view.scale = uniform_scale(d, 1.0 / 255);
  if (kind != Kind::bytes && !is_sparse(kind))
    p.view.scale = standardizing_scale(column_moments(p.view.rows, {}, 1), false);
  if (kind == Kind::column_blocks)
    p.column_blocks.emplace(std::get<CsrRows>(p.view.rows.storage()), Grid(shape_of(p.view.rows)), 2);
  for (std::size_t i = 0; i < n; ++i) {
    p.labels.push_back(static_cast<std::int32_t>(random.below(classes + 1)));
    if (weighted) p.weights.push_back(static_cast<float>(i % 5 == 0 ? 0.0 : random.uniform()));
  }
  p.tables = {LossTable::logistic(), skew_table()};
  for (std::size_t k = 0; k < classes; ++k)
    p.classes.push_back({static_cast<std::int32_t>(k), &p.tables[k % 2]});
  for (std::size_t i = 0; i < classes * (d + 1); ++i) {
    p.beta.push_back(2 * random.normal() / std::sqrt(static_cast<double>(d + 1)));
  }
  return p;
}

// The stated error bound of each gradient component of class k. Raw terms are what is rounded, and |scale_j
// raw_j| is at most |z_j| + |scale_j shift_j|.
std::vector<double> gradient_bound(const Problem& p, std::size_t k) {
  constexpr double max_curvature = 21;  // exp(3)
  const std::size_t d = p.view.rows.columns();
  const double* beta = p.beta.data() + k * (d + 1);
  std::vector<double> bound(d + 1, 1e-12);
  for (std::size_t n = 0; n < p.labels.size(); ++n) {
    const std::vector<double> z = reference_row(p.view, n);
    std::vector<double> size(d + 1, 1.0);
    double margin = beta[0];
    double margin_size = std::abs(beta[0]);
    for (std::size_t i = 0; i < d; ++i) {
      size[i + 1] = std::abs(z[i]) + 2 * std::abs(p.view.scale.scale_of(i) * p.view.scale.shift_of(i));
      margin += beta[i + 1] * z[i];
      margin_size += std::abs(beta[i + 1]) * size[i + 1];
    }
    const double weight = p.weights.empty() ? 1.0 : static_cast<double>(p.weights[n]);
    const double slope = p.classes[k].table->at(p.labels[n] == p.classes[k].label ? 1 : 0, margin).slope;
    for (std::size_t j = 0; j <= d; ++j) {
      bound[j] += weight * size[j] * 2e-6 * (std::abs(slope) + max_curvature * margin_size);
    }
  }
  return bound;
}

// Where the margins of each class go in an array (C, N).
std::vector<float*> rows_of(std::vector<float>& margins, std::size_t classes) {
  std::vector<float*> result;
  for (std::size_t k = 0; k < classes; ++k) result.push_back(margins.data() + k * (margins.size() / classes));
  return result;
}

void expect_equivalent(const Problem& p, const std::string& what) {
  std::vector<float> margins(p.classes.size() * p.labels.size());
  std::vector<double> exact_margins(margins.size());
  const PassResult fast = fused_pass(p.data(), p.classes, p.beta, rows_of(margins, p.classes.size()), 2);
  const PassResult exact = reference_pass(p.data(), p.classes, p.beta, exact_margins);
  const std::size_t width = p.view.rows.columns() + 1;
  for (std::size_t k = 0; k < p.classes.size(); ++k) {
    EXPECT_NEAR(fast.loss[k], exact.loss[k], 1e-5 * exact.loss[k]) << what << " class " << k;
    EXPECT_NEAR(fast.residual_size[k], exact.residual_size[k], 1e-5 * exact.residual_size[k]) << what;
    // Infinite where no row counts.
    const auto near_where_finite = [&](double value, double expected) {
      if (!std::isfinite(expected)) return;
      EXPECT_NEAR(value, expected, 2e-5) << what;
    };
    near_where_finite(fast.lower[k], exact.lower[k]);
    near_where_finite(fast.upper[k], exact.upper[k]);
    near_where_finite(fast.least_signed[k], exact.least_signed[k]);
    const std::vector<double> bound = gradient_bound(p, k);
    for (std::size_t j = 0; j < width; ++j) {
      ASSERT_NEAR(fast.gradient[k * width + j], exact.gradient[k * width + j], bound[j])
          << what << " class " << k << " coefficient " << j;
    }
  }
  for (std::size_t i = 0; i < margins.size(); ++i) ASSERT_NEAR(margins[i], exact_margins[i], 2e-5) << what;
  const std::vector<float> alone = row_margins(p.view, p.classes.size(), p.beta, 1);
  EXPECT_EQ(alone, margins) << what;
}

class FusedPass : public ::testing::TestWithParam<Kind> {};

TEST_P(FusedPass, IsEquivalentToReferenceOnOddSizes) {
  for (const std::size_t n : {1U, 5U, 67U, 301U}) {
    for (const std::size_t d : {1U, 3U, 17U, 130U}) {
      for (const std::size_t classes : {1U, 2U, 3U, 4U, 7U, 10U}) {
        const bool weighted = (n + d + classes) % 2 == 0;
        expect_equivalent(
            make_problem(GetParam(), n, d, classes, weighted),
            std::to_string(n) + " x " + std::to_string(d) + ", classes " + std::to_string(classes));
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(FusedPass, IsEquivalentToReferenceOnEveryInstructionSet) {
  const Problem p = make_problem(GetParam(), 77, 37, 6, true);
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    expect_equivalent(p, hwy::TargetName(targets & -targets));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST_P(FusedPass, IsTheSameBitForBitForAnyNumberOfThreads) {
  const Problem p = make_problem(GetParam(), 5003, 29, 3, true);
  const PassResult one = fused_pass(p.data(), p.classes, p.beta, {}, 1);
  for (const int threads : {2, 3, 7}) {
    const PassResult many = fused_pass(p.data(), p.classes, p.beta, {}, threads);
    EXPECT_EQ(one.loss, many.loss);
    EXPECT_EQ(one.gradient, many.gradient);
  }
}

TEST_P(FusedPass, AClassDoesNotDependOnTheOthers) {
  const Problem p = make_problem(GetParam(), 400, 21, 7, false);
  const PassResult all = fused_pass(p.data(), p.classes, p.beta, {}, 1);
  const std::size_t width = 22;
  for (std::size_t k = 0; k < 7; ++k) {
    const PassResult one = fused_pass(p.data(), std::span(p.classes).subspan(k, 1),
                                      std::span(p.beta).subspan(k * width, width), {}, 1);
    EXPECT_NEAR(one.loss[0], all.loss[k], 1e-6 * std::abs(all.loss[k]));
  }
}

TEST_P(FusedPass, AMarginHasTheSameBitsWhateverElseIsAskedAndHoweverTheRowsAreCut) {
  const Problem p = make_problem(GetParam(), 413, 45, 7, false);
  const std::vector<float> all = row_margins(p.view, 7, p.beta, 1);
  for (std::size_t k = 0; k < 7; ++k) {
    const auto beta = std::span(p.beta).subspan(k * 46, 46);
    for (const std::size_t first : {0U, 5U, 411U, 412U}) {
      const RowView piece{slice_rows(p.view.rows, first, 413), p.view.scale};
      const std::vector<float> one = row_margins(piece, 1, beta, 1);
      EXPECT_TRUE(
          std::equal(one.begin(), one.end(), all.begin() + static_cast<std::ptrdiff_t>(k * 413 + first)))
          << "class " << k << " from row " << first;
    }
  }
}

TEST_P(FusedPass, GradientAgreesToOneInAMillionWithTheReference) {
  const Problem p = make_problem(GetParam(), 6000, 40, 2, false);
  const PassResult fast = fused_pass(p.data(), p.classes, p.beta, {}, 2);
  const PassResult exact = reference_pass(p.data(), p.classes, p.beta);
  double error = 0;
  double norm = 0;
  for (std::size_t i = 0; i < exact.gradient.size(); ++i) {
    error += std::pow(fast.gradient[i] - exact.gradient[i], 2);
    norm += std::pow(exact.gradient[i], 2);
  }
  EXPECT_LT(std::sqrt(error / norm), 1e-6);
  for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(fast.loss[k] / exact.loss[k], 1, 1e-7);
}

TEST_P(FusedPass, LossAlongALineIsTheLossAtThePointsOfTheLine) {
  const Problem p = make_problem(GetParam(), 1003, 12, 1, true);
  std::vector<double> step(13);
  RandomStream random(5);
  for (double& s : step) s = 0.1 * random.normal();
  const std::vector<float> m = row_margins(p.view, 1, p.beta, 1);
  const std::vector<float> dm = row_margins(p.view, 1, step, 1);
  for (const double t : {0.0, 0.3, 1.0, -2.0}) {
    std::vector<double> moved = p.beta;
    for (std::size_t j = 0; j < 13; ++j) moved[j] += t * step[j];
    const PassResult exact = reference_pass(p.data(), p.classes, moved);
    double slope = 0;
    for (std::size_t j = 0; j < 13; ++j) slope += exact.gradient[j] * step[j];
    const LossNode along =
        loss_along(m, dm, t, p.labels, p.weights.empty() ? nullptr : p.weights.data(), p.classes[0]);
    EXPECT_NEAR(along.value, exact.loss[0], 1e-6 * exact.loss[0]);
    EXPECT_NEAR(along.slope, slope, 1e-4 * std::abs(slope) + 1e-4);
  }
}

std::string name_of(const ::testing::TestParamInfo<Kind>& storage) {
  constexpr const char* names[] = {"bytes",  "floats",         "double_view",  "column_view",
                                   "sparse", "sparse_doubles", "column_blocks"};
  return names[static_cast<int>(storage.param)];
}
INSTANTIATE_TEST_SUITE_P(Storages, FusedPass,
                         ::testing::Values(Kind::bytes, Kind::floats, Kind::double_view, Kind::column_view,
                                           Kind::sparse, Kind::sparse_doubles, Kind::column_blocks),
                         name_of);

// Columns that fall as 1/j, so that a few have an entry in nearly every row and most have none in a block;
// unsorted, with duplicates; and more rows than a block.
TEST(FusedPassColumnBlocks, SumLongColumnsShortOnesAndDuplicatesOverManyBlocks) {
  constexpr std::size_t n = 2 * ColumnBlocks::most_rows + 1234;
  constexpr std::size_t d = 3001;
  RandomStream random(11);
  CsrRows rows{n, d, {}, {}, {}};
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < i % 6; ++e) {
      column.push_back(static_cast<std::int32_t>(std::pow(static_cast<double>(d), random.uniform())) - 1);
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  std::vector<float> value(column.size());
  for (float& v : value) v = static_cast<float>(random.normal());
  rows = {n, d, std::move(start), std::move(column), std::move(value)};
  const RowView view{RowMatrix(rows), {}};
  const ColumnBlocks copy(rows, Grid(shape_of(view.rows)), 2);
  std::vector<std::int32_t> labels(n);
  for (std::size_t i = 0; i < n; ++i) labels[i] = static_cast<std::int32_t>(i % 3);
  for (const std::size_t classes : {1U, 3U}) {
    std::vector<PassClass> problems;
    for (std::size_t k = 0; k < classes; ++k) {
      problems.push_back({static_cast<std::int32_t>(k), &LossTable::logistic()});
    }
    std::vector<double> beta(classes * (d + 1));
    for (double& b : beta) b = 0.3 * random.normal();
    // The sums of the definition, entry by entry in double precision.
    std::vector<double> exact(beta.size());
    std::vector<double> size(beta.size(), 1e-12);
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        const auto first = static_cast<std::size_t>(rows.row_start[i]);
        const auto last = static_cast<std::size_t>(rows.row_start[i + 1]);
        const auto at = [&](std::size_t e) {
          return k * (d + 1) + static_cast<std::size_t>(rows.column[e]) + 1;
        };
        double margin = beta[k * (d + 1)];
        for (std::size_t e = first; e < last; ++e) margin += static_cast<double>(rows.value[e]) * beta[at(e)];
        const double p = 1 / (1 + std::exp(-margin));
        const double residual = p - (labels[i] == static_cast<std::int32_t>(k) ? 1.0 : 0.0);
        exact[k * (d + 1)] += residual;
        size[k * (d + 1)] += std::abs(residual) + 1;
        for (std::size_t e = first; e < last; ++e) {
          exact[at(e)] += static_cast<double>(rows.value[e]) * residual;
          size[at(e)] += std::abs(static_cast<double>(rows.value[e])) * (std::abs(residual) + 1);
        }
      }
    }
    const PassResult one = fused_pass({&view, labels, {}, &copy}, problems, beta, {}, 1);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      ASSERT_NEAR(one.gradient[i], exact[i], 1e-6 * size[i]) << classes << " classes, coefficient " << i;
    }
    EXPECT_EQ(one.gradient, fused_pass({&view, labels, {}, &copy}, problems, beta, {}, 3).gradient);
  }
}

TEST(FusedPassColumnBlocks, TakeThreeQuartersOfTheRowsBytes) {
  constexpr std::size_t n = 40000;
  constexpr std::size_t d = 20000;
  RandomStream random(3);
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = 0; e < 30; ++e) column.push_back(static_cast<std::int32_t>(random.below(d)));
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  std::vector<float> value(column.size(), 1.0F);
  const CsrRows rows{n, d, std::move(start), std::move(column), std::move(value)};
  EXPECT_LT(static_cast<double>(ColumnBlocks(rows, Grid(shape_of(RowMatrix(rows))), 2).bytes()),
            0.85 * static_cast<double>(RowMatrix(rows).bytes()));
}

TEST(FusedPassInput, RefusesSizesThatDoNotAgree) {
  Problem p = make_problem(Kind::floats, 5, 2, 1, true);
  p.labels.pop_back();
  EXPECT_THROW(fused_pass(p.data(), p.classes, p.beta, {}, 1), InputError);
  p = make_problem(Kind::floats, 5, 2, 1, true);
  p.weights.pop_back();
  EXPECT_THROW(fused_pass(p.data(), p.classes, p.beta, {}, 1), InputError);
  p = make_problem(Kind::floats, 5, 2, 1, true);
  p.beta.pop_back();
  EXPECT_THROW(fused_pass(p.data(), p.classes, p.beta, {}, 1), InputError);
}

}  // namespace
}  // namespace linkgistic
