// The solver against a plain Newton iteration in double, and its behaviour where a minimum is far away or
// absent.
#include "solver/linear_solver.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "engine/local_engine.hpp"
#include "engine/reference_engine.hpp"
#include "engine/reference_pass.hpp"
#include "numeric/random.hpp"
#include "solver/preconditioner.hpp"

namespace linkgistic {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Problem {
  RowView view;
  std::vector<std::int32_t> labels;
  std::vector<float> weights;

  [[nodiscard]] LabelledView data() const { return {&view, labels, weights}; }
  [[nodiscard]] std::unique_ptr<RowEngine> engine(int threads = 0) const {
    return make_local_engine({view.rows, labels, weights, {}}, threads);
  }
};

// Gaussian features; the label is the largest of three noisy linear scores.
Problem make_problem(std::size_t n, std::size_t d, double noise = 1.0, std::uint64_t seed = 1) {
  RandomStream random(seed);
  std::vector<double> coefficients(3 * d);
  for (double& c : coefficients) c = random.normal() / std::sqrt(static_cast<double>(d));
  std::vector<double> values;
  Problem p;
  for (std::size_t i = 0; i < n; ++i) {
    double scores[3] = {};
    for (std::size_t j = 0; j < d; ++j) {
      values.push_back(random.normal());
      for (std::size_t k = 0; k < 3; ++k) scores[k] += coefficients[k * d + j] * values.back();
    }
    for (double& score : scores) score += noise * random.normal();
    p.labels.push_back(static_cast<std::int32_t>(std::max_element(scores, scores + 3) - scores));
  }
  p.view.rows = float_rows(values, n, d);
  return p;
}

std::shared_ptr<const LossTable> logistic_table() {
  return {std::shared_ptr<const void>(), &LossTable::logistic()};
}

std::vector<LinearProblem> logistic_problems(std::size_t count, double ridge) {
  std::vector<LinearProblem> problems;
  for (std::size_t k = 0; k < count; ++k)
    problems.push_back({static_cast<std::int32_t>(k), logistic_table(), ridge});
  return problems;
}

// Newton's method with the exact logistic function, for one class.
VectorXd newton(const Problem& p, std::int32_t label, double ridge) {
  const auto n = static_cast<Eigen::Index>(p.labels.size());
  const auto d = static_cast<Eigen::Index>(p.view.rows.columns());
  MatrixXd z(n, d + 1);
  VectorXd y(n);
  VectorXd w = VectorXd::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::vector<double> features = reference_row(p.view, row);
    z(i, 0) = 1;
    z.row(i).tail(d) = Eigen::Map<const VectorXd>(features.data(), d).transpose();
    y[i] = p.labels[row] == label ? 1 : 0;
    if (!p.weights.empty()) w[i] = static_cast<double>(p.weights[row]);
  }
  VectorXd penalty = VectorXd::Constant(d + 1, ridge);
  penalty[0] = 0;
  VectorXd beta = VectorXd::Zero(d + 1);
  for (int iteration = 0; iteration < 60; ++iteration) {
    const VectorXd q = (1 + (-(z * beta).array()).exp()).inverse();
    const VectorXd gradient =
        z.transpose() * (w.array() * (q - y).array()).matrix() + penalty.cwiseProduct(beta);
    MatrixXd hessian = z.transpose() * (w.array() * q.array() * (1 - q.array())).matrix().asDiagonal() * z;
    hessian.diagonal() += penalty;
    hessian.diagonal().array() += 1e-12;
    const VectorXd step = hessian.ldlt().solve(gradient);
    beta -= step * std::min(1.0, 5 / (step.norm() + 1e-300));
  }
  return beta;
}

void expect_close_to_newton(const Problem& p, const LinearSolution& fit, double ridge, double tolerance) {
  const std::size_t width = p.view.rows.columns() + 1;
  for (std::size_t k = 0; k < fit.classes.size(); ++k) {
    EXPECT_EQ(fit.classes[k].stop, SolverStop::converged) << to_string(fit.classes[k].stop);
    const VectorXd exact = newton(p, static_cast<std::int32_t>(k), ridge);
    const Eigen::Map<const VectorXd> beta(fit.beta.data() + k * width, static_cast<Eigen::Index>(width));
    EXPECT_LT((beta - exact).norm(), tolerance * (1 + exact.norm())) << "class " << k;
  }
}

class Solver : public ::testing::TestWithParam<SolverMethod> {
 protected:
  [[nodiscard]] static SolverOptions tight() {
    SolverOptions options;
    options.method = GetParam();
    options.gradient_tolerance = 1e-6;
    options.max_passes = 2000;
    return options;
  }
  static LinearSolution solve(const Problem& p, double ridge, const SolverOptions& options = tight()) {
    const auto engine = p.engine(options.threads);
    return LinearSolver(*engine, p.view.scale, options).solve(logistic_problems(3, ridge));
  }
};

TEST_P(Solver, FindsTheMinimumThatNewtonFinds) {
  const Problem p = make_problem(700, 9);
  expect_close_to_newton(p, solve(p, 0.7), 0.7, 1e-5);
  expect_close_to_newton(p, solve(p, 0), 0, 1e-5);
}

TEST_P(Solver, FindsTheMinimumFromASampleOfTheRows) {
  const Problem p = make_problem(9000, 5);
  expect_close_to_newton(p, solve(p, 0.1), 0.1, 1e-5);
}

TEST_P(Solver, FindsTheSameMinimumInAnyUnitsOfTheColumns) {
  const Problem p = make_problem(400, 4);
  const std::vector<double> units = {1e-5, 1e-2, 1, 1e4};
  std::vector<double> values;
  for (std::size_t i = 0; i < 400; ++i) {
    for (std::size_t j = 0; j < 4; ++j) values.push_back(p.view.rows.at(i, j) * units[j]);
  }
  Problem q = p;
  q.view.rows = float_rows(values, 400, 4);
  const LinearSolution fit = solve(q, 0);
  const VectorXd exact = newton(p, 1, 0);
  EXPECT_EQ(fit.classes[1].stop, SolverStop::converged);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(fit.beta[5 + j + 1] * units[j], exact[static_cast<Eigen::Index>(j) + 1], 1e-4);
  }
  q.view.scale = standardizing_scale(column_moments(q.view.rows, {}, 1), false);
  expect_close_to_newton(q, solve(q, 1), 1, 1e-5);
}

TEST_P(Solver, SolvesSeparableClassesWithARidge) {
  const Problem p = make_problem(60, 20, 0.0);
  SolverOptions options = tight();
  options.gradient_tolerance = 1e-4;  // margins near 10 and residuals near 1e-3: rounding is 1e-5 of these
  expect_close_to_newton(p, solve(p, 0.01, options), 0.01, 1e-3);
}

TEST_P(Solver, EndsSeparableClassesWithoutARidgeAtAMeanLossOfOneThousandth) {
  const Problem p = make_problem(40, 30, 0.0);
  const LinearSolution fit = solve(p, 0);
  const std::vector<float> margins = row_margins(p.view, fit.classes.size(), fit.beta, 1);
  for (std::size_t k = 0; k < fit.classes.size(); ++k) {
    EXPECT_EQ(to_string(fit.classes[k].stop), "separated");
    EXPECT_NEAR(fit.classes[k].loss, 40e-3, 1e-6);
    double loss = 0;
    for (std::size_t n = 0; n < 40; ++n) {
      const auto m = static_cast<double>(margins[k * 40 + n]);
      loss += std::log1p(std::exp(p.labels[n] == static_cast<std::int32_t>(k) ? -m : m));
      EXPECT_GE(m, fit.classes[k].lower - 1e-4);
      EXPECT_LE(m, fit.classes[k].upper + 1e-4);
    }
    EXPECT_NEAR(loss, 40e-3, 1e-4);
  }
}

TEST_P(Solver, StopsAtThePassLimit) {
  const Problem p = make_problem(300, 10);
  SolverOptions options = tight();
  options.max_passes = 2;
  const LinearSolution fit = solve(p, 0, options);
  EXPECT_EQ(fit.passes, 2);
  for (const ClassFit& one : fit.classes) {
    EXPECT_EQ(to_string(one.stop), "pass limit");
    EXPECT_LT(one.loss, 300 * std::log(2.0));
  }
}

TEST_P(Solver, TheLabelOfARowWithoutWeightKeepsNoClassFromBeingSeparated) {
  Problem p = make_problem(40, 30, 0.0);
  p.weights.assign(40, 1.0F);
  p.weights[3] = 0;
  const LinearSolution fit = solve(p, 0);
  p.labels[3] = (p.labels[3] + 1) % 3;
  const LinearSolution other = solve(p, 0);
  EXPECT_EQ(to_string(other.classes[0].stop), "separated");
  EXPECT_EQ(fit.beta, other.beta);
}

TEST_P(Solver, SolvesMoreColumnsThanRows) {
  const Problem p = make_problem(25, 80);
  expect_close_to_newton(p, solve(p, 0.5), 0.5, 1e-5);
}

TEST_P(Solver, LeavesTheCoefficientOfAStandardisedConstantColumnAtZero) {
  Problem p = make_problem(300, 3);
  std::vector<double> values;
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 3; ++j) values.push_back(p.view.rows.at(i, j));
    values.push_back(4);  // constant
    values.push_back(0);  // zero
  }
  p.view.rows = float_rows(values, 300, 5);
  p.view.scale = standardizing_scale(column_moments(p.view.rows, {}, 1), false);
  const LinearSolution fit = solve(p, 1);
  expect_close_to_newton(p, fit, 1, 1e-5);
  EXPECT_EQ(fit.beta[4], 0);
  EXPECT_EQ(fit.beta[5], 0);
  for (const ClassFit& one : solve(p, 0).classes) EXPECT_EQ(one.stop, SolverStop::converged);
}

TEST_P(Solver, SharesTheCoefficientBetweenEqualColumns) {
  const Problem half = make_problem(200, 2);
  std::vector<double> values;
  for (std::size_t i = 0; i < 200; ++i) {
    for (const std::size_t j : {0U, 1U, 1U}) values.push_back(half.view.rows.at(i, j));
  }
  Problem p = half;
  p.view.rows = float_rows(values, 200, 3);
  const LinearSolution fit = solve(p, 0.3);
  expect_close_to_newton(p, fit, 0.3, 1e-5);
  EXPECT_NEAR(fit.beta[2], fit.beta[3], 1e-5);
}

TEST_P(Solver, TreatsAWeightAsARepetition) {
  Problem weighted = make_problem(150, 4);
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < 150; ++i) {
    weighted.weights.push_back(static_cast<float>(i % 4));
    repeated.insert(repeated.end(), i % 4, i);
  }
  Problem copied;
  copied.view.rows = take_rows(weighted.view.rows, repeated);
  for (const std::size_t i : repeated) copied.labels.push_back(weighted.labels[i]);
  const LinearSolution a = solve(weighted, 0.2);
  const LinearSolution b = solve(copied, 0.2);
  for (std::size_t i = 0; i < a.beta.size(); ++i) EXPECT_NEAR(a.beta[i], b.beta[i], 2e-5);
  EXPECT_NEAR(a.classes[0].objective, b.classes[0].objective, 1e-5 * b.classes[0].objective);
}

TEST_P(Solver, GivesTheSameBitsForAnyNumberOfThreads) {
  const Problem p = make_problem(3000, 12);
  SolverOptions options = tight();
  options.threads = 1;
  const LinearSolution one = solve(p, 0.1, options);
  options.threads = 3;
  const LinearSolution three = solve(p, 0.1, options);
  EXPECT_EQ(one.beta, three.beta);
  EXPECT_EQ(one.classes[0].lower, three.classes[0].lower);
  EXPECT_EQ(one.passes, three.passes);
}

TEST_P(Solver, AWarmStartAtTheMinimumCostsOnePass) {
  const Problem p = make_problem(500, 6);
  const auto engine = p.engine();
  LinearSolver solver(*engine, {}, tight());
  const LinearSolution cold = solver.solve(logistic_problems(3, 0.4));
  const LinearSolution warm = solver.solve(logistic_problems(3, 0.4), cold.beta);
  EXPECT_EQ(warm.passes, 1);
  EXPECT_EQ(warm.beta, cold.beta);
}

TEST_P(Solver, MinimisesALossThatIsNotConvex) {
  // A saturating loss, s/(1+s) of the logistic one: bounded, with flat tails.
  const auto table =
      std::make_shared<const LossTable>(LossTable::tabulate(-30, 30, 5, [](int label, double m) {
        const LossNode s = LossTable::logistic().at(label, m);
        return LossNode{s.value / (1 + s.value), s.slope / ((1 + s.value) * (1 + s.value))};
      }));
  const Problem p = make_problem(500, 5);
  const std::vector<PassClass> classes = {{0, table.get()}};
  const LinearProblem problem{0, table, 0.5};
  const auto engine = p.engine();
  SolverOptions options = tight();
  options.gradient_tolerance = 1e-5;
  const LinearSolution fit = LinearSolver(*engine, {}, options).solve(std::span(&problem, 1));
  EXPECT_EQ(fit.classes[0].stop, SolverStop::converged);
  const PassResult at = reference_pass(p.data(), classes, fit.beta);
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(at.gradient[j] + (j == 0 ? 0.0 : 0.5 * fit.beta[j]), 0, 2e-3);
  }
  const PassResult zero = reference_pass(p.data(), classes, std::vector<double>(6));
  EXPECT_LT(fit.classes[0].objective, zero.loss[0]);
}

INSTANTIATE_TEST_SUITE_P(Methods, Solver, ::testing::Values(SolverMethod::newton, SolverMethod::lbfgs),
                         [](const auto& method) {
                           return method.param == SolverMethod::newton ? "newton" : "lbfgs";
                         });

TEST(SolverInput, RefusesValuesOutsideTheirRange) {
  const Problem p = make_problem(20, 2);
  const auto engine = p.engine();
  SolverOptions options;
  options.gradient_tolerance = 0;
  EXPECT_THROW(LinearSolver(*engine, {}, options), UsageError);
  options = {};
  options.max_passes = 0;
  EXPECT_THROW(LinearSolver(*engine, {}, options), UsageError);
  LinearSolver solver(*engine, {}, {});
  EXPECT_THROW(solver.solve(logistic_problems(1, -1)), UsageError);
  EXPECT_THROW(solver.solve(logistic_problems(2, 1), std::vector<double>(3)), InputError);
}

// Problems of every part, ridge and class in the same passes against each of them alone on the rows of its
// part.
TEST(LinearSolver, ProblemsThatShareTheirPassesEndWhereEachEndsAlone) {
  const Problem p = make_problem(900, 6);
  RowParts parts(3, 900);
  for (std::size_t n = 0; n < 900; ++n)
    for (std::size_t i = 0; i < 3; ++i) n % 3 == i ? parts.set_held_out(n, i) : parts.set_train(n, i);
  const auto engine = make_local_engine({p.view.rows, p.labels, {}, parts}, 2);
  SolverOptions tight;
  tight.gradient_tolerance = 1e-6;
  std::vector<LinearProblem> problems;
  for (std::int32_t part = 0; part < 3; ++part)
    for (const double ridge : {0.3, 3.0})
      problems.push_back({1, logistic_table(), ridge, {Selection::Rows::train, part}});
  const LinearSolution together = LinearSolver(*engine, {}, tight).solve(problems);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    std::vector<std::size_t> which;
    Problem own;
    for (std::size_t n = 0; n < 900; ++n) {
      if (static_cast<std::int32_t>(n % 3) == problems[i].selection.part) continue;
      which.push_back(n);
      own.labels.push_back(p.labels[n]);
    }
    own.view.rows = take_rows(p.view.rows, which);
    const VectorXd exact = newton(own, 1, problems[i].ridge);
    EXPECT_LT((Eigen::Map<const VectorXd>(together.beta.data() + i * 7, 7) - exact).norm(), 1e-4) << i;
  }
}

SampleRequest sample_at(double intercept, std::size_t columns, double share, std::uint64_t seed) {
  SampleRequest request;
  request.scores.tables = {logistic_table()};
  request.scores.problems = {{1, 0, {}}};
  request.scores.beta.assign(columns + 1, 0.0);
  request.scores.beta[0] = intercept;
  request.share = share;
  request.seed = seed;
  return request;
}

TEST(SampledHessian, IsExactWhenAllRowsAreTaken) {
  Problem p = make_problem(90, 50);
  p.weights.assign(90, 0.5F);
  SampleRequest request = sample_at(0.3, 50, std::numeric_limits<double>::infinity(), 0);
  for (std::size_t j = 0; j < 50; ++j) request.scores.beta[j + 1] = 0.1 * std::cos(static_cast<double>(j));
  const Eigen::MatrixXf h = hessian_of(p.engine()->ask(request), 51, 2);
  MatrixXd exact = MatrixXd::Zero(51, 51);
  for (std::size_t i = 0; i < 90; ++i) {
    const std::vector<double> z = reference_row(p.view, i);
    VectorXd row(51);
    row << 1, Eigen::Map<const VectorXd>(z.data(), 50);
    const double m = row.dot(Eigen::Map<const VectorXd>(request.scores.beta.data(), 51));
    const double q = 1 / (1 + std::exp(-m));
    exact += 0.5 * q * (1 - q) * row * row.transpose();
  }
  for (Eigen::Index i = 0; i < 51; ++i) {
    for (Eigen::Index j = i; j < 51; ++j) EXPECT_NEAR(h(i, j), exact(i, j), 1e-3);  // the table's curvature
  }
}

// An engine may multiply the rows that it draws itself; samples of two of them add up.
TEST(SampledHessian, IsTheSameOfRowsAndOfTheirProduct) {
  const Problem p = make_problem(90, 5);
  const SampleAnswer drawn = p.engine()->ask(sample_at(0.3, 5, std::numeric_limits<double>::infinity(), 0));
  ASSERT_EQ(drawn.rows(), 90U);
  SampleAnswer multiplied;
  multiplied.product.assign(36, 0.0F);
  for (const SamplePiece& piece : drawn.pieces) {
    for (std::size_t n = 0; n < piece.weights.size(); ++n) {
      const float* z = piece.features.data() + n * SampleAnswer::stride(5);
      for (std::size_t j = 0; j < 6; ++j)
        for (std::size_t i = 0; i <= j; ++i) multiplied.product[j * 6 + i] += piece.weights[n] * z[i] * z[j];
    }
  }
  SampleAnswer both = multiplied;
  SampleAnswer again = multiplied;
  merge(both, again);
  const Eigen::MatrixXf by_rows = hessian_of(drawn, 6, 1);
  const Eigen::MatrixXf by_product = hessian_of(multiplied, 6, 1);
  const Eigen::MatrixXf twice = hessian_of(both, 6, 1);
  for (Eigen::Index j = 0; j < 6; ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      // Sums of 90 products in single precision.
      EXPECT_NEAR(by_product(i, j), by_rows(i, j), 1e-5F * by_rows.diagonal().maxCoeff());
      EXPECT_EQ(twice(i, j), 2 * by_product(i, j));
    }
  }
}

TEST(SampledHessian, IsCloseToTheWholeOne) {
  const Problem p = make_problem(20000, 4);
  const auto engine = p.engine();
  CurvatureRequest curvature;
  static_cast<ScoreRequest&>(curvature) = sample_at(1, 4, 0, 0).scores;
  const double sum = engine->ask(curvature).sum[0];
  const SampleAnswer sample = engine->ask(sample_at(1, 4, 2000 / sum, 7));
  EXPECT_NEAR(static_cast<double>(sample.rows()), 2000, 200);
  const Eigen::MatrixXf whole =
      hessian_of(engine->ask(sample_at(1, 4, std::numeric_limits<double>::infinity(), 0)), 5, 1);
  const Eigen::MatrixXf sampled = hessian_of(sample, 5, 1);
  for (Eigen::Index i = 0; i < 5; ++i) EXPECT_NEAR(sampled(i, i) / whole(i, i), 1, 0.15);
}

TEST(LinearSolver, EndsAtTheSameMinimumByTheReference) {
  const Problem p = make_problem(300, 4);
  const auto reference = make_reference_engine({p.view.rows, p.labels, {}, {}});
  SolverOptions tight;
  tight.gradient_tolerance = 1e-6;
  const LinearSolution fit = LinearSolver(*reference, {}, tight).solve(logistic_problems(3, 0.2));
  expect_close_to_newton(p, fit, 0.2, 1e-5);
}

// Newton's method of a softmax over straight links of slope 1 and a ridge a class, in double.
VectorXd multinomial(const Problem& p, std::span<const double> ridge) {
  const auto classes = static_cast<Eigen::Index>(ridge.size());
  const auto n = static_cast<Eigen::Index>(p.labels.size());
  const auto width = static_cast<Eigen::Index>(p.view.rows.columns()) + 1;
  MatrixXd z(n, width);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::vector<double> features = reference_row(p.view, static_cast<std::size_t>(i));
    z(i, 0) = 1;
    for (Eigen::Index j = 1; j < width; ++j) z(i, j) = features[static_cast<std::size_t>(j - 1)];
  }
  VectorXd beta = VectorXd::Zero(classes * width);
  for (int step = 0; step < 30; ++step) {
    VectorXd gradient = VectorXd::Zero(beta.size());
    // A constant added to all intercepts is free: a little curvature holds it at 0.
    MatrixXd hessian = MatrixXd::Zero(beta.size(), beta.size());
    for (Eigen::Index k = 0; k < classes; ++k)
      for (Eigen::Index j = 0; j < width; ++j) {
        const double r = j == 0 ? 0 : ridge[static_cast<std::size_t>(k)];
        gradient[k * width + j] += r * beta[k * width + j];
        hessian(k * width + j, k * width + j) += j == 0 ? 1e-9 : r;
      }
    for (Eigen::Index i = 0; i < n; ++i) {
      const double w = p.weights.empty() ? 1 : static_cast<double>(p.weights[static_cast<std::size_t>(i)]);
      VectorXd e(classes);
      for (Eigen::Index k = 0; k < classes; ++k)
        e[k] = std::exp(z.row(i).dot(beta.segment(k * width, width)));
      e /= e.sum();
      for (Eigen::Index k = 0; k < classes; ++k) {
        const double y = p.labels[static_cast<std::size_t>(i)] == k ? 1 : 0;
        gradient.segment(k * width, width) += w * (e[k] - y) * z.row(i).transpose();
        for (Eigen::Index l = 0; l < classes; ++l)
          hessian.block(k * width, l * width, width, width) +=
              w * (e[k] * ((k == l ? 1 : 0) - e[l])) * z.row(i).transpose() * z.row(i);
      }
    }
    beta -= hessian.ldlt().solve(gradient);
  }
  return beta;
}

class Coupled : public ::testing::TestWithParam<SolverMethod> {};

TEST_P(Coupled, ProblemsAreMultinomialRegression) {
  Problem p = make_problem(700, 4);
  RandomStream random(3);
  for (std::size_t i = 0; i < p.labels.size(); ++i) p.weights.push_back(static_cast<float>(random.below(3)));
  const std::vector<double> ridge{2, 1, 0.5};
  const auto straight = std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
    return LossNode{m, 1};
  }));
  std::vector<LinearProblem> problems;
  for (const std::int32_t k : {0, 1, 2})
    problems.push_back({k, straight, ridge[static_cast<std::size_t>(k)]});
  SolverOptions options;
  options.coupled = 3;
  options.method = GetParam();
  options.gradient_tolerance = 1e-6;
  const auto engine = p.engine();
  const LinearSolution fit = LinearSolver(*engine, {}, options).solve(problems);
  ASSERT_EQ(fit.classes[0].stop, SolverStop::converged);
  const VectorXd exact = multinomial(p, ridge);
  const auto width = static_cast<Eigen::Index>(p.view.rows.columns()) + 1;
  const VectorXd ours = Eigen::Map<const VectorXd>(fit.beta.data(), exact.size());
  // What is added to all classes changes no probability; the ridge alone holds it, more loosely.
  const auto difference = [&](const VectorXd& beta, Eigen::Index i) {
    const Eigen::Index j = i % width;
    return beta[i] - (beta[j] + beta[j + width] + beta[j + 2 * width]) / 3;
  };
  for (Eigen::Index i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(difference(ours, i), difference(exact, i), 2e-5) << i;
}

INSTANTIATE_TEST_SUITE_P(Methods, Coupled, ::testing::Values(SolverMethod::newton, SolverMethod::lbfgs));

// C blockdiag(H_k^-1) C + 1 H_c^-1 1' with C = I - 11'/classes, written out.
TEST(SetPreconditioner, HasAFactorForWhatClassesHaveInCommon) {
  RandomStream random(8);
  constexpr Eigen::Index width = 4, classes = 3;
  std::vector<std::shared_ptr<const Preconditioner>> factors;
  MatrixXd inverse = MatrixXd::Zero(classes * width, classes * width);
  MatrixXd centre = MatrixXd::Identity(classes * width, classes * width);
  MatrixXd stack = MatrixXd::Zero(classes * width, width);
  MatrixXd of_common;
  for (Eigen::Index k = 0; k <= classes; ++k) {
    MatrixXd root(width, width);
    for (double& v : root.reshaped()) v = random.normal();
    const MatrixXd h = root * root.transpose() + MatrixXd::Identity(width, width);
    factors.push_back(std::make_shared<const Preconditioner>(h.cast<float>(), std::vector<double>()));
    if (k == classes) of_common = h.inverse();
    if (k < classes) inverse.block(k * width, k * width, width, width) = h.inverse();
    for (Eigen::Index l = 0; k < classes && l < classes; ++l)
      centre.block(k * width, l * width, width, width).diagonal().array() -= 1.0 / classes;
    if (k < classes) stack.middleRows(k * width, width).setIdentity();
  }
  VectorXd g(classes * width);
  for (double& v : g) v = random.normal();
  const VectorXd expected = centre * inverse * centre * g + stack * of_common * stack.transpose() * g;
  const VectorXd solved = SetPreconditioner(factors).solve(g, 1);
  for (Eigen::Index i = 0; i < g.size(); ++i) EXPECT_NEAR(solved[i], expected[i], 1e-4) << i;
}

// The gradient of the loss of a softmax of three classes over straight links, in double.
VectorXd multinomial_gradient(const Problem& p, const VectorXd& beta) {
  const Eigen::Index width = beta.size() / 3;
  VectorXd gradient = VectorXd::Zero(beta.size());
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    VectorXd z(width);
    z[0] = 1;
    const std::vector<double> features = reference_row(p.view, i);
    for (Eigen::Index j = 1; j < width; ++j) z[j] = features[static_cast<std::size_t>(j - 1)];
    VectorXd e(3);
    for (Eigen::Index k = 0; k < 3; ++k) e[k] = std::exp(z.dot(beta.segment(k * width, width)));
    e /= e.sum();
    for (Eigen::Index k = 0; k < 3; ++k)
      gradient.segment(k * width, width) += (e[k] - (p.labels[i] == k ? 1 : 0)) * z;
  }
  return gradient;
}

TEST(CoupledProblems, ArePulledToTheirCentresByTheirStrengths) {
  const Problem p = make_problem(500, 3);
  const auto straight = std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
    return LossNode{m, 1};
  }));
  RandomStream random(4);
  std::vector<LinearProblem> problems;
  VectorXd strength(12), centre(12);
  for (Eigen::Index k = 0; k < 3; ++k) {
    auto pull = std::make_shared<Pull>();
    for (Eigen::Index j = 0; j < 4; ++j) {
      strength[k * 4 + j] = std::exp(2 * random.normal() + 2);
      centre[k * 4 + j] = random.normal();
      pull->strength.push_back(strength[k * 4 + j]);
      pull->centre.push_back(centre[k * 4 + j]);
    }
    problems.push_back({static_cast<std::int32_t>(k), straight, 1, {}, 0, pull});
  }
  SolverOptions options;
  options.coupled = 3;
  options.gradient_tolerance = 1e-7;
  for (const SolverMethod method : {SolverMethod::newton, SolverMethod::lbfgs}) {
    options.method = method;
    const auto engine = p.engine();
    const LinearSolution fit = LinearSolver(*engine, {}, options).solve(problems);
    ASSERT_EQ(fit.classes[0].stop, SolverStop::converged);
    const VectorXd beta = Eigen::Map<const VectorXd>(fit.beta.data(), 12);
    // The gradient of the whole objective vanishes.
    const VectorXd of_loss = multinomial_gradient(p, beta);
    const VectorXd of_pull = strength.cwiseProduct(beta - centre);
    for (Eigen::Index i = 0; i < 12; ++i)
      EXPECT_NEAR(of_loss[i] + of_pull[i], 0, 1e-3) << i << " of " << of_pull[i];
    EXPECT_GT(of_pull.norm(), 1);
  }
}

// Blocks of single classes alone, which see no difference between a step of one class and a step common to
// all, take several times as many (161 in place of 33 on 60,000 images).
TEST(CoupledProblems, AreSolvedInFewPasses) {
  const Problem p = make_problem(3000, 40);
  std::vector<LinearProblem> problems;
  const auto straight = std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
    return LossNode{m, 1};
  }));
  for (const std::int32_t k : {0, 1, 2}) problems.push_back({k, straight, 0.1});
  SolverOptions options;
  options.coupled = 3;
  options.method = SolverMethod::newton;
  options.gradient_tolerance = 1e-6;
  const auto engine = p.engine();
  const LinearSolution fit = LinearSolver(*engine, {}, options).solve(problems);
  EXPECT_EQ(fit.classes[0].stop, SolverStop::converged);
  EXPECT_LE(fit.passes, 20);
}

// Of very many classes each has the Hessian of all rows alike, times its curvature: the same minimum, in
// fewer passes than over a diagonal where features are correlated.
TEST(CoupledProblems, OfManyClassesEndAtTheSameMinimum) {
  constexpr int classes = 50;
  constexpr std::size_t n = 3000;
  RandomStream random(4);
  Problem p;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const auto label = static_cast<std::int32_t>(i % classes);
    const double common = 5 * random.normal();
    for (int j = 0; j < 6; ++j)
      values.push_back(common + random.normal() + 2 * std::sin(1.7 * (label + 1) * (j + 1)));
    p.labels.push_back(label);
  }
  p.view.rows = float_rows(values, n, 6);
  const auto straight = std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
    return LossNode{m, 1};
  }));
  std::vector<LinearProblem> problems;
  for (std::int32_t k = 0; k < classes; ++k) problems.push_back({k, straight, 1});
  SolverOptions options;
  options.coupled = classes;
  options.gradient_tolerance = 1e-4;
  options.max_passes = 2000;
  const auto engine = p.engine();
  std::vector<LinearSolution> fits;
  for (const SolverMethod method : {SolverMethod::automatic, SolverMethod::newton, SolverMethod::lbfgs}) {
    options.method = method;
    fits.push_back(LinearSolver(*engine, {}, options).solve(problems));
    ASSERT_EQ(fits.back().classes[0].stop, SolverStop::converged);
  }
  EXPECT_EQ(fits[0].beta, fits[2].beta);
  EXPECT_NEAR(fits[1].classes[0].objective, fits[2].classes[0].objective,
              1e-6 * fits[2].classes[0].objective);
}

TEST(CoupledProblems, ThatAPlaneSeparatesEndAtTheirLength) {
  Problem p;
  std::vector<double> values;
  for (int i = 0; i < 60; ++i) {
    values.insert(values.end(), {std::cos(2.1 * (i % 3)) + 0.001 * i, std::sin(2.1 * (i % 3))});
    p.labels.push_back(i % 3);
  }
  p.view.rows = float_rows(values, 60, 2);
  const auto straight = std::make_shared<const LossTable>(LossTable::tabulate(-1, 1, 0, [](int, double m) {
    return LossNode{m, 1};
  }));
  SolverOptions options;
  options.coupled = 3;
  const auto engine = p.engine();
  const std::vector<LinearProblem> problems{{0, straight, 0}, {1, straight, 0}, {2, straight, 0}};
  const LinearSolution fit = LinearSolver(*engine, {}, options).solve(problems);
  EXPECT_EQ(fit.classes[0].stop, SolverStop::separated);
  EXPECT_NEAR(fit.classes[0].loss, 60 * separated_loss, 1e-6);
}

}  // namespace
}  // namespace linkgistic
