// The worked example of docs/likelihoods.md: counts with a log link, defined here and put through the checks
// that every likelihood passes, up to a fit.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "inference/empirical_bayes.hpp"
#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "response/pointwise_data.hpp"
#include "source/trig_source.hpp"

namespace linkgistic {
namespace {

// y in {0, 1, 2, ...} with rate e^nu: l = y nu - e^nu - log y!;  l' = y - e^nu,  l'' = l''' = -e^nu.
class PoissonLikelihood final : public Likelihood {
 public:
  [[nodiscard]] std::string_view name() const override { return "poisson"; }
  [[nodiscard]] LogDensity at(double y, double nu, const Vector&) const override {
    const double rate = std::exp(nu);
    return {y * nu - rate - std::lgamma(y + 1), y - rate, -rate, -rate};
  }
};

TEST(PoissonExample, ThreeDerivativesAreThoseOfTheValue) {
  const PoissonLikelihood poisson;
  for (const double y : {0.0, 1.0, 7.0}) {
    for (const double nu : {-3.0, 0.0, 2.5}) {
      const auto all = [&](const Vector& at) {
        const LogDensity l = poisson.at(y, at[0], {});
        return Vector{{l.value, l.first, l.second}};
      };
      const LogDensity l = poisson.at(y, nu, {});
      const Matrix numeric = numeric_jacobian(all, Vector::Constant(1, nu));
      EXPECT_LT(relative_difference(Vector{{l.first, l.second, l.third}}, numeric), 1e-9);
    }
  }
}

TEST(PoissonExample, ProbabilitiesOfAllCountsSumToOne) {
  const PoissonLikelihood poisson;
  for (const double nu : {-2.0, 0.0, 3.0}) {
    double sum = 0;
    for (int y = 0; y < 200; ++y) sum += std::exp(poisson.at(y, nu, {}).value);
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

// The number of events in unit time at this rate, by exponential waiting times.
double count_events(double rate, RandomStream& random) {
  double count = 0;
  for (double t = -std::log(random.uniform()); t < rate; t -= std::log(random.uniform())) ++count;
  return count;
}

TEST(PoissonExample, FitFindsAnIncreasingRate) {
  const auto truth = [](double x) { return 1 + std::tanh(2 * x); };
  RandomStream random(17);
  std::vector<double> x, y;
  for (int i = 0; i < 1000; ++i) {
    x.push_back(2 * random.uniform() - 1);
    y.push_back(count_events(std::exp(truth(x.back())), random));
  }
  const TrigSource family(PriorKind::offset, 8, 0.5);
  const DataFactory data = [&](const std::shared_ptr<const Features>& features) {
    return std::make_shared<PointwiseData>(features, std::make_shared<PoissonLikelihood>(), x, y,
                                           std::span<const double>{}, 1);
  };
  const EmpiricalBayes bayes(family, data, {-1, 1}, {});
  const LaplaceFit fit = bayes.fit(bayes.start(), std::vector<bool>(bayes.hyper_parameters().size(), true));
  EXPECT_TRUE(fit.converged) << fit.stop;
  const Vector kappa = fit.source.map->value(fit.mode.g);
  for (const double at : {-0.8, -0.3, 0.2, 0.7}) {
    // 100 rows near each place with a rate of at least 1.05: a standard error of the log rate of 0.1.
    EXPECT_NEAR(kappa.dot(fit.source.features->at(at)), truth(at), 0.3) << at;
  }
}

}  // namespace
}  // namespace linkgistic
