// The draws behind a calibrator's bands: against weighted draws from the prior, and their shape.
#include "calibration/draws.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include <linkgistic/calibrator.hpp>
#include <linkgistic/error.hpp>

#include "calibration/fitted.hpp"
#include "calibration/source.hpp"
#include "loss/proper_loss.hpp"
#include "numeric/logistic.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

FittedMonotoneCalibrator small_fit(const std::string& loss = "log") {
  const std::vector<double> score{-2, -1, -0.4, 0.3, 0.8, 1.5, 2.2, 3};
  const std::vector<std::uint8_t> label{0, 0, 1, 0, 1, 1, 0, 1};
  return MonotoneCalibrator({.loss = loss, .harmonics = 2, .threads = 1}).fit(score, label);
}

// Quantiles of nu at q by draws from the prior with the likelihood as weight.
std::vector<double> weighted_quantiles(const FittedCalibratorState& state, double q,
                                       const std::vector<double>& levels) {
  const SourceModel source =
      CalibrationSource(PriorKind::offset, state.options.harmonics, state.period(), state.origin, state.prior)
          .rough();
  const auto loss = make_loss(state.options.loss);
  RandomStream random(5);
  std::vector<std::pair<double, double>> draws;
  double total = 0;
  for (int s = 0; s < 200000; ++s) {
    const Vector kappa = source.map->value(source.prior.draw(random));
    double log_weight = 0;
    for (std::size_t n = 0; n < state.rows.size(); ++n) {
      const double nu = kappa.dot(source.features->at(state.t(state.rows.x[n])));
      log_weight += state.rows.weight[n] * loss->log_likelihood(state.rows.y[n] > 0.5 ? 1 : 0, nu).value;
    }
    draws.emplace_back(kappa.dot(source.features->at(state.t(q))), std::exp(log_weight));
    total += draws.back().second;
  }
  std::sort(draws.begin(), draws.end());
  std::vector<double> result;
  for (const double level : levels) {
    double sum = 0;
    for (const auto& [value, weight] : draws) {
      sum += weight;
      if (sum < level * total) continue;
      result.push_back(value);
      break;
    }
  }
  return result;
}

class CalibrationDrawsOf : public testing::TestWithParam<std::string> {};

TEST_P(CalibrationDrawsOf, HaveTheQuantilesOfThePriorWeightedByTheLikelihood) {
  const FittedMonotoneCalibrator fit = small_fit(GetParam());
  const FittedCalibratorState& state = fit.state();
  const CalibrationDraws& draws = state.draws->get(state);
  for (const double share : {0.0, 0.5, 1.0}) {
    const auto at = draws.place((1 - share) * state.q_lower + share * state.q_upper);
    const auto node = static_cast<Index>(at.cell + (at.share > 0.5 ? 1 : 0));
    const double q = draws.node[static_cast<std::size_t>(node)];
    std::vector<double> values(static_cast<std::size_t>(draws.nu.rows()));
    for (std::size_t s = 0; s < values.size(); ++s) {
      values[s] = draws.nu(static_cast<Index>(s), node);
    }
    std::sort(values.begin(), values.end());
    const std::vector<double> levels{0.05, 0.5, 0.95};
    const std::vector<double> expected = weighted_quantiles(state, q, levels);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      // The share of draws below the reference quantile; 1,000 draws, some 200 of them effective.
      const auto below = std::lower_bound(values.begin(), values.end(), expected[k]) - values.begin();
      EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(values.size()), levels[k],
                  levels[k] == 0.5 ? 0.1 : 0.035)
          << share << " " << levels[k];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, CalibrationDrawsOf, testing::Values("log", "square", "alpha=2"));

TEST(CalibrationDraws, IncreaseAndSoDoBothEndsOfABand) {
  const FittedMonotoneCalibrator fit = small_fit();
  const CalibrationDraws& draws = fit.state().draws->get(fit.state());
  for (Index s = 0; s < draws.nu.rows(); ++s) {
    for (Index i = 1; i < draws.nu.cols(); ++i) {
      ASSERT_GE(draws.nu(s, i), draws.nu(s, i - 1));
    }
  }
  std::vector<double> score;
  for (int i = -400; i <= 400; ++i) score.push_back(0.02 * i);
  const CalibratedScores p = fit.predict(score);
  EXPECT_TRUE(std::is_sorted(p.lower.begin(), p.lower.end()));
  EXPECT_TRUE(std::is_sorted(p.upper.begin(), p.upper.end()));
}

TEST(CalibrationDraws, AreTheSameFromTheFile) {
  const FittedMonotoneCalibrator fit = small_fit();
  const std::vector<double> score{-3, 0, 1, 5};
  const auto again = FittedMonotoneCalibrator::from_json(fit.to_json(), "test");
  EXPECT_EQ(again.predict(score).lower, fit.predict(score).lower);
  EXPECT_EQ(again.predict(score).upper, fit.predict(score).upper);
}

struct Rows {
  std::vector<double> score;
  std::vector<std::uint8_t> label;
};

// Labels with the log odds `slope` times the score; `distinct`: 0, or the number of different scores.
Rows simulate(int n, int distinct, double slope, std::uint64_t seed) {
  RandomStream random(seed, static_cast<std::uint64_t>(n));
  Rows rows;
  for (int i = 0; i < n; ++i) {
    const double score = distinct > 0
                             ? static_cast<double>(random.below(static_cast<std::uint64_t>(distinct))) - 2
                             : 2 * random.normal();
    rows.score.push_back(score);
    rows.label.push_back(random.uniform() < sigmoid(slope * score) ? 1 : 0);
  }
  return rows;
}

// A faint mode that one chain has met and another not is rare, and told.
TEST(CalibrationDraws, ComeFromFourChainsThatNearlyAlwaysAgree) {
  int good = 0, sets = 0;
  for (const int distinct : {0, 5}) {
    for (const int n : {50, 200}) {
      for (const std::uint64_t seed : {3, 4, 5}) {
        const Rows rows = simulate(n, distinct, 1, seed);
        const auto fit = MonotoneCalibrator().fit(rows.score, rows.label);
        const CalibrationDraws& draws = fit.state().draws->get(fit.state());
        const SamplingDiagnostics& chains = draws.posterior.chains;
        EXPECT_EQ(chains.chains, 4);
        EXPECT_EQ(draws.nu.rows(), calibration_draw_count);
        EXPECT_EQ(fit.warnings().empty(), chains.good());
        ++sets;
        if (chains.r_hat() < 1.01 && std::min(chains.bulk_ess(), chains.tail_ess()) > 400) ++good;
      }
    }
  }
  EXPECT_GE(good, sets - 2);
}

// The likelihood of a bounded link is nearly a wall at its ends.
TEST(CalibrationDraws, OfBoundedLinksNearlyAlwaysAgree) {
  int good = 0, sets = 0;
  for (const char* loss : {"square", "spherical", "beta=0.5,0.5"}) {
    for (const std::uint64_t seed : {3, 4}) {
      const Rows rows = simulate(200, 0, 1, seed);
      const auto fit = MonotoneCalibrator({.loss = loss, .harmonics = 8}).fit(rows.score, rows.label);
      ++sets;
      if (fit.state().draws->get(fit.state()).posterior.chains.good()) ++good;
    }
  }
  EXPECT_GE(good, sets - 1);
}

TEST(CalibrationDraws, DependOnTheSeedAndNotOnTheThreads) {
  const Rows rows = simulate(100, 0, 1, 4);
  const auto band = [&](std::uint64_t seed, int threads, Inference inference = Inference::mcmc) {
    CalibratorOptions options;
    options.inference = inference;
    options.harmonics = 3;
    options.seed = seed;
    options.threads = threads;
    const auto fit = MonotoneCalibrator(options).fit(rows.score, rows.label);
    const auto again = FittedMonotoneCalibrator::from_json(fit.to_json(), "test");
    EXPECT_EQ(again.options().seed, seed);
    EXPECT_EQ(again.predict(rows.score).lower, fit.predict(rows.score).lower);
    return fit.predict(rows.score).lower;
  };
  EXPECT_EQ(band(1, 1), band(1, 3));
  EXPECT_NE(band(1, 1), band(2, 1));
  EXPECT_NE(band(1, 1, Inference::laplace), band(2, 1, Inference::laplace));
}

TEST(CalibrationDraws, WarnOnceTheyAreMadeWhereTheChainsDisagree) {
  const Rows rows = simulate(50, 0, 1, 5);
  const auto fit = MonotoneCalibrator({.harmonics = 2}).fit(rows.score, rows.label);
  EXPECT_EQ(fit.warnings(), fit.summary().warnings);
  SamplingDiagnostics bad;
  bad.curve.r_hat = 1.2;
  bad.chains = 4;
  bad.draws = 500;
  const auto state = std::make_shared<FittedCalibratorState>(fit.state());
  state->draws =
      std::make_shared<LazyCalibrationDraws>(CalibrationDraws{{}, {}, {{}, chain_quality(bad), bad}});
  const auto warnings = FittedMonotoneCalibrator(state).warnings();
  ASSERT_EQ(warnings.size(), fit.summary().warnings.size() + 1);
  EXPECT_NE(warnings.back().find("R-hat 1.2"), std::string::npos) << warnings.back();
  EXPECT_NE(warnings.back().find("another seed"), std::string::npos) << warnings.back();
}

// A map that bends more than a line: 90 % of the scores lie in the band, in the mean over data sets.
TEST(CalibrationDraws, CoverACube) {
  double covered = 0, count = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    RandomStream random(77, seed);
    const auto truth = [](double s) { return sigmoid(0.1 * s * s * s + 0.2 * s); };
    std::vector<double> score, fresh;
    std::vector<std::uint8_t> label;
    for (int i = 0; i < 200; ++i) {
      score.push_back(2 * random.normal());
      fresh.push_back(2 * random.normal());
      label.push_back(random.uniform() < truth(score.back()) ? 1 : 0);
    }
    const CalibratedScores p = MonotoneCalibrator({.threads = 1}).fit(score, label).predict(fresh, 0.9);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      covered += p.lower[i] <= truth(fresh[i]) && truth(fresh[i]) <= p.upper[i] ? 1 : 0;
      count += 1;
    }
  }
  // Standard error .02 over 30 data sets. Laplace's bands of the point's own prior have .75.
  EXPECT_GT(covered / count, 0.82);
  EXPECT_LT(covered / count, 0.95);
}

// Many rows of a straight map: the posterior is nearly Gaussian, and all three agree.
TEST(CalibrationInference, AllBandsAgreeWhereRowsAreMany) {
  RandomStream random(5);
  std::vector<double> score(20000);
  std::vector<std::uint8_t> label(score.size());
  for (std::size_t n = 0; n < score.size(); ++n) {
    score[n] = 2 * random.normal();
    label[n] = random.uniform() < 1 / (1 + std::exp(-score[n])) ? 1 : 0;
  }
  const std::vector<double> at{-2, 0, 2};
  std::map<Inference, CalibratedScores> bands;
  for (const Inference inference : {Inference::laplace, Inference::variational, Inference::mcmc}) {
    CalibratorOptions options;
    options.inference = inference;
    const auto fit = MonotoneCalibrator(options).fit(score, label);
    bands[inference] = fit.predict(at);
    const auto again = FittedMonotoneCalibrator::from_json(fit.to_json(), "memory");
    EXPECT_EQ(again.options().inference, inference);
    EXPECT_EQ(again.predict(at).upper, bands[inference].upper);
    EXPECT_NE(fit.posterior().find(inference == Inference::mcmc ? "R-hat" : "Pareto k"), std::string::npos);
  }
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto width = [&](Inference inference) {
      return bands[inference].upper[i] - bands[inference].lower[i];
    };
    const double exact = width(Inference::mcmc);
    EXPECT_NEAR(width(Inference::laplace), exact, 0.3 * exact) << at[i];
    // The quadratic bound of the logistic likelihood is known to be too sure.
    EXPECT_LT(width(Inference::variational), 1.2 * exact) << at[i];
    EXPECT_GT(width(Inference::variational), 0.4 * exact) << at[i];
    EXPECT_EQ(bands[Inference::laplace].probability[i], bands[Inference::mcmc].probability[i]);
  }
}

// Where rows are many and frequencies few the posterior is nearly Gaussian, though each row is a hundred.
TEST(CalibrationInference, LaplaceOfManyWeightedRowsIsFoundToBeClose) {
  const Rows rows = simulate(2000, 0, 1, 6);
  CalibratorOptions options;
  options.inference = Inference::laplace;
  options.harmonics = 2;
  const std::vector<double> weight(rows.score.size(), 100);
  const auto fit = MonotoneCalibrator(options).fit(rows.score, rows.label, weight);
  EXPECT_LT(fit.state().draws->get(fit.state()).posterior.quality.pareto_k, 0.5);
}

TEST(CalibrationInference, TheBoundNeedsTheLogLoss) {
  CalibratorOptions options;
  options.inference = Inference::variational;
  options.loss = "square";
  EXPECT_THROW(MonotoneCalibrator{options}, UsageError);
}

}  // namespace
}  // namespace linkgistic
