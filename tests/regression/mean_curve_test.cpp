// What is read off a curve's coefficients.
#include "regression/mean_curve.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regression/fit.hpp"
#include "regression/regression_rows.hpp"
#include "response/gaussian.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

// Of nu at the places, in the units of the data.
Vector at_places(const FittedRegressionState& s, const std::vector<double>& x, const Vector& kappa) {
  std::vector<double> t;
  for (const double place : x) t.push_back(s.scaling.to_t(place));
  return s.scaling.y_scale * s.source.features->values(t, kappa, 1);
}

// A fit to the estimate's own values, the hyper-parameters held, moves by what the prior pulls: exactly where
// the curve is linear in its coordinates.
TEST(PriorPull, IsWhatAFitToTheEstimateMovesBy) {
  const Rows rows = noisy_steps(40, 5);
  for (const PriorKind prior : {PriorKind::gp, PriorKind::offset}) {
    MonotoneRegressionOptions options;
    options.prior = prior;
    options.harmonics = 8;
    options.threads = 1;
    options.direction = prior == PriorKind::gp ? Direction::automatic : Direction::increasing;
    options.fixed = {{"a", 1.5}, {"gamma", 0.5}, {"mu", 0}, {"noise", 0.8}};
    if (prior == PriorKind::gp) {
      options.fixed["b"] = 2;
    } else {
      options.fixed["v"] = 0.5;
      options.fixed["scale"] = 0.5;
    }
    const auto fit_to = [&](const std::vector<double>& y) {
      MemoryRows stream(rows.x, y);
      return fit_regression(options, std::make_shared<GaussianResponse>(), stream);
    };
    const auto first = fit_to(rows.y);
    const auto second = fit_to(FittedMonotoneRegression(first).estimate(rows.x));
    const auto places = grid(first->summary.x_lower, first->summary.x_upper, 21);
    const Vector pull = at_places(*first, places, prior_pull(*first));
    Vector moved(pull.size());
    const auto before = FittedMonotoneRegression(first).estimate(places),
               after = FittedMonotoneRegression(second).estimate(places);
    for (Index i = 0; i < moved.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      moved[i] = after[at] - before[at];
    }
    const double size = moved.cwiseAbs().maxCoeff();
    ASSERT_GT(size, 0.01);
    EXPECT_LT((pull - moved).cwiseAbs().maxCoeff(), (prior == PriorKind::gp ? 1e-6 : 0.3) * size)
        << static_cast<int>(prior);
  }
}

TEST(PriorPull, IsNothingForAPosteriorThatIsNotAtAMode) {
  const Rows rows = noisy_steps(30, 6);
  MonotoneRegressionOptions options;
  options.inference = Inference::variational;
  options.harmonics = 6;
  options.threads = 1;
  MemoryRows stream(rows.x, rows.y);
  EXPECT_TRUE(prior_pull(*fit_regression(options, std::make_shared<GaussianResponse>(), stream)).isZero());
}

}  // namespace
}  // namespace linkgistic
