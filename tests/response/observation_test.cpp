// The law of a new observation: closed forms against the general ones, which know no more than the
// distribution function given nu; labels against their definition.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "numeric/normal.hpp"
#include "response/bernoulli.hpp"
#include "response/gaussian.hpp"
#include "response/proper_loss_response.hpp"
#include "response/responses.hpp"

namespace linkgistic {
namespace {

TEST(GaussianResponse, ClosedQuantilesAreThoseOfTheGeneralMixtures) {
  const GaussianResponse gaussian;
  const Vector eta = Vector::Constant(1, 1.4);
  const Vector mean{{-2.0, 0.0, 5.0}}, variance{{0.1, 0.9, 0.02}};
  Matrix etas(1, 3);
  etas << 1.4, -0.5, 3;
  for (const double level : {0.02, 0.5, 0.9}) {
    const Vector closed = gaussian.normal_quantiles(level, mean, variance, eta);
    const Vector general = gaussian.Response::normal_quantiles(level, mean, variance, eta);
    EXPECT_LT((closed - general).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_NEAR(gaussian.mixture_quantile(level, mean, etas),
                gaussian.Response::mixture_quantile(level, mean, etas), 1e-6);
    EXPECT_NEAR(gaussian.probability_below(gaussian.quantile(level, 0.3, eta), 0.3, eta), level, 1e-12);
  }
  EXPECT_NEAR(gaussian.deviance(1.5, 0.5, eta), std::exp(1.4), 1e-12);
  EXPECT_NEAR(GaussianResponse::noise(eta), std::exp(-0.7), 1e-15);
}

TEST(LabelResponse, IsOneWithItsProbabilityWhateverTheLink) {
  for (const char* name : {"log", "square", "matsushita"}) {
    const auto response = make_response(make_loss(name));
    for (const double nu : {-1.5, 0.2, 2.0}) {
      const double p = std::exp(response->at(1, nu, {}).value);
      EXPECT_NEAR(response->mean(nu, {}), p, 1e-12) << name;
      EXPECT_NEAR(response->probability_below(0, nu, {}), 1 - p, 1e-12);
      EXPECT_EQ(response->probability_below(1, nu, {}), 1);
      EXPECT_EQ(response->quantile(1 - p - 1e-6, nu, {}), 0);
      EXPECT_EQ(response->quantile(1 - p + 1e-6, nu, {}), 1);
      EXPECT_NEAR(response->deviance(1, nu, {}), -2 * std::log(p), 1e-12);
    }
    EXPECT_TRUE(response->is_valid(0.3) && response->is_valid(1));
    EXPECT_FALSE(response->is_valid(-0.1) || response->is_valid(std::nan("")));
    EXPECT_EQ(response->has_bound(), std::string(name) == "log");
    // A new label where nu is uncertain is 1 with the mean probability, here by 1,601 nodes. The link of the
    // square loss has two sharp bends, which 32 nodes see to a few thousandths.
    double mean = 0;
    for (int k = -800; k <= 800; ++k)
      mean += response->mean(0.4 + 0.7 * k / 100.0, {}) * std::exp(-k * k / 2e4) / std::sqrt(2e4 * M_PI);
    const Vector centre = Vector::Constant(1, 0.4), variance = Vector::Constant(1, 0.49);
    EXPECT_EQ(response->normal_quantiles(1 - mean - 0.01, centre, variance, {})[0], 0) << name;
    EXPECT_EQ(response->normal_quantiles(1 - mean + 0.01, centre, variance, {})[0], 1) << name;
  }
}

TEST(NamedResponse, KnowsThoseOfTheListAndRefusesOthers) {
  for (const char* name : {"bernoulli", "gaussian"}) EXPECT_EQ(named_response(name)->name(), name);
  EXPECT_TRUE(named_response("gaussian")->has_bound());
  EXPECT_THROW(named_response("cauchy"), UsageError);
}

}  // namespace
}  // namespace linkgistic
