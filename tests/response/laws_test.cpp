// The law of an observation of each response against its own density, summed or integrated; and rows in two
// measures against rows one by one.
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "response/measure_data.hpp"
#include "response/pointwise_data.hpp"
#include "response/responses.hpp"
#include "source/integrated_harmonics.hpp"

namespace linkgistic {
namespace {

struct Law {
  std::shared_ptr<const Response> response;
  Vector eta;
  double nu;
};

std::vector<Law> counts() {
  std::vector<Law> laws;
  for (const double nu : {-2.0, 0.3, 3.0}) {
    laws.push_back({named_response("poisson"), {}, nu});
    laws.push_back({named_response("bernoulli"), {}, nu});
    laws.push_back({make_binomial_response(17), {}, nu});
    for (const double eta : {-6.0, -1.0, 1.5})
      laws.push_back({named_response("negative-binomial"), Vector::Constant(1, eta), nu});
  }
  return laws;
}

TEST(Laws, OfCountsSumToTheirDistribution) {
  for (const Law& law : counts()) {
    SCOPED_TRACE(std::string(law.response->name()) + " " + std::to_string(law.nu));
    double sum = 0, mean = 0;
    const bool few = law.response->name() == "bernoulli" || law.response->name() == "binomial";
    const double last = law.response->name() == "bernoulli" ? 1 : few ? 17 : 3000;
    for (double k = 0; k <= last; ++k) {
      const double p = std::exp(law.response->at(k, law.nu, law.eta).value);
      sum += p;
      mean += k * p;
      ASSERT_NEAR(law.response->probability_below(k, law.nu, law.eta), sum, 1e-11) << k;
      ASSERT_NEAR(law.response->probability_below(k + 0.5, law.nu, law.eta), sum, 1e-11) << k;
    }
    EXPECT_NEAR(sum, 1, 1e-10);
    EXPECT_NEAR(mean, law.response->mean(law.nu, law.eta) * (few ? last : 1), 1e-8 * (1 + mean));
    EXPECT_EQ(law.response->probability_below(-1, law.nu, law.eta), 0);
    for (const double level : {0.001, 0.05, 0.5, 0.95, 0.999}) {
      double least = 0;
      while (law.response->probability_below(least, law.nu, law.eta) < level) ++least;
      EXPECT_EQ(law.response->quantile(level, law.nu, law.eta), least) << level;
    }
  }
}

TEST(Laws, OfAmountsIntegrateToTheirDistribution) {
  std::vector<Law> laws;
  for (const double eta : {0.3, 1.0, 4.0, 9.0})
    laws.push_back({named_response("gamma"), Vector::Constant(1, eta), 0.7});
  for (const double freedom : {0.2, 1.0, 5.0})
    laws.push_back({named_response("student"), Vector{{0.8, freedom}}, 0.7});
  for (const Law& law : laws) {
    SCOPED_TRACE(std::string(law.response->name()) + " " + std::to_string(law.eta[law.eta.size() - 1]));
    double last_level = 0, last_y = 0;
    for (const double level : {0.05, 0.3, 0.6, 0.9, 0.97}) {
      const double y = law.response->quantile(level, law.nu, law.eta);
      EXPECT_NEAR(law.response->probability_below(y, law.nu, law.eta), level, 1e-10);
      if (last_level > 0) {
        // Simpson's rule between two quantiles.
        constexpr int n = 2000;
        const double h = (y - last_y) / n;
        double sum = 0;
        for (int k = 0; k <= n; ++k) {
          const double factor = k == 0 || k == n ? 1 : k % 2 == 1 ? 4 : 2;
          sum += factor * std::exp(law.response->at(last_y + k * h, law.nu, law.eta).value);
        }
        EXPECT_NEAR(sum * h / 3, level - last_level, 1e-9) << level;
      }
      last_level = level;
      last_y = y;
    }
  }
}

// Many quantiles are interpolated in the deviation of nu; one by one they are not.
TEST(Laws, QuantilesOfManyMixturesAreThoseOfEach) {
  for (const auto& [name, eta] :
       {std::pair<const char*, Vector>{"student", Vector{{0.8, 1.0}}}, {"gamma", Vector::Constant(1, 0.7)}}) {
    const auto response = named_response(name);
    Vector mean(200), variance(200);
    RandomStream random(2);
    for (Index i = 0; i < mean.size(); ++i) {
      mean[i] = random.normal();
      variance[i] = i == 7 ? 25 : std::pow(0.02 + random.uniform(), 2);
    }
    for (const double level : {0.05, 0.7}) {
      const Vector many = response->normal_quantiles(level, mean, variance, eta);
      for (Index i = 0; i < mean.size(); i += 9) {
        const double one =
            response->normal_quantiles(level, mean.segment(i, 1), variance.segment(i, 1), eta)[0];
        EXPECT_NEAR(many[i], one, 1e-7 * (1 + std::abs(one))) << name << ' ' << i;
      }
      EXPECT_NEAR(many[7],
                  response->normal_quantiles(level, mean.segment(7, 1), variance.segment(7, 1), eta)[0],
                  1e-9);
    }
  }
}

TEST(Laws, SaturatedIsTheGreatestDensity) {
  for (const Law& law : counts()) {
    const double y = law.response->name() == "bernoulli" ? 1 : 4;
    double greatest = -std::numeric_limits<double>::infinity();
    for (double nu = -12; nu < 12; nu += 1e-3)
      greatest = std::fmax(greatest, law.response->at(y, nu, law.eta).value);
    EXPECT_NEAR(law.response->saturated(y, law.eta), greatest, 1e-4) << law.response->name();
  }
  const auto gamma = named_response("gamma");
  EXPECT_NEAR(gamma->deviance(3, std::log(3.0), Vector::Constant(1, 1.3)), 0, 1e-12);
  EXPECT_NEAR(gamma->deviance(3, 0.2, Vector::Zero(1)), 2 * (3 * std::exp(-0.2) - 1 - std::log(3) + 0.2),
              1e-12);
}

TEST(Responses, AreSoundAtTheEnds) {
  for (const Law& law : counts()) {
    for (const double nu : {-1e3, -300.0, 300.0}) {
      const LogDensity l = law.response->at(1, nu, law.eta);
      EXPECT_FALSE(std::isnan(l.value) || std::isnan(l.first) || std::isnan(l.second) || std::isnan(l.third))
          << law.response->name() << ' ' << nu;
    }
  }
}

// MeasureData has what rows one by one have, in value and all derivatives.
TEST(MeasureData, StandsForTheRows) {
  const auto features = std::make_shared<IntegratedHarmonics>(6, 0.5);
  RandomStream random(3);
  for (const auto& [name, eta] : {std::pair<const char*, Vector>{"poisson", {}},
                                  {"bernoulli", {}},
                                  {"gamma", Vector::Constant(1, 0.9)}}) {
    SCOPED_TRACE(name);
    const auto response = named_response(name);
    const auto summed = std::dynamic_pointer_cast<const SummedResponse>(response);
    std::vector<double> x, y, w, shift;
    MeasurePoints a, b;
    MeasureSums sums;
    for (int i = 0; i < 300; ++i) {
      x.push_back(std::round(40 * (2 * random.uniform() - 1)) / 40);  // with ties
      y.push_back(std::string(name) == "gamma" ? -std::log(random.uniform()) : double(random.below(2)));
      w.push_back(1 + double(random.below(3)));
      shift.push_back(0.3 - double(random.below(2)));
      const RowMeasures m = summed->measures(y.back(), 1, 1);
      a.add(x.back(), w.back() * m.a, shift.back());
      b.add(x.back(), w.back() * m.b, shift.back());
      sums.weight += w.back();
      sums.constant += w.back() * m.constant;
      sums.scaled += w.back() * m.scaled;
    }
    b.merge_ties();
    EXPECT_LE(b.size(), std::string(name) == "gamma" ? 300U : 162U);
    const MeasureData measures(features, summed, a, b, sums, 1);
    const PointwiseData plain(features, response, x, y, w, 1, shift);
    const Vector kappa = Vector::NullaryExpr(features->size(), [&] { return 0.3 * random.normal(); });
    const DataDerivatives m = measures.derivatives(kappa, eta), p = plain.derivatives(kappa, eta);
    EXPECT_NEAR(m.value, p.value, 1e-11 * std::abs(p.value));
    EXPECT_NEAR(measures.value(kappa, eta), p.value, 1e-11 * std::abs(p.value));
    EXPECT_LT(relative_difference(m.gradient, p.gradient), 1e-11);
    EXPECT_LT(relative_difference(m.curvature, p.curvature), 1e-11);
    const Matrix t = Matrix::Identity(kappa.size(), kappa.size());
    EXPECT_LT(relative_difference(measures.third(kappa, eta, t), plain.third(kappa, eta, t)), 1e-11);
    const DataGradient first = measures.gradient(kappa, eta, true),
                       by_rows = plain.gradient(kappa, eta, true);
    EXPECT_NEAR(first.value, p.value, 1e-11 * std::abs(p.value));
    EXPECT_LT(relative_difference(first.kappa, by_rows.kappa), 1e-11);
    for (Index i = 0; i < eta.size(); ++i) {
      EXPECT_NEAR(first.eta[i], by_rows.eta[i], 1e-10 * std::abs(by_rows.eta[i]));
      const DataDerivatives dm = measures.hyper_derivatives(kappa, eta, i),
                            dp = plain.hyper_derivatives(kappa, eta, i);
      EXPECT_NEAR(dm.value, dp.value, 1e-10 * std::abs(dp.value));
      EXPECT_LT(relative_difference(dm.gradient, dp.gradient), 1e-11);
      EXPECT_LT(relative_difference(dm.curvature, dp.curvature), 1e-11);
    }
    if (!response->has_bound()) continue;
    const QuadraticBound qm = measures.quadratic_bound(kappa, 0.01 * t, eta),
                         qp = plain.quadratic_bound(kappa, 0.01 * t, eta);
    EXPECT_NEAR(qm.constant, qp.constant, 1e-11 * std::abs(qp.constant));
    EXPECT_LT(relative_difference(qm.linear, qp.linear), 1e-11);
    EXPECT_LT(relative_difference(qm.gram, qp.gram), 1e-11);
    EXPECT_LE(qm.at(kappa), m.value);
  }
}

}  // namespace
}  // namespace linkgistic
