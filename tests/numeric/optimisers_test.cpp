// Newton's method and the bounded maximiser on functions with known optima.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/derivative_check.hpp"
#include "numeric/maximise.hpp"
#include "numeric/newton.hpp"

namespace linkgistic {
namespace {

// (1 - x)^2 + 100 (y - x^2)^2, minimum 0 at (1, 1).
class Rosenbrock final : public NewtonObjective {
 public:
  [[nodiscard]] double value(const Vector& x) const override {
    return std::pow(1 - x[0], 2) + 100 * std::pow(x[1] - x[0] * x[0], 2);
  }
  double derivatives(const Vector& x, Vector& gradient, Matrix& hessian) const override {
    const double d = x[1] - x[0] * x[0];
    gradient = Vector{{-2 * (1 - x[0]) - 400 * x[0] * d, 200 * d}};
    hessian = Matrix{{2 - 400 * d + 800 * x[0] * x[0], -400 * x[0]}, {-400 * x[0], 200}};
    return value(x);
  }
};

// x^4/4 - x^2/2 + y^2/2: a saddle at 0, minima -1/4 at (+-1, 0).
class DoubleWell final : public NewtonObjective {
 public:
  [[nodiscard]] double value(const Vector& x) const override {
    return std::pow(x[0], 4) / 4 - x[0] * x[0] / 2 + x[1] * x[1] / 2;
  }
  double derivatives(const Vector& x, Vector& gradient, Matrix& hessian) const override {
    gradient = Vector{{std::pow(x[0], 3) - x[0], x[1]}};
    hessian = Matrix{{3 * x[0] * x[0] - 1, 0}, {0, 1}};
    return value(x);
  }
};

TEST(Newton, FindsTheMinimumOfRosenbrocksValley) {
  const NewtonResult result = minimise_newton(Rosenbrock(), Vector{{-1.2, 1.0}});
  EXPECT_EQ(result.stop, NewtonStop::converged);
  EXPECT_LT((result.x - Vector{{1, 1}}).norm(), 1e-10);
  EXPECT_LT(result.iterations, 60);
}

TEST(Newton, LeavesTheNeighbourhoodOfASaddle) {
  const NewtonResult result = minimise_newton(DoubleWell(), Vector{{1e-3, 1.0}});
  EXPECT_EQ(result.stop, NewtonStop::converged);
  EXPECT_NEAR(result.x[0], 1, 1e-10);
}

// 1e12 (x^2 - 2)^2: the gradient cannot be smaller than about 1e-3 in double precision.
class SteepWell final : public NewtonObjective {
 public:
  [[nodiscard]] double value(const Vector& x) const override { return 1e12 * std::pow(x[0] * x[0] - 2, 2); }
  double derivatives(const Vector& x, Vector& gradient, Matrix& hessian) const override {
    gradient = Vector{{4e12 * x[0] * (x[0] * x[0] - 2)}};
    hessian = Matrix{{4e12 * (3 * x[0] * x[0] - 2)}};
    return value(x);
  }
};

TEST(Newton, HasConvergedWhereRoundingLeavesNothingToGain) {
  const NewtonResult result = minimise_newton(SteepWell(), Vector{{1.0}});
  EXPECT_EQ(result.stop, NewtonStop::converged);
  EXPECT_NEAR(result.x[0], std::sqrt(2.0), 1e-15);
}

TEST(Newton, NeverGoesUpAndSaysWhenItRanOutOfSteps) {
  NewtonOptions options;
  options.max_iterations = 3;
  const Vector start{{-1.2, 1.0}};
  const NewtonResult result = minimise_newton(Rosenbrock(), start, options);
  EXPECT_EQ(result.stop, NewtonStop::iteration_limit);
  EXPECT_LE(result.value, Rosenbrock().value(start));
  options.max_iterations = 0;  // also where it was to take none
  EXPECT_EQ(minimise_newton(Rosenbrock(), start, options).stop, NewtonStop::iteration_limit);
}

TEST(Maximise, FindsAnOptimumOnTheBound) {
  // -(x - 3)^2 - (y + 1)^2 with x <= 2: the best is (2, -1).
  const auto f = [](const Vector& x, Vector& g) {
    g = Vector{{-2 * (x[0] - 3), -2 * (x[1] + 1)}};
    return -std::pow(x[0] - 3, 2) - std::pow(x[1] + 1, 2);
  };
  const MaximiseResult result = maximise(f, Vector::Zero(2), Vector{{-5, -5}}, Vector{{2, 5}});
  EXPECT_TRUE(result.converged);
  EXPECT_LT((result.x - Vector{{2, -1}}).norm(), 1e-6);
}

TEST(Maximise, NeverReturnsLessThanTheStartEvenWithAWrongGradient) {
  const auto f = [](const Vector& x, Vector& g) {
    g = Vector::Constant(1, 2 * x[0]);  // the sign is wrong
    return -x[0] * x[0];
  };
  const MaximiseResult result =
      maximise(f, Vector::Constant(1, 0.5), Vector::Constant(1, -9), Vector::Constant(1, 9));
  EXPECT_GE(result.value, -0.25);
}

TEST(Maximise, LetsExceptionsThrough) {
  const auto f = [](const Vector&, Vector&) -> double { throw std::runtime_error("no"); };
  EXPECT_THROW(maximise(f, Vector::Zero(1), Vector::Constant(1, -1), Vector::Constant(1, 1)),
               std::runtime_error);
}

TEST(Maximise, EndsWithTheBestPointWhenInterrupted) {
  for (const int evaluations : {0, 1, 3}) {
    int count = 0;
    double best = -1e300;
    const auto f = [&](const Vector& x, Vector& g) {
      if (count == evaluations) throw Interrupted();
      ++count;
      g = Vector::Constant(1, -4 * std::pow(x[0] - 3, 3));
      best = std::max(best, -std::pow(x[0] - 3, 4));
      return -std::pow(x[0] - 3, 4);
    };
    const MaximiseResult result =
        maximise(f, Vector::Zero(1), Vector::Constant(1, -9), Vector::Constant(1, 9));
    EXPECT_EQ(result.stop, "interrupted");
    EXPECT_FALSE(result.converged);
    EXPECT_EQ(result.evaluations, evaluations);
    EXPECT_GE(-std::pow(result.x[0] - 3, 4), evaluations == 0 ? -81 : best);
  }
}

TEST(DerivativeCheck, FindsTheDerivativesOfKnownFunctionsAndTellsAWrongOne) {
  const Vector x{{0.3, -1.7}};
  const auto f = [](const Vector& at) { return std::sin(at[0]) * std::exp(at[1]); };
  const Vector exact{{std::cos(x[0]) * std::exp(x[1]), std::sin(x[0]) * std::exp(x[1])}};
  EXPECT_LT(relative_difference(numeric_gradient(f, x), exact), 1e-11);
  EXPECT_GT(relative_difference(numeric_gradient(f, x), 1.001 * exact), 1e-5);
}

}  // namespace
}  // namespace linkgistic
