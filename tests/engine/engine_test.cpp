// Every verb: the engines against the reference, and the same bits for any partition and number of threads.
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/decorated_engine.hpp"
#include "engine/engine_cases.hpp"
#include "engine/local_engine.hpp"
#include "engine/partitioned_engine.hpp"
#include "engine/reference_engine.hpp"
#include "numeric/bytes.hpp"
#include "numeric/random.hpp"
#include "numeric/types.hpp"

namespace linkgistic {
namespace {

class Engines : public ::testing::TestWithParam<Storage> {};

TEST_P(Engines, AnswerAsTheReferenceDoes) {
  for (const bool weighted : {false, true}) {
    const Data data = make_data(GetParam(), GetParam() == Storage::wide_sparse ? 700 : 2500, weighted);
    const auto reference = make_reference_engine(data.engine_rows());
    const auto local = make_local_engine(data.engine_rows(), 2);
    for (const Request& request : all_requests(data, *reference)) {
      // Cells are not compared one by one: a score near an edge may fall into the next one.
      if (std::holds_alternative<CellsRequest>(request)) continue;
      const Answer fast = local->answer(request);
      const Answer slow = reference->answer(request);
      std::visit(
          [&](const auto& a) {
            const auto& b = std::get<std::decay_t<decltype(a)>>(slow);
            const std::vector<double> x = numbers(a);
            const std::vector<double> y = numbers(b);
            ASSERT_EQ(x.size(), y.size()) << request.index();
            double largest = 0;
            for (const double v : y) largest = std::max(largest, std::isfinite(v) ? std::abs(v) : 0.0);
            for (std::size_t i = 0; i < x.size(); ++i) {
              if (x[i] == y[i]) continue;  // both may be infinite
              ASSERT_NEAR(x[i], y[i], 1e-5 * largest + 1e-9)
                  << "request " << request.index() << " number " << i;
            }
          },
          fast);
    }
  }
}

TEST_P(Engines, SumTheProductsOfFunctionsOfAllScores) {
  const Data data = make_data(GetParam(), 2500, true);
  const auto local = make_local_engine(data.engine_rows(), 2);
  OverlapRequest request = overlap_request(make_softmax(data));
  request.of.scores.problems.resize(3);
  request.of.scores.beta.resize(3 * (data.rows.columns() + 1));
  request.of.group.resize(3);
  const auto straight = [&](std::size_t k, std::size_t i, double m) {
    const auto& f = request.functions[k];
    const double t = std::clamp((m + 2) / 2, 0.0, 2.0);
    const double* v = f.values.data() + i;
    return t < 1 ? (1 - t) * v[0] + t * v[2] : (2 - t) * v[2] + (t - 1) * v[4];
  };
  Matrix wanted = Matrix::Zero(6, 6);
  const auto& scores = request.of.scores;
  const RowView view{data.rows, {}};
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    if (!data.parts.takes(scores.problems[0].selection, n)) continue;
    const std::vector<double> raw = reference_row(view, n);
    double total = 0;
    Vector u(6);
    for (std::size_t k = 0; k < 3; ++k) {
      const double* beta = scores.beta.data() + k * (raw.size() + 1);
      double m = beta[0];
      for (std::size_t j = 0; j < raw.size(); ++j) m += beta[j + 1] * raw[j];
      const double e = std::exp(scores.tables[k]->at(0, m).value);
      total += e;
      for (std::size_t i = 0; i < 2; ++i) u[static_cast<Index>(2 * k + i)] = e * straight(k, i, m);
    }
    u /= total;
    wanted += static_cast<double>(data.weights[n]) * u * u.transpose();
  }
  const OverlapAnswer found = local->ask(request);
  for (Index j = 0; j < 6; ++j)
    for (Index i = 0; i <= j; ++i)
      EXPECT_NEAR(found.sum[static_cast<std::size_t>(6 * j + i)], wanted(i, j),
                  1e-4 * wanted.cwiseAbs().maxCoeff());
}

TEST_P(Engines, KeepTheMomentsOfTheScoresInTheirCells) {
  const Data data = make_data(GetParam(), 2500, true);
  const auto local = make_local_engine(data.engine_rows(), 2);
  const auto request = std::get<CellsRequest>(all_requests(data, *local)[4]);
  const CellsAnswer cells = local->ask(request);
  for (std::size_t g = 0; g < 3; ++g) {
    const WeightedRows few = weighted_rows(cells, request, g);
    double weight[2] = {}, first[2] = {}, exact_weight[2] = {}, exact_first[2] = {};
    for (std::size_t i = 0; i < few.size(); ++i) {
      weight[few.y[i] > 0] += few.weight[i];
      first[few.y[i] > 0] += few.weight[i] * few.x[i];
    }
    const RowView view{data.rows, {}};
    const std::vector<float> margins = row_margins(view, 6, request.of.scores.beta, 1);
    for (std::size_t p = 0; p < 6; ++p) {
      if (request.of.group[p] != g) continue;
      const ScoreProblem& problem = request.of.scores.problems[p];
      for (std::size_t n = 0; n < data.labels.size(); ++n) {
        if (!data.parts.takes(problem.selection, n)) continue;
        const std::size_t y = data.labels[n] == problem.label ? 1 : 0;
        exact_weight[y] += static_cast<double>(data.weights[n]);
        exact_first[y] +=
            static_cast<double>(data.weights[n]) * static_cast<double>(margins[p * data.labels.size() + n]);
      }
    }
    for (const std::size_t y : {0U, 1U}) {
      EXPECT_NEAR(weight[y], exact_weight[y], 1e-9 * exact_weight[y]);
      EXPECT_NEAR(first[y], exact_first[y], 1e-9 * exact_weight[y]);
    }
  }
}

// The kernel against the function of a row, at the same scores.
TEST_P(Engines, HaveTheCellsOfASoftmaxThatRowsHaveOneByOne) {
  for (const bool weighted : {false, true}) {
    const Data data = make_data(GetParam(), 1500, weighted);
    const auto local = make_local_engine(data.engine_rows(), 2);
    const auto request = std::get<CellsRequest>(requests_of(data, *local, true)[4]);
    const ScoreRequest& scores = request.of.scores;
    const std::size_t problems = scores.problems.size();
    const std::vector<float> margins = row_margins({data.rows, {}}, problems, scores.beta, 1);
    CellsAnswer slow = empty_answer(request);
    CellsAdder add(request);
    std::vector<double> of_row(problems);
    for (std::size_t n = 0; n < data.labels.size(); ++n) {
      for (std::size_t p = 0; p < problems; ++p)
        of_row[p] = static_cast<double>(margins[p * data.labels.size() + n]);
      add({n, data.labels[n], weighted ? static_cast<double>(data.weights[n]) : 1, of_row, &data.parts, n},
          slow);
    }
    const CellsAnswer fast = local->ask(request);
    EXPECT_NEAR(fast.loss, slow.loss, 1e-12 * slow.loss);
    ASSERT_EQ(fast.moments.size(), slow.moments.size());
    for (std::size_t i = 0; i < slow.moments.size(); ++i)
      for (std::size_t j = 0; j < 4; ++j)
        ASSERT_NEAR(fast.moments[i][j], slow.moments[i][j], 1e-11 * (1 + slow.moments[i][0]))
            << i << ' ' << j;
  }
}

// The derivative of the loss in a change h of the links: sum_n w_n (p_nk - y_nk) h(m_nk).
TEST_P(Engines, KeepTheSlopesOfASoftmaxInItsLinks) {
  const Data data = make_data(GetParam(), 1500, true);
  const auto local = make_local_engine(data.engine_rows(), 2);
  auto request = std::get<CellsRequest>(requests_of(data, *local, true)[4]);
  request.cells = 400;
  const auto h = [](double m) { return std::sin(2 * m) + 0.1 * m; };
  const CellsAnswer cells = local->ask(request);
  std::vector<double> slope(3), curvature(3), expected(3), expected_curvature(3);
  for (std::size_t g = 0; g < 3; ++g) {
    const WeightedRows points = weighted_rows(cells, request, g);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double at = points.weight[i] * h(points.x[i]);
      if (points.y[i] == 2) curvature[g] += at * h(points.x[i]);
      if (points.y[i] < 2) slope[g] += points.y[i] == 1 ? at : -at;
    }
  }
  const ScoreRequest& scores = request.of.scores;
  const std::vector<float> margins = row_margins({data.rows, {}}, 6, scores.beta, 1);
  double loss = 0;
  for (std::size_t n = 0; n < data.labels.size(); ++n) {
    for (const std::size_t first : {0U, 3U}) {
      if (!data.parts.takes(scores.problems[first].selection, n)) continue;
      const auto w = static_cast<double>(data.weights[n]);
      double nu[3], m[3], sum = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        m[k] = static_cast<double>(margins[(first + k) * data.labels.size() + n]);
        nu[k] = scores.table(first + k).at(0, m[k]).value;
        sum += std::exp(nu[k]);
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const double p = std::exp(nu[k]) / sum;
        const bool own = data.labels[n] == scores.problems[first + k].label;
        if (own) loss -= w * std::log(p);
        const std::size_t g = request.of.group[first + k];
        expected[g] += w * (p - (own ? 1 : 0)) * h(m[k]);
        expected_curvature[g] += w * p * (1 - p) * h(m[k]) * h(m[k]);
      }
    }
  }
  EXPECT_NEAR(cells.loss, loss, 1e-9 * loss);
  for (std::size_t g = 0; g < 3; ++g) {
    EXPECT_NEAR(slope[g], expected[g], 1e-4) << g;
    EXPECT_NEAR(curvature[g], expected_curvature[g], 1e-5 * expected_curvature[g] + 1e-6) << g;
  }
}

TEST_P(Engines, GiveTheSameBitsForAnyPartitionAndNumberOfThreads) {
  const Data data = make_data(GetParam(), GetParam() == Storage::wide_sparse ? 70'000 : 21'000, true);
  const auto local = make_local_engine(data.engine_rows(), 1);
  const std::vector<Request> requests = all_requests(data, *local);
  std::vector<std::string> expected;
  for (const Request& request : requests)
    expected.push_back(std::visit([](const auto& a) { return to_bytes(a); }, local->answer(request)));
  RandomStream random(12);
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<std::size_t> cuts(random.below(9));
    for (std::size_t& cut : cuts) cut = random.below(data.labels.size());
    const int threads = trial % 3 == 0 ? 1 : trial % 3 == 1 ? 2 : 7;
    const auto cut_rows =
        make_partitioned_engine(data.engine_rows(), cuts, static_cast<std::uint64_t>(trial), threads);
    // Backwards as well: whether scores are known from an earlier request makes no difference.
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const std::size_t r = trial % 2 == 0 ? i : requests.size() - 1 - i;
      EXPECT_EQ(std::visit([](const auto& a) { return to_bytes(a); }, cut_rows->answer(requests[r])),
                expected[r])
          << "request " << r << ", trial " << trial;
    }
  }
}

TEST_P(Engines, AnswerRequestsThatWereBytes) {
  const Data data = make_data(GetParam(), 600, false);
  const auto local = make_local_engine(data.engine_rows(), 1);
  for (const Request& request : all_requests(data, *local)) {
    std::visit(
        [&](const auto& r) {
          using R = std::decay_t<decltype(r)>;
          const auto answer = local->ask(r);
          const R copy = from_bytes<R>(to_bytes(r));
          EXPECT_EQ(to_bytes(local->ask(copy)), to_bytes(answer));
          using A = typename R::Answer;
          EXPECT_EQ(to_bytes(from_bytes<A>(to_bytes(answer))), to_bytes(answer));
        },
        request);
  }
}

// A log gives each request its own answer, in any order: a pass and a curvature of the same scores have the
// same bytes.
TEST_P(Engines, AreAnsweredForByTheirLog) {
  class Nobody final : public RowEngine {
   public:
    [[nodiscard]] const RowsShape& shape() const override { return shape_; }
    Answer answer(const Request&) override { throw std::logic_error("the log does not know"); }

   private:
    RowsShape shape_;
  };
  const Data data = make_data(GetParam(), 600, true);
  const auto local = make_local_engine(data.engine_rows(), 1);
  std::vector<Request> requests = all_requests(data, *local);
  const std::string path = ::testing::TempDir() + "engines-" + std::to_string(::getpid()) + ".log";
  std::filesystem::remove(path);
  const auto refuse = [](const std::string&) {};
  std::vector<std::string> expected;
  {
    AnswerLog log(path, "head", refuse, 1 << 26);
    RecordedEngine engine(*local, log);
    for (const Request& request : requests)
      expected.push_back(std::visit([](const auto& a) { return to_bytes(a); }, engine.answer(request)));
  }
  AnswerLog log(path, "head", refuse, 1 << 26);
  Nobody nobody;
  RecordedEngine engine(nobody, log);
  for (std::size_t i = requests.size(); i-- > 0;) {
    if (std::holds_alternative<SampleRequest>(requests[i])) continue;  // never recorded
    EXPECT_EQ(std::visit([](const auto& a) { return to_bytes(a); }, engine.answer(requests[i])), expected[i])
        << "request " << i;
  }
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Storages, Engines,
                         ::testing::Values(Storage::bytes, Storage::floats, Storage::doubles, Storage::sparse,
                                           Storage::wide_sparse));

TEST(CountedEngine, CountsPassesAlone) {
  const Data data = make_data(Storage::floats, 100, false);
  const auto local = make_local_engine(data.engine_rows(), 1);
  std::vector<std::size_t> seen;
  CountedEngine counted(*local, [&](std::size_t n) { seen.push_back(n); });
  for (const Request& request : all_requests(data, counted)) counted.answer(request);
  PassRequest pass;
  static_cast<ScoreRequest&>(pass) = make_scores(data);
  counted.ask(pass);
  EXPECT_EQ(seen, (std::vector<std::size_t>{1, 2, 3}));
}

}  // namespace
}  // namespace linkgistic
