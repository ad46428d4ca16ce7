// Counts with a log link, put through the checks that every response passes: derivatives, the law of a new
// observation against plain sums, and a regression up to its posterior.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/derivative_check.hpp"
#include "numeric/random.hpp"
#include "regression/fit.hpp"
#include "response/responses.hpp"
#include "table/row_stream.hpp"

namespace linkgistic {
namespace {

const auto poisson = named_response("poisson");

// P(count <= y), by adding all terms.
double summed(double y, double rate) {
  long double term = std::exp(-static_cast<long double>(rate)), sum = 0;
  for (int k = 0; k <= y; ++k) {
    sum += term;
    term *= rate / (k + 1);
  }
  return static_cast<double>(sum);
}

TEST(Poisson, ThreeDerivativesAreThoseOfTheValue) {
  for (const double y : {0.0, 1.0, 7.0}) {
    for (const double nu : {-3.0, 0.0, 2.5}) {
      const auto all = [&](const Vector& at) {
        const LogDensity l = poisson->at(y, at[0], {});
        return Vector{{l.value, l.first, l.second}};
      };
      const LogDensity l = poisson->at(y, nu, {});
      const Matrix numeric = numeric_jacobian(all, Vector::Constant(1, nu));
      EXPECT_LT(relative_difference(Vector{{l.first, l.second, l.third}}, numeric), 1e-9);
    }
  }
}

TEST(Poisson, LawOfANewCountIsThatOfPlainSums) {
  for (const double rate : {0.01, 0.7, 3.0, 20.0, 400.0}) {
    const double nu = std::log(rate);
    EXPECT_NEAR(poisson->mean(nu, {}), rate, 1e-12 * rate);
    EXPECT_EQ(poisson->probability_below(-1, nu, {}), 0);
    for (const double y : {0.0, 1.0, 2.5, 5.0, 30.0, 380.0, 450.0}) {
      EXPECT_NEAR(poisson->probability_below(y, nu, {}), summed(y, rate), 1e-12) << rate << ' ' << y;
    }
    for (const double level : {0.001, 0.05, 0.5, 0.95, 0.999}) {
      double least = 0;
      while (summed(least, rate) < level) ++least;
      EXPECT_EQ(poisson->quantile(level, nu, {}), least) << rate << ' ' << level;
    }
  }
}

// P(count <= k) from the term at k downwards, in long double.
long double tail(double k, double rate) {
  long double term = std::exp(static_cast<long double>(k) * std::log(static_cast<long double>(rate)) - rate -
                              std::lgamma(static_cast<long double>(k) + 1));
  long double sum = 0;
  for (double j = k; j >= 0 && term > 1e-22L * sum; --j) {
    sum += term;
    term *= static_cast<long double>(j) / rate;
  }
  return sum;
}

TEST(Poisson, LawOfGreatRatesIsThatOfPlainSums) {
  for (const double rate : {0.99e6, 1.01e6, 3e7}) {
    for (const double z : {-5.5, -3.0, -1.0, -0.2}) {
      const double k = std::floor(rate + z * std::sqrt(rate));
      EXPECT_NEAR(poisson->probability_below(k, std::log(rate), {}), static_cast<double>(tail(k, rate)), 3e-9)
          << rate << " " << z;
    }
  }
}

TEST(Poisson, QuantilesOfAnyRateEnd) {
  for (const double nu : {10.0, 20.0, 34.0, 40.0, 300.0, 700.0}) {
    const double rate = std::exp(nu);
    for (const double level : {0.05, 0.5, 0.95}) {
      const double z = std::sqrt(rate) * (level - 0.5) / 0.45 * 1.6448536269514722;
      EXPECT_NEAR(poisson->quantile(level, nu, {}), rate + z, 2 + 1e-12 * rate) << nu << " " << level;
    }
  }
  // A posterior as wide as that of a file that somebody has changed.
  const Vector found =
      poisson->normal_quantiles(0.95, Vector::Constant(1, 1.0), Vector::Constant(1, 1e4), {});
  EXPECT_GT(found[0], 1e60);
}

TEST(Poisson, DevianceIsTwiceTheLossOfLogLikelihoodToTheRateThatIsTheCount) {
  for (const double y : {1.0, 4.0, 90.0}) {
    EXPECT_NEAR(poisson->deviance(y, std::log(y), {}), 0, 1e-10);
    EXPECT_NEAR(poisson->deviance(y, 1.0, {}), 2 * (y * (std::log(y) - 1) - y + std::exp(1.0)), 1e-10);
  }
  EXPECT_NEAR(poisson->deviance(0, 1.0, {}), 2 * std::exp(1.0), 1e-12);
}

TEST(Poisson, QuantilesOfMixturesSolveTheirDistributionFunction) {
  const Vector nu{{-1.0, 0.5, 2.0, 3.0}};
  for (const double level : {0.05, 0.4, 0.9, 0.99}) {
    const auto below = [&](double y) {
      double sum = 0;
      for (const double at : nu) sum += summed(y, std::exp(at)) / 4;
      return sum;
    };
    double least = 0;
    while (below(least) < level) ++least;
    EXPECT_EQ(poisson->mixture_quantile(level, nu, Matrix(0, 4)), least);
  }
  // nu ~ N(1.2, 0.6^2), by 4,001 nodes of equal width.
  const auto below = [&](double y) {
    double sum = 0, total = 0;
    for (int k = -2000; k <= 2000; ++k) {
      const double z = k / 250.0;
      const double weight = std::exp(-z * z / 2);
      sum += weight * summed(y, std::exp(1.2 + 0.6 * z));
      total += weight;
    }
    return sum / total;
  };
  for (const double level : {0.03, 0.5, 0.97}) {
    double least = 0;
    while (below(least) < level) ++least;
    EXPECT_EQ(poisson->normal_quantiles(level, Vector::Constant(1, 1.2), Vector::Constant(1, 0.36), {})[0],
              least);
  }
}

// The number of events in unit time at this rate, by exponential waiting times.
double count_events(double rate, RandomStream& random) {
  double count = 0;
  for (double t = -std::log(random.uniform()); t < rate; t -= std::log(random.uniform())) ++count;
  return count;
}

struct Counts {
  std::vector<double> x, y;
};

double log_rate(double x) { return 1 + std::tanh((x - 50) / 25); }

Counts counted(double sign) {
  RandomStream random(17);
  Counts rows;
  for (int i = 0; i < 1000; ++i) {
    rows.x.push_back(100 * random.uniform());
    rows.y.push_back(count_events(std::exp(log_rate(50 + sign * (rows.x.back() - 50))), random));
  }
  return rows;
}

TEST(Poisson, RegressionFindsARateThatRisesOrFalls) {
  for (const double sign : {1.0, -1.0}) {
    const Counts counts = counted(sign);
    for (const Inference inference : {Inference::laplace, Inference::mcmc}) {
      MonotoneRegressionOptions options;
      options.harmonics = 8;
      options.inference = inference;
      options.draws = 200;
      options.threads = 1;
      MemoryRows rows(counts.x, counts.y, {});
      const FittedMonotoneRegression fit(fit_regression(options, poisson, rows));
      EXPECT_EQ(fit.summary().decreasing, sign < 0);
      const std::vector<double> at{10, 35, 60, 85};
      const Prediction found = fit.predict(at, 0.9);
      for (std::size_t i = 0; i < at.size(); ++i) {
        const double rate = std::exp(log_rate(50 + sign * (at[i] - 50)));
        // 100 rows near each place with a rate of at least 1.05: a standard error of the log rate of 0.1.
        EXPECT_NEAR(std::log(found.estimate[i]), std::log(rate), 0.3) << at[i];
        EXPECT_LT(found.lower[i], found.estimate[i]);
        EXPECT_GT(found.upper[i], found.estimate[i]);
        // A new count lies within a count of where the true rate puts it.
        EXPECT_NEAR(found.obs_lower[i], poisson->quantile(0.05, std::log(rate), {}), 1) << at[i];
        EXPECT_NEAR(found.obs_upper[i], poisson->quantile(0.95, std::log(rate), {}), 2) << at[i];
      }
    }
  }
}

TEST(Poisson, RegressionRefusesWhatIsNoCountAndABoundThatIsNotKnown) {
  const auto message = [](std::vector<double> y, Inference inference) -> std::string {
    MonotoneRegressionOptions options;
    options.inference = inference;
    const std::vector<double> x{1, 2, 3};
    MemoryRows rows(x, y, {});
    try {
      fit_regression(options, poisson, rows);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({1, 2.5, 3}, Inference::laplace), "y is 2.5 in row 2: it must be a count: 0, 1, 2, ...");
  EXPECT_EQ(message({1, 2, 3}, Inference::variational),
            "inference = variational: no bound is known for the response 'poisson'; take laplace or mcmc");
}

}  // namespace
}  // namespace linkgistic
