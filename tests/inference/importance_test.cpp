// The importance-sampling check on posteriors that are right, too narrow and too wide.
#include "inference/importance.hpp"

#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "inference/learn.hpp"
#include "numeric/random.hpp"
#include "response/gaussian_moments.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

struct CheckedFit {
  TrigSource family;
  std::shared_ptr<GaussianMoments> data;
  std::unique_ptr<Problem> problem;
  LaplaceFit fit;
  CheckedFit(PriorKind kind, int rows) : family(kind, 3, 0.5) {
    data = std::make_shared<GaussianMoments>(family.at(start_theta(family.hyper_parameters())).features);
    RandomStream random(9);
    std::vector<double> x, y;
    for (int i = 0; i < rows; ++i) {
      x.push_back(2 * random.uniform() - 1);
      y.push_back(x.back() + 0.4 * random.normal());
    }
    data->add(x, y, {}, 1);
    problem = std::make_unique<Problem>(
        family, [this](const std::shared_ptr<const Features>&) { return data; }, SourceRange{-1, 1});
    fit = learn(problem->held());
  }
  double k(double widened, std::uint64_t seed = 2) const {
    const LogJoint joint(fit.source, *data, fit.theta.tail(1));
    const GaussianPosterior q = laplace_posterior(problem->held(), fit);
    return pareto_k(joint, q.estimate(), widened * q.factor(), 4000, seed);
  }
};

TEST(ParetoK, IsLowForAnExactPosteriorAndHighForATooNarrowOne) {
  // A Gaussian process under Gaussian noise has a Gaussian posterior: all ratios are equal but for rounding,
  // and of a slightly wider one they are bounded.
  const CheckedFit gp(PriorKind::gp, 40);
  EXPECT_LT(gp.k(1.1), 0.5);
  // Standard deviations too small, w of the right ones: the ratio is exp((1 - w^2) |z|^2/2), and k = 1 - w^2.
  EXPECT_GT(gp.k(0.4), 0.65);
}

TEST(ParetoK, FindsThatLaplaceOfFewDataIsPoor) {
  const CheckedFit few(PriorKind::isgp, 4);
  EXPECT_GT(few.k(1), 0.3);
  EXPECT_EQ(few.k(1, 3), few.k(1, 3));
  EXPECT_NE(few.k(1, 3), few.k(1, 4));
}

}  // namespace
}  // namespace linkgistic
