// The posterior of coefficients and link together against brute force and differences.
#include "classification/weight_posterior.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/bent_rows.hpp"
#include "classification/coefficient_errors.hpp"
#include "classification/link_fit.hpp"
#include "engine/local_engine.hpp"
#include "numeric/logistic.hpp"
#include "numeric/normal.hpp"

namespace linkgistic {
namespace {

// A link that bends, over scores from -3 to 3.
LinkPlace bent_link() {
  LinkHyper hyper;
  hyper.harmonics = 4;
  hyper.v = 0.3;
  const LinkFamily family(hyper);
  LinkPlace link;
  link.range = {-3, 3};
  link.source = family.source(family.theta(link.range));
  link.g = link.source.prior.mean;
  for (Index i = 0; i < link.g.size(); ++i) link.g[i] += 0.1 * std::sin(1.0 + 2.0 * static_cast<double>(i));
  return link;
}

double nu_at(const LinkPlace& link, double score) {
  const double at[] = {score};
  return link_tangents(link, at).nu[0];
}

TEST(WeightPosterior, TangentsAreTheDifferencesOfTheLink) {
  const LinkPlace link = bent_link();
  constexpr double h = 1e-6;
  for (const double score : {-4.0, -2.9, -0.7, 0.0, 1.3, 2.5, 3.8}) {
    const double at[] = {score};
    const LinkTangents t = link_tangents(link, at);
    EXPECT_NEAR(t.slope[0], (nu_at(link, score + h) - nu_at(link, score - h)) / (2 * h), 1e-6) << score;
    for (Index i = 0; i < link.size(); ++i) {
      LinkPlace left = link, right = link;
      left.g[i] -= h;
      right.g[i] += h;
      EXPECT_NEAR(t.psi(i, 0), (nu_at(right, score) - nu_at(left, score)) / (2 * h), 1e-6)
          << score << ' ' << i;
    }
  }
}

TEST(WeightPosterior, TheInformationIsTheExpectedSquareOfTheGradient) {
  const ClassificationData data = bent_rows(300, 3, 2, 4);
  EngineRows rows;
  rows.rows = data.rows.matrix();
  rows.labels = data.labels;
  const auto engine = make_local_engine(rows, 1);
  const ColumnScale scale{{0.1, -0.2, 0.3}, {1.2, 0.8, 1}};
  const std::vector<double> beta{0.2, 1.1, -0.4, 0.3};
  const LinkPlace identity;
  for (const LinkPlace& link : {bent_link(), identity}) {
    const BaseLoss base("log");
    const Matrix found = joint_information({*engine, scale, 1, beta, base, 1}, link);
    const Index size = 4 + link.size();
    ASSERT_EQ(found.rows(), size);
    // The gradient of nu by differences, row after row.
    Matrix wanted = Matrix::Zero(size, size);
    constexpr double h = 1e-5;
    for (std::size_t n = 0; n < data.labels.size(); ++n) {
      const auto nu = [&](const std::vector<double>& b, const LinkPlace& l) {
        double score = b[0];
        for (std::size_t j = 0; j < 3; ++j)
          score += b[j + 1] * (data.rows.matrix().at(n, j) - scale.shift[j]) * scale.scale[j];
        return nu_at(l, score);
      };
      Vector x(size);
      for (Index i = 0; i < size; ++i) {
        std::vector<double> left = beta, right = beta;
        LinkPlace below = link, above = link;
        if (i < 4) {
          left[static_cast<std::size_t>(i)] -= h;
          right[static_cast<std::size_t>(i)] += h;
        } else {
          below.g[i - 4] -= h;
          above.g[i - 4] += h;
        }
        x[i] = (nu(right, above) - nu(left, below)) / (2 * h);
      }
      const double p = sigmoid(nu(beta, link));
      wanted += p * (1 - p) * x * x.transpose();
    }
    EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), 2e-4 * wanted.cwiseAbs().maxCoeff());
  }
}

// Of the logistic loss the information is the Hessian: the posterior is Laplace's of logistic regression.
TEST(WeightPosterior, OfAStraightLinkIsThatOfRidgeRegression) {
  const ClassificationData data = bent_rows(200, 2, 2, 5);
  EngineRows rows;
  rows.rows = data.rows.matrix();
  rows.labels = data.labels;
  const auto engine = make_local_engine(rows, 1);
  const std::vector<double> beta{0.1, 0.9, -0.5};
  const auto loss = [&](const std::vector<double>& b) {
    double sum = 0.5 * 2 * (b[1] * b[1] + b[2] * b[2]);
    for (std::size_t n = 0; n < data.labels.size(); ++n) {
      double score = b[0];
      for (std::size_t j = 0; j < 2; ++j) score += b[j + 1] * data.rows.matrix().at(n, j);
      sum += softplus(data.labels[n] == 1 ? -score : score);
    }
    return sum;
  };
  Matrix hessian(3, 3);
  constexpr double h = 1e-3;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (const int a : {-1, 1}) {
        for (const int b : {-1, 1}) {
          std::vector<double> at = beta;
          at[i] += a * h;
          at[j] += b * h;
          sum += a * b * loss(at);
        }
      }
      hessian(static_cast<Index>(i), static_cast<Index>(j)) = sum / (4 * h * h);
    }
  }
  const BaseLoss base("log");
  const BendWeight straight[] = {{Vector(), 1}};
  const LinkPlace identity;
  // A ridge that is not sure moves the coefficients along one direction.
  for (const bool spread : {false, true}) {
    RidgeSpread ridges;
    Matrix wanted = hessian.inverse();
    if (spread) {
      ridges.weight = {0.25, 0.75};
      ridges.move = {{0.1, -0.2, 0.3}, {0, 0, 0}};
      const Vector move = Eigen::Map<const Vector>(ridges.move[0].data(), 3);
      wanted += 0.25 * move * move.transpose();
    }
    const auto posterior = weight_posterior({*engine, {}, 1, beta, base, 2}, identity, straight, ridges);
    ASSERT_TRUE(posterior);
    const Matrix found = posterior->root * posterior->root.transpose();
    EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), 1e-4 * wanted.cwiseAbs().maxCoeff());
  }
}

// Variances of predictions against the whole formula, inside the range of the link and beyond it.
TEST(WeightPosterior, SpreadsPredictionsAsItsCovarianceSays) {
  const ClassificationData data = bent_rows(300, 3, 2, 6);
  EngineRows rows;
  rows.rows = data.rows.matrix();
  rows.labels = data.labels;
  const auto engine = make_local_engine(rows, 1);
  const std::vector<double> beta{0.2, 1.6, -0.9, 0.3};
  const BaseLoss base("log");
  const LinkPlace link = bent_link();
  const Vector sd = (-0.5 * link.source.prior.log_precision.array()).exp();
  const BendWeight bends[] = {{sd, 0.7}, {0.5 * sd, 0.3}};
  const auto posterior = weight_posterior({*engine, {}, 1, beta, base, 2}, link, bends, {});
  ASSERT_TRUE(posterior);
  // The mean of the two covariances.
  const Matrix information = joint_information({*engine, {}, 1, beta, base, 2}, link);
  Matrix wanted = Matrix::Zero(information.rows(), information.rows());
  for (const BendWeight& bend : bends) {
    Matrix precision = information;
    precision.diagonal().segment(1, 3).array() += 2;
    precision.diagonal().tail(link.size()).array() += bend.prior_sd.array().square().inverse();
    wanted += bend.weight * precision.inverse();
  }
  EXPECT_LT((posterior->root * posterior->root.transpose() - wanted).cwiseAbs().maxCoeff(),
            1e-5 * wanted.cwiseAbs().maxCoeff());
  const WeightSpread spread(*posterior);
  std::vector<double> scores(300), found(300);
  Matrix x(wanted.rows(), 300);
  for (std::size_t n = 0; n < 300; ++n) {
    Vector z(4);
    z[0] = 1;
    for (std::size_t j = 0; j < 3; ++j) z[static_cast<Index>(j) + 1] = data.rows.matrix().at(n, j);
    scores[n] = z.dot(Eigen::Map<const Vector>(beta.data(), 4));
    const double at[] = {scores[n]};
    const LinkTangents t = link_tangents(link, at);
    x.col(static_cast<Index>(n)) << t.slope[0] * z, t.psi.col(0);
  }
  spread(data.rows.matrix(), {}, 0, scores, found);
  for (std::size_t n = 0; n < 300; ++n) {
    const Vector u = x.col(static_cast<Index>(n));
    const double tolerance = std::abs(scores[n]) < 3 ? 2e-3 : 1e-2;  // tables are straight beyond the range
    EXPECT_NEAR(found[n], std::sqrt(u.dot(wanted * u)), tolerance * found[n]) << scores[n];
  }
}

TEST(WeightPosterior, BandsCarryItAndFilesKeepIt) {
  const ClassificationData data = bent_rows(400, 6, 2, 7);
  for (const bool straight : {false, true}) {
    LinkgisticOptions options;
    options.threads = 1;
    options.harmonics = 6;
    if (straight) options.prior = LinkPrior::none;
    const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(data);
    ASSERT_TRUE(model.has_weight_bands());
    const ClassPrediction all = model.predict(data.rows);
    const ClassPrediction link = model.predict(data.rows, 0.9, BandKind::link);
    double wide = 0, narrow = 0;
    for (std::size_t n = 0; n < data.labels.size(); ++n) {
      EXPECT_LE(all.lower[n], all.probability[2 * n + 1]);
      EXPECT_GE(all.upper[n], all.probability[2 * n + 1]);
      wide += all.upper[n] - all.lower[n];
      narrow += link.upper[n] - link.lower[n];
    }
    EXPECT_GT(wide, 1.2 * narrow);
    const ClassPrediction marginal =
        model.predict(data.rows, 0.9, BandKind::all, ProbabilityEstimate::marginal);
    for (std::size_t n = 0; n < data.labels.size(); ++n) {
      EXPECT_GE(marginal.probability[2 * n + 1], all.lower[n]);
      EXPECT_LE(marginal.probability[2 * n + 1], all.upper[n]);
      EXPECT_NEAR(marginal.probability[2 * n] + marginal.probability[2 * n + 1], 1, 1e-12);
    }
    ASSERT_EQ(model.coefficient_table().rows.size(), 7);
    const auto loaded = FittedLinkgisticClassifier::from_json(model.to_json(), "test");
    EXPECT_EQ(loaded.coefficient_table().rows[3].effect_error,
              model.coefficient_table().rows[3].effect_error);
    EXPECT_EQ(loaded.link_test().has_value(), !straight);
    EXPECT_EQ(loaded.predict(data.rows).lower, all.lower);
    EXPECT_EQ(loaded.to_json(), model.to_json());
    nlohmann::json old = nlohmann::json::parse(model.to_json());
    old.erase("weights");
    const auto older = FittedLinkgisticClassifier::from_json(old.dump(), "test");
    EXPECT_FALSE(older.has_weight_bands());
    EXPECT_EQ(older.predict(data.rows).lower, link.lower);
  }
}

// Labels of a logistic model with other weights each time: the bands of fresh rows hold what they say.
TEST(WeightPosterior, BandsHoldTheTruthOfALogisticModel) {
  double held = 0, held_by_link = 0;
  constexpr int sets = 12;
  constexpr std::size_t columns = 8, rows = 300, fresh = 200;
  for (int set = 0; set < sets; ++set) {
    RandomStream random(3, static_cast<std::uint64_t>(set));
    std::vector<double> weights(columns);
    for (double& w : weights) w = (random.uniform() < 0.5 ? -1 : 1) * -0.4 * std::log(random.uniform());
    std::vector<double> p;
    const auto draw = [&](std::size_t n) {
      ClassificationData data;
      std::vector<double> values;
      p.clear();
      for (std::size_t i = 0; i < n; ++i) {
        double score = 0;
        for (const double w : weights) {
          values.push_back(random.normal());
          score += w * values.back();
        }
        p.push_back(sigmoid(score));
        data.labels.push_back(random.uniform() < p.back() ? 1 : 0);
      }
      data.rows = FeatureRows::dense(values, n, columns);
      data.class_names = {"a", "b"};
      return data;
    };
    LinkgisticOptions options;
    options.threads = 1;
    const FittedLinkgisticClassifier model = LinkgisticClassifier(options).fit(draw(rows));
    const ClassificationData test = draw(fresh);
    const ClassPrediction all = model.predict(test.rows);
    const ClassPrediction link = model.predict(test.rows, 0.9, BandKind::link);
    for (std::size_t i = 0; i < fresh; ++i) {
      held += all.lower[i] <= p[i] && p[i] <= all.upper[i] ? 1.0 / (sets * fresh) : 0;
      held_by_link += link.lower[i] <= p[i] && p[i] <= link.upper[i] ? 1.0 / (sets * fresh) : 0;
    }
  }
  EXPECT_GT(held, 0.84);
  EXPECT_LT(held, 0.97);
  EXPECT_LT(held_by_link, 0.75);
}

// Effects and coefficients at unit mean slope as functions of (beta, g), differentiated one number at a time.
TEST(CoefficientErrors, AreTheDeltaMethodOfTheWholePosterior) {
  const ClassificationData data = bent_rows(250, 2, 2, 8);
  EngineRows rows;
  rows.rows = data.rows.matrix();
  rows.labels = data.labels;
  const auto engine = make_local_engine(rows, 1);
  const std::vector<double> beta{0.2, 1.1, -0.7};
  const BaseLoss base("log");
  const LinkPlace link = bent_link();
  const BendWeight bends[] = {{(-0.5 * link.source.prior.log_precision.array()).exp().matrix(), 1}};
  const WeightProblem problem{*engine, {}, 1, beta, base, 1};
  const auto posterior = weight_posterior(problem, link, bends, {});
  ASSERT_TRUE(posterior);
  const Matrix covariance = posterior->root * posterior->root.transpose();
  const auto row = [&](std::size_t n) {
    return std::array<double, 3>{1, data.rows.matrix().at(n, 0), data.rows.matrix().at(n, 1)};
  };
  const auto score = [&](const Vector& x, std::size_t n) {
    const auto z = row(n);
    return x[0] * z[0] + x[1] * z[1] + x[2] * z[2];
  };
  Vector at(3 + link.size());
  at << Eigen::Map<const Vector>(beta.data(), 3), link.g;
  // Shares of the mean slope stay those of the fit.
  std::vector<double> share;
  for (std::size_t n = 0; n < 250; ++n) share.push_back(base.information(nu_at(link, score(at, n))));
  struct Figures {
    Vector coefficients, effects;
  };
  const auto figures = [&](const Vector& x) {
    LinkPlace moved = link;
    moved.g = x.tail(link.size());
    double effect = 0, square = 0, level = 0, total = 0;
    Vector mean = Vector::Zero(3);
    for (std::size_t n = 0; n < 250; ++n) {
      const double m[] = {score(x, n)};
      const LinkTangents t = link_tangents(moved, m);
      const double p = sigmoid(t.nu[0]);
      effect += p * (1 - p) * t.slope[0] / 250;
      square += share[n] * t.slope[0] * t.slope[0];
      level += share[n] * t.nu[0];
      for (std::size_t j = 0; j < 3; ++j) mean[static_cast<Index>(j)] += share[n] * row(n)[j];
      total += share[n];
    }
    const double slope = std::sqrt(square / total);
    Figures f{Vector(3), Vector(2)};
    f.coefficients << 0, slope * x[1], slope * x[2];
    f.coefficients[0] = (level - mean[1] * f.coefficients[1] - mean[2] * f.coefficients[2]) / total;
    f.effects << effect * x[1], effect * x[2];
    return f;
  };
  const double slope = figures(at).coefficients[1] / beta[1];
  Matrix derivative(5, at.size());
  constexpr double h = 1e-5;
  for (Index i = 0; i < at.size(); ++i) {
    Vector left = at, right = at;
    left[i] -= h;
    right[i] += h;
    const Figures below = figures(left), above = figures(right);
    // Relative to the mean slope, which the fit takes for 1.
    derivative.col(i).head(3) = (above.coefficients - below.coefficients) / (2 * h);
    derivative.col(i).segment(1, 2) /= slope;
    derivative.col(i).tail(2) = (above.effects - below.effects) / (2 * h);
  }
  const Vector sd = (derivative * covariance * derivative.transpose()).diagonal().cwiseSqrt();
  const CoefficientErrors errors = coefficient_errors(problem, *posterior, {});
  EXPECT_NEAR(errors.error[1], sd[1], 5e-3 * sd[1]);
  EXPECT_NEAR(errors.error[2], sd[2], 5e-3 * sd[2]);
  EXPECT_NEAR(errors.effect_error[0], sd[3], 5e-3 * sd[3]);
  EXPECT_NEAR(errors.effect_error[1], sd[4], 5e-3 * sd[4]);
  const Figures fit = figures(at);
  EXPECT_NEAR(errors.effect[0], fit.effects[0], 1e-3 * std::abs(fit.effects[0]));
  EXPECT_NEAR(errors.effect[1], fit.effects[1], 1e-3 * std::abs(fit.effects[1]));
  // The sandwich row by row.
  Matrix gradients = Matrix::Zero(at.size(), at.size());
  for (std::size_t n = 0; n < 250; ++n) {
    const double m[] = {score(at, n)};
    const LinkTangents t = link_tangents(link, m);
    Vector x(at.size());
    const auto z = row(n);
    x << t.slope[0] * Eigen::Map<const Vector>(z.data(), 3), t.psi.col(0);
    x *= sigmoid(t.nu[0]) - (data.labels[n] == 1 ? 1 : 0);
    gradients += x * x.transpose();
  }
  const Matrix sandwich = covariance * gradients * covariance;
  const Vector robust = (derivative * sandwich * derivative.transpose()).diagonal().cwiseSqrt();
  EXPECT_NEAR(errors.robust[1], robust[1], 1e-2 * robust[1]);
  EXPECT_NEAR(errors.effect_robust[1], robust[4], 1e-2 * robust[4]);
}

}  // namespace
}  // namespace linkgistic
