#include "inference/posterior_quality.hpp"

#include <gtest/gtest.h>

namespace linkgistic {
namespace {

TEST(PosteriorQuality, WordsGrowWorseWithParetoK) {
  const auto words = [](double k) { return gaussian_quality(Inference::laplace, k, true).words; };
  EXPECT_EQ(words(0.3), "Gaussian at the mode, close to the exact posterior (Pareto k 0.3)");
  EXPECT_EQ(words(0.6), "Gaussian at the mode, usable (Pareto k 0.6)");
  EXPECT_EQ(words(0.8), "Gaussian at the mode, rough; inference mcmc is exact (Pareto k 0.8)");
  EXPECT_EQ(words(1.5), "Gaussian at the mode, poor; inference mcmc is exact (Pareto k 1.5)");
  EXPECT_EQ(gaussian_quality(Inference::laplace, 1.5, true).trouble, 1.5);
}

TEST(PosteriorQuality, TheNarrowBandsOfTheBoundForLabelsAreTold) {
  const auto narrow = [](Inference inference, bool of_labels) {
    return gaussian_quality(inference, 0.3, of_labels).words.find("too narrow") != std::string::npos;
  };
  EXPECT_TRUE(narrow(Inference::variational, true));
  EXPECT_FALSE(narrow(Inference::variational, false));
  EXPECT_FALSE(narrow(Inference::laplace, true));
}

TEST(PosteriorQuality, ChainsHaveTheDrawsSeedAndThreadsAskedFor) {
  const SamplingOptions few = sampling_options(100, 7, 3);
  EXPECT_EQ(few.draws, 100);
  EXPECT_EQ(few.warmup, 200);
  EXPECT_EQ(few.seed, 7U);
  EXPECT_EQ(few.threads, 3);
  EXPECT_EQ(sampling_options(3000, 7, 3).warmup, 1500);
}

TEST(PosteriorQuality, ChainsThatDisagreeWarn) {
  SamplingDiagnostics d;
  d.curve.r_hat = 1.2;
  const PosteriorQuality bad = sample_quality(d);
  ASSERT_EQ(bad.warnings.size(), 1U);
  EXPECT_NE(bad.warnings[0].find("R-hat 1.2"), std::string::npos);
}

TEST(PosteriorQuality, ChainsThatAgreeOnTheCurveAloneAreToldToDoSo) {
  SamplingDiagnostics d;
  d.chains = 4;
  d.draws = 1000;
  d.curve = {1.002, 3000, 2500};
  d.hyper = {1.004, 1500, 900};
  EXPECT_EQ(sample_quality(d).words.find("curve"), std::string::npos);
  d.hyper = {1.03, 150, 90};
  const PosteriorQuality fair = sample_quality(d);
  EXPECT_TRUE(fair.warnings.empty());
  for (const char* part : {"agree on the curve (R-hat 1.002", "hyper-parameters (R-hat 1.03,"}) {
    EXPECT_NE(fair.words.find(part), std::string::npos) << fair.words;
  }
  d.hyper.r_hat = 1.06;
  EXPECT_EQ(sample_quality(d).warnings.size(), 1U);
  EXPECT_NE(sample_quality(d).words.find("R-hat 1.06"), std::string::npos);
}

}  // namespace
}  // namespace linkgistic
