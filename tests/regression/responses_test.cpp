// Regressions of every response: equivalent rows give one fit, cells stand for rows, new observations lie
// where they are said to lie, files, and rows that are refused.
#include "response/responses.hpp"

#include <cmath>
#include <map>
#include <memory>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>
#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "reference/partitions.hpp"
#include "regression/engine.hpp"
#include "regression/fit.hpp"
#include "table/row_stream.hpp"
#include "text/names.hpp"

namespace linkgistic {
namespace {

struct Rows {
  std::vector<double> x, y, weight, offset, exposure, trials;
  [[nodiscard]] RowBlock view() const { return {x, y, weight, offset, exposure, trials}; }
};

double gamma_draw(double shape, RandomStream& random) {
  // G. Marsaglia and W. Tsang's method.
  const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double z = random.normal(), v = std::pow(1 + c * z, 3);
    if (v > 0 && std::log(random.uniform()) < z * z / 2 + d - d * v + d * std::log(v))
      return d * v * (shape < 1 ? std::pow(random.uniform(), 1 / shape) : 1);
  }
}

double poisson_draw(double rate, RandomStream& random) {
  double count = 0;
  for (double t = -std::log(random.uniform()); t < rate; t -= std::log(random.uniform())) ++count;
  return count;
}

double link_value(double x) { return std::tanh(x - 5) + 0.5; }

// y at nu of each response.
double draw(ResponseKind kind, double nu, double size, RandomStream& random) {
  switch (kind) {
    case ResponseKind::gaussian:
      return nu + 0.3 * random.normal();
    case ResponseKind::student:
      return nu + 0.3 * random.normal() / std::sqrt(gamma_draw(1.5, random) / 1.5);
    case ResponseKind::bernoulli:
      return random.uniform() < 1 / (1 + std::exp(-nu)) ? 1 : 0;
    case ResponseKind::binomial: {
      double y = 0;
      for (int i = 0; i < size; ++i) y += random.uniform() < 1 / (1 + std::exp(-nu)) ? 1 : 0;
      return y;
    }
    case ResponseKind::poisson:
      return poisson_draw(size * std::exp(nu), random);
    case ResponseKind::negative_binomial:
      return poisson_draw(size * std::exp(nu) * gamma_draw(2, random) / 2, random);
    case ResponseKind::gamma:
      return size * std::exp(nu) * gamma_draw(4, random) / 4;
  }
  return 0;
}

Rows simulated(ResponseKind kind, int n, std::uint64_t seed) {
  RandomStream random(seed);
  Rows rows;
  for (int i = 0; i < n; ++i) {
    rows.x.push_back(10 * random.uniform());
    const bool trials = kind == ResponseKind::binomial;
    const bool exposed = kind == ResponseKind::poisson || kind == ResponseKind::negative_binomial ||
                         kind == ResponseKind::gamma;
    const double size = trials ? 1 + double(random.below(6)) : exposed ? 0.5 + 2 * random.uniform() : 1;
    if (trials) rows.trials.push_back(size);
    if (exposed) rows.exposure.push_back(size);
    rows.y.push_back(draw(kind, link_value(rows.x.back()), size, random));
  }
  return rows;
}

MonotoneRegressionOptions options_of(ResponseKind kind, int harmonics = 6) {
  MonotoneRegressionOptions options;
  options.response = kind;
  options.harmonics = harmonics;
  options.threads = 1;
  return options;
}

FittedMonotoneRegression fit(ResponseKind kind, const Rows& rows, int harmonics = 6) {
  return MonotoneRegression(options_of(kind, harmonics)).fit_rows(rows.view());
}

const std::vector<double>& places() {
  static const std::vector<double> x{0, 1.5, 3, 4.5, 5, 5.5, 7, 8.5, 10};
  return x;
}

// Greatest difference of curve and bands, on the scale of the link.
double difference(const FittedMonotoneRegression& a, const FittedMonotoneRegression& b) {
  const RowBlock at{places(), {}, {}};
  const Prediction p = a.predict_rows(at, 0.9, PredictionScale::link),
                   q = b.predict_rows(at, 0.9, PredictionScale::link);
  double most = 0;
  for (std::size_t i = 0; i < places().size(); ++i) {
    most = std::max({most, std::abs(p.estimate[i] - q.estimate[i]), std::abs(p.lower[i] - q.lower[i]),
                     std::abs(p.upper[i] - q.upper[i])});
  }
  return most;
}

class EachResponse : public testing::TestWithParam<ResponseKind> {};
INSTANTIATE_TEST_SUITE_P(Responses, EachResponse,
                         testing::Values(ResponseKind::gaussian, ResponseKind::student,
                                         ResponseKind::bernoulli, ResponseKind::binomial,
                                         ResponseKind::poisson, ResponseKind::negative_binomial,
                                         ResponseKind::gamma),
                         [](const auto& test) {
                           std::string name = name_of(response_names(), test.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EachResponse, WeightIsRepetition) {
  Rows weighted = simulated(GetParam(), 120, 5), repeated;
  for (std::size_t i = 0; i < weighted.x.size(); ++i) {
    weighted.weight.push_back(double(i % 3));
    for (std::size_t k = 0; k < i % 3; ++k) {
      repeated.x.push_back(weighted.x[i]);
      repeated.y.push_back(weighted.y[i]);
      if (!weighted.exposure.empty()) repeated.exposure.push_back(weighted.exposure[i]);
      if (!weighted.trials.empty()) repeated.trials.push_back(weighted.trials[i]);
    }
  }
  // The searches see the same function to rounding; hyper-parameters end where it is flat.
  MonotoneRegressionOptions options = options_of(GetParam());
  options.direction = Direction::increasing;
  const auto a = MonotoneRegression(options).fit_rows(weighted.view()),
             b = MonotoneRegression(options).fit_rows(repeated.view());
  EXPECT_NEAR(a.log_evidence(), b.log_evidence(), 1e-7 * std::abs(b.log_evidence()));
  EXPECT_LT(difference(a, b), 1e-4);
  options.fixed = {{"a", 1.5}, {"v", 0.3}, {"scale", 0.2}, {"gamma", 1}, {"mu", 0.5}};
  for (const HyperParameter& own : named_response(name_of(response_names(), GetParam()))->hyper_parameters())
    options.fixed[own.name] = own.name == "freedom" ? 4 : 0.5;
  const auto c = MonotoneRegression(options).fit_rows(weighted.view()),
             d = MonotoneRegression(options).fit_rows(repeated.view());
  EXPECT_NEAR(c.log_evidence(), d.log_evidence(), 1e-10 * std::abs(d.log_evidence()));
  EXPECT_LT(difference(c, d), 1e-8);
}

TEST_P(EachResponse, FindsTheCurveAndSaysWhereANewObservationLies) {
  const Rows rows = simulated(GetParam(), 600, 11);
  const auto found = fit(GetParam(), rows);
  const Prediction link = found.predict_rows(RowBlock{places(), {}, {}}, 0.99, PredictionScale::link);
  for (std::size_t i = 0; i < places().size(); ++i) {
    EXPECT_GT(link_value(places()[i]), link.lower[i] - 0.1) << places()[i];
    EXPECT_LT(link_value(places()[i]), link.upper[i] + 0.1) << places()[i];
  }
  // 4,000 new rows: the share inside the 90 % band has a standard error of 0.005; counts cover more.
  const Rows fresh = simulated(GetParam(), 4000, 12);
  const Prediction p = found.predict_rows(fresh.view(), 0.9);
  const RowScores scores = found.score_rows(fresh.view());
  double inside = 0, below = 0;
  for (std::size_t i = 0; i < fresh.x.size(); ++i) {
    const double y = fresh.trials.empty() ? fresh.y[i] : fresh.y[i] / fresh.trials[i];
    if (p.obs_lower[i] <= y && y <= p.obs_upper[i]) inside += 1.0 / 4000;
    ASSERT_LE(scores.below[i], scores.at_most[i]);
    ASSERT_GE(scores.deviance[i], -1e-9);
    below += (scores.below[i] + scores.at_most[i]) / 8000;
  }
  EXPECT_GT(inside, 0.88);
  const bool continuous = GetParam() == ResponseKind::gaussian || GetParam() == ResponseKind::student ||
                          GetParam() == ResponseKind::gamma;
  if (continuous) {
    EXPECT_LT(inside, 0.92);
  }
  EXPECT_NEAR(below, 0.5, 0.05);  // of a curve whose level has its own error
}

TEST_P(EachResponse, FileIsTheFit) {
  const auto found = fit(GetParam(), simulated(GetParam(), 100, 3));
  const auto same = FittedMonotoneRegression::from_json(found.to_json(), "memory");
  EXPECT_EQ(same.options().response, GetParam());
  EXPECT_EQ(difference(found, same), 0);
  EXPECT_EQ(same.to_json(), found.to_json());
}

TEST_P(EachResponse, DirectionMayBeDown) {
  Rows rows = simulated(GetParam(), 300, 4);
  const auto up = fit(GetParam(), rows);
  for (double& x : rows.x) x = 10 - x;
  const auto down = fit(GetParam(), rows);
  EXPECT_FALSE(up.summary().decreasing);
  EXPECT_TRUE(down.summary().decreasing);
  std::vector<double> turned;
  for (const double x : places()) turned.push_back(10 - x);
  const auto a = up.estimate(places()), b = down.estimate(turned);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-3 * (1 + std::abs(a[i])));
}

TEST(Responses, PoissonWithExposureIsTheExpandedRows) {
  RandomStream random(8);
  Rows exposed, expanded;
  for (int i = 0; i < 60; ++i) {
    const double x = i / 6.0, exposure = 1 + double(random.below(5));
    double total = 0;
    for (int k = 0; k < exposure; ++k) {
      expanded.x.push_back(x);
      expanded.y.push_back(poisson_draw(std::exp(link_value(x)), random));
      total += expanded.y.back();
    }
    exposed.x.push_back(x);
    exposed.y.push_back(total);
    exposed.exposure.push_back(exposure);
  }
  MonotoneRegressionOptions options = options_of(ResponseKind::poisson);
  options.fixed = {{"a", 1.5}, {"v", 0.3}, {"scale", 0.2}, {"gamma", 1}, {"mu", 0.5}};
  const MonotoneRegression regression(options);
  const auto few = regression.fit_rows(exposed.view()), many = regression.fit_rows(expanded.view());
  EXPECT_LT(difference(few, many), 1e-10);
  // With log exposures as offsets as well.
  Rows shifted = exposed;
  shifted.exposure.clear();
  for (const double e : exposed.exposure) shifted.offset.push_back(std::log(e));
  EXPECT_LT(difference(few, regression.fit_rows(shifted.view())), 1e-10);
  EXPECT_NEAR(few.log_evidence(), regression.fit_rows(shifted.view()).log_evidence(), 1e-9);
}

TEST(Responses, BinomialIsRepeatedLabels) {
  const Rows rows = simulated(ResponseKind::binomial, 80, 2);
  Rows labels;
  double ways = 0;
  for (std::size_t i = 0; i < rows.x.size(); ++i) {
    for (int k = 0; k < rows.trials[i]; ++k) {
      labels.x.push_back(rows.x[i]);
      labels.y.push_back(k < rows.y[i] ? 1 : 0);
    }
    ways += std::lgamma(rows.trials[i] + 1) - std::lgamma(rows.y[i] + 1) -
            std::lgamma(rows.trials[i] - rows.y[i] + 1);
  }
  for (const Inference inference : {Inference::laplace, Inference::variational}) {
    MonotoneRegressionOptions options = options_of(ResponseKind::binomial);
    options.inference = inference;
    options.fixed = {{"a", 1.5}, {"v", 0.3}, {"scale", 0.2}, {"gamma", 1}, {"mu", 0.5}};
    const auto binomial = MonotoneRegression(options).fit_rows(rows.view());
    options.response = ResponseKind::bernoulli;
    const auto bernoulli = MonotoneRegression(options).fit_rows(labels.view());
    EXPECT_LT(difference(binomial, bernoulli), 1e-10);
    EXPECT_NEAR(binomial.log_evidence(), bernoulli.log_evidence() + ways, 1e-8);
  }
}

// The unit of exposures and of amounts changes the level of the curve and nothing else.
TEST(Responses, UnitsDoNotMatter) {
  for (const ResponseKind kind :
       {ResponseKind::poisson, ResponseKind::negative_binomial, ResponseKind::gamma}) {
    Rows rows = simulated(kind, 150, 9);
    const auto one = fit(kind, rows);
    for (double& e : rows.exposure) e *= 1e5;
    const auto other = fit(kind, rows);
    const auto a = one.estimate(places()), b = other.estimate(places());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(1e5 * b[i] / a[i], 1, 1e-4);
  }
}

// Cells stand for rows: curves of 40,000 rows in 512 cells and of the same rows one by one.
TEST(Responses, CellsStandForTheRows) {
  for (const ResponseKind kind : {ResponseKind::bernoulli, ResponseKind::poisson, ResponseKind::gamma}) {
    const Rows rows = simulated(kind, 40'000, 21);
    MonotoneRegressionOptions options = options_of(kind, 8);
    options.fixed = {{"a", 1.2}, {"v", 0.8}, {"scale", 0.3}, {"gamma", 1}, {"mu", 0.5}};
    if (kind == ResponseKind::gamma) options.fixed["shape"] = 4;
    options.direction = Direction::increasing;
    const auto cells = MonotoneRegression(options).fit_rows(rows.view());
    // An engine that is not asked for cells keeps the rows.
    class Rowwise final : public RegressionEngine {
     public:
      explicit Rowwise(RegressionEngine& of) : of_(of) {}
      RegressionRange range(const std::function<bool()>& stop) override { return of_.range(stop); }
      RegressionSums sums(const SumsRequest& request, const std::function<bool()>& stop) override {
        SumsRequest without = request;
        without.cells = 0;
        return of_.sums(without, stop);
      }

     private:
      RegressionEngine& of_;
    };
    const auto response = named_response(name_of(response_names(), kind));
    MemoryRows memory(rows.view());
    const auto stream = make_stream_engine(memory, *response, 1);
    Rowwise engine(*stream);
    const FittedMonotoneRegression exact(fit_regression(options, response, engine));
    // Bands have a width of about 0.05; the rule says 2e-8 of the waves' size, with 40,000 rows behind it.
    EXPECT_LT(difference(cells, exact), 1e-7);
    EXPECT_NEAR(cells.log_evidence(), exact.log_evidence(), 1e-5);
  }
}

TEST(Responses, PartitionsOfRowsGiveOneModel) {
  const Rows rows = simulated(ResponseKind::poisson, 3 * 65536 + 77, 6);
  const auto response = named_response("poisson");
  MonotoneRegressionOptions options = options_of(ResponseKind::poisson, 2);
  options.direction = Direction::increasing;
  const std::string whole = file_digest(MonotoneRegression(options).fit_rows(rows.view()));
  for (const int threads : {1, 3}) {
    options.threads = threads;
    const auto engine = make_partitioned_regression(rows.view(), *response, {65536, 131072}, 5, threads);
    EXPECT_EQ(file_digest(FittedMonotoneRegression(fit_regression(options, response, *engine))), whole);
  }
}

TEST(Responses, ExactPosteriorAgreesWithLaplace) {
  for (const ResponseKind kind :
       {ResponseKind::negative_binomial, ResponseKind::student, ResponseKind::gamma}) {
    const Rows rows = simulated(kind, 150, 14);
    MonotoneRegressionOptions options = options_of(kind, 4);
    const auto laplace = MonotoneRegression(options).fit_rows(rows.view());
    options.inference = Inference::mcmc;
    options.draws = 300;
    const auto exact = MonotoneRegression(options).fit_rows(rows.view());
    const Prediction p = laplace.predict_rows(RowBlock{places(), {}, {}}, 0.9, PredictionScale::link);
    const auto q = exact.estimate_rows(RowBlock{places(), {}, {}}, PredictionScale::link);
    for (std::size_t i = 0; i < q.size(); ++i)
      EXPECT_NEAR(p.estimate[i], q[i], 0.6 * (p.upper[i] - p.lower[i]))
          << name_of(response_names(), kind) << ' ' << i;
  }
}

TEST(Responses, OutliersMoveStudentLittle) {
  Rows rows = simulated(ResponseKind::gaussian, 200, 31);
  const auto clean = fit(ResponseKind::student, rows);
  for (std::size_t i = 0; i < 10; ++i) rows.y[20 * i] += 1e5;
  const auto robust = fit(ResponseKind::student, rows);
  const auto a = clean.estimate(places()), b = robust.estimate(places());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 0.25) << places()[i];
}

std::string refusal(ResponseKind kind, const Rows& rows) {
  try {
    (void)fit(kind, rows);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Responses, RowsThatCannotBeAreRefused) {
  const std::vector<double> x{1, 2, 3}, y{0, 1, 2};
  EXPECT_EQ(refusal(ResponseKind::poisson, {x, {0, -1, 2}, {}, {}, {}, {}}),
            "y is -1 in row 2: it must be a count: 0, 1, 2, ...");
  EXPECT_EQ(refusal(ResponseKind::negative_binomial, {x, {0, 1, 2.5}, {}, {}, {}, {}}),
            "y is 2.5 in row 3: it must be a count: 0, 1, 2, ...");
  EXPECT_EQ(refusal(ResponseKind::gamma, {x, y, {}, {}, {}, {}}), "y is 0 in row 1: it must be positive");
  EXPECT_EQ(refusal(ResponseKind::bernoulli, {x, y, {}, {}, {}, {}}), "y is 2 in row 3: it must be 0 or 1");
  EXPECT_EQ(refusal(ResponseKind::poisson, {x, y, {}, {}, {1, 0, 2}, {}}),
            "exposure is 0 in row 2: it must be positive");
  EXPECT_EQ(refusal(ResponseKind::binomial, {x, y, {}, {}, {}, {1, 1, 1}}),
            "trials is 1 in row 3: it must be at least the number of successes, 2");
  EXPECT_EQ(refusal(ResponseKind::binomial, {x, y, {}, {}, {}, {1, 1.5, 2}}),
            "trials is 1.5 in row 2: it must be a positive whole number");
  EXPECT_EQ(refusal(ResponseKind::binomial, {x, y, {}, {}, {}, {}}),
            "trials: the response 'binomial' needs a number of trials for each row");
  EXPECT_EQ(refusal(ResponseKind::gaussian, {x, y, {}, {}, {1, 1, 1}, {}}),
            "exposure: the response 'gaussian' takes none");
  EXPECT_EQ(refusal(ResponseKind::poisson, {x, y, {}, {0, 0, INFINITY}, {}, {}}),
            "offset is inf in row 3: it must be finite");
  EXPECT_EQ(refusal(ResponseKind::poisson, {x, y, {}, {}, {1, 1}, {}}),
            "x has 3 values, y has 3, exposure has 2: they must have the same length");
}

TEST(Responses, OffsetsOfTheIdentityAreTakenFromY) {
  Rows rows = simulated(ResponseKind::gaussian, 100, 41);
  const auto plain = fit(ResponseKind::gaussian, rows);
  Rows shifted = rows;
  for (std::size_t i = 0; i < rows.y.size(); ++i) {
    shifted.offset.push_back(double(i % 7));
    shifted.y[i] += shifted.offset[i];
  }
  const auto with = fit(ResponseKind::gaussian, shifted);
  EXPECT_LT(difference(plain, with), 1e-6);
  const std::vector<double> at{5}, offset{3};
  EXPECT_NEAR(with.predict_rows({.x = at, .y = {}, .weight = {}, .offset = offset}).obs_upper[0],
              plain.predict(at).obs_upper[0] + 3, 1e-6);
}

}  // namespace
}  // namespace linkgistic
