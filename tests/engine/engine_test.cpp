// Every verb: the engines against the reference, and the same bits for any partition and number of threads.
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/decorated_engine.hpp"
#include "engine/local_engine.hpp"
#include "engine/partitioned_engine.hpp"
#include "engine/reference_engine.hpp"
#include "numeric/bytes.hpp"
#include "numeric/random.hpp"

namespace linkgistic {
namespace {

enum class Storage { bytes, floats, doubles, sparse, wide_sparse };

struct Data {
  RowMatrix rows;
  std::vector<std::int32_t> labels;
  std::vector<float> weights;
  RowParts parts;
  [[nodiscard]] EngineRows engine_rows() const { return {rows, labels, weights, parts}; }
};

RowMatrix make_matrix(Storage storage, std::size_t n, std::size_t d, RandomStream& random) {
  if (storage == Storage::bytes) {
    std::vector<std::uint8_t> values(n * d);
    for (auto& v : values) v = static_cast<std::uint8_t>(random.below(256));
    return RowMatrix(DenseRows<std::uint8_t>{n, d, std::move(values)});
  }
  if (storage == Storage::floats || storage == Storage::doubles) {
    std::vector<double> values(n * d);
    for (auto& v : values) v = random.normal();
    if (storage == Storage::floats) return float_rows(values, n, d);
    return RowMatrix(ViewRows<double>{n, d, std::move(values), d, 1, std::vector<double>(d, 0.1)});
  }
  std::vector<std::int64_t> start = {0};
  std::vector<std::int32_t> column;
  std::vector<float> value;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t first = random.below(d);
    for (std::size_t e = 0; e < std::min(d, 1 + i % 90); ++e) {  // every column at most once
      column.push_back(static_cast<std::int32_t>((first + 7 * e) % d));
      value.push_back(static_cast<float>(random.normal()));
    }
    start.push_back(static_cast<std::int64_t>(column.size()));
  }
  return RowMatrix(CsrRows{n, d, std::move(start), std::move(column), std::move(value)});
}

Data make_data(Storage storage, std::size_t n, bool weighted) {
  RandomStream random(7);
  Data data;
  data.rows = make_matrix(storage, n, storage == Storage::wide_sparse ? 5000 : 11, random);
  data.parts = RowParts(2, n);
  for (std::size_t i = 0; i < n; ++i) {
    data.labels.push_back(static_cast<std::int32_t>(random.below(3)));
    if (weighted) data.weights.push_back(static_cast<float>(random.below(4)) / 2);
    const std::uint64_t part = random.below(3);  // 2: no part holds the row out
    for (std::size_t p = 0; p < 2; ++p)
      part == p ? data.parts.set_held_out(i, p) : data.parts.set_train(i, p);
  }
  return data;
}

// Six problems over all rows, those of a part and those that it holds out.
ScoreRequest make_scores(const Data& data) {
  RandomStream random(5);
  const double size = std::holds_alternative<DenseRows<std::uint8_t>>(data.rows.storage()) ? 2e-3 : 0.2;
  ScoreRequest r;
  r.tables = {std::make_shared<const LossTable>(LossTable::logistic())};
  for (const Selection s :
       {Selection{}, Selection{Selection::Rows::train, 1}, Selection{Selection::Rows::held_out, 0},
        Selection{Selection::Rows::unheld, 0}, Selection{Selection::Rows::train, 0}, Selection{}})
    r.problems.push_back({static_cast<std::int32_t>(r.problems.size() % 3), 0, s});
  for (std::size_t i = 0; i < r.problems.size() * (data.rows.columns() + 1); ++i)
    r.beta.push_back(size * random.normal());
  return r;
}

// The same scores as two sets of three classes, with bent links.
ScoreRequest make_softmax(const Data& data) {
  ScoreRequest r = make_scores(data);
  r.coupled = 3;
  const auto bent = [](double size) {
    return std::make_shared<const LossTable>(LossTable::tabulate(-4, 4, 6, [&](int, double m) {
      return LossNode{m + size * std::sin(m), 1 + size * std::cos(m)};
    }));
  };
  r.tables = {bent(0), bent(0.5), bent(-0.8)};
  for (std::size_t p = 0; p < r.problems.size(); ++p) {
    r.problems[p].table = static_cast<std::int32_t>(p % 3);
    r.problems[p].selection = r.problems[p / 3 * 3 + 1].selection;
  }
  return r;
}

// Each class has two functions of its score.
OverlapRequest overlap_request(const ScoreRequest& scores) {
  OverlapRequest r{{scores, {0, 1, 2, 0, 1, 2}, 3}, {}};
  for (const double size : {1.0, 0.5, 2.0})
    r.functions.push_back({-2, 2, 2, {size, 0.5, 2 * size, -1, 0, size}});
  return r;
}

// A factor of the features and two functions of the score, others for each label.
InformationRequest information_request(const ScoreRequest& scores, std::size_t width) {
  ColumnScale scale;
  for (std::size_t j = 1; j < width; ++j) {
    scale.shift.push_back(0.1 * static_cast<double>(j % 3));
    scale.scale.push_back(1 + 0.5 * static_cast<double>(j % 2));
  }
  return {
      scores, scale, {{-2, 1.5, 3, {1, 0.5, 2, 0.5, -1, 0, 2, 1, 0.25}}, {-2, 2, 3, {0.5, 0, 1, 1, 1, -1}}}};
}

std::vector<Request> requests_of(const Data& data, RowEngine& reference, bool softmax) {
  const ScoreRequest scores = softmax ? make_softmax(data) : make_scores(data);
  const std::size_t width = data.rows.columns() + 1;
  PassRequest pass;
  static_cast<ScoreRequest&>(pass) = scores;
  LineRequest line{scores, scores.beta, {}};
  for (double& b : line.end) b *= 1.5;
  for (std::size_t i = 0; i < 2 * scores.sets(); ++i)
    line.steps.push_back(0.3 + 0.1 * static_cast<double>(i));
  const RangeRequest range{scores, {0, 0, 1, 1, 0, 2}, 3};
  CurvatureRequest curvature;
  static_cast<ScoreRequest&>(curvature) = scores;
  SampleRequest sample;
  const auto members = static_cast<std::ptrdiff_t>(scores.coupled);
  sample.scores = {scores.tables,
                   {scores.problems.begin() + members, scores.problems.begin() + 2 * members},
                   {scores.beta.begin(), scores.beta.begin() + members * static_cast<std::ptrdiff_t>(width)},
                   scores.coupled};
  sample.direction = static_cast<std::uint32_t>(scores.directions() - 1);
  sample.share = 0.1;
  sample.seed = 4;
  HeldOutRequest held_out{scores, {0, 0, 0, 1, 1, 1}, 2, 1.0};
  if (softmax) held_out.candidate = {0, 1};
  SummaryRequest summary{{Selection{}, {Selection::Rows::train, 1}}, 3, {}, true};
  if (!data.rows.is_sparse()) summary.pivot.assign(width - 1, 0.5);
  if (data.rows.is_sparse()) summary.pivot.assign(width - 1, 0.0);
  std::vector<Request> all{summary,   pass,   line,    range, CellsRequest{range, reference.ask(range), 32},
                           curvature, sample, held_out};
  if (width < 1000) all.emplace_back(GramRequest{sample.scores, sample.direction, {}});
  if (width < 1000 && !softmax) all.emplace_back(information_request(sample.scores, width));
  if (softmax) all.emplace_back(overlap_request(scores));
  return all;
}

// Those of problems alone, then those of a softmax.
std::vector<Request> all_requests(const Data& data, RowEngine& reference) {
  std::vector<Request> all = requests_of(data, reference, false);
  for (Request& request : requests_of(data, reference, true)) all.push_back(std::move(request));
  return all;
}

// Numbers of an answer, in the order of its bytes.
template <class A>
std::vector<double> numbers(A answer) {
  std::vector<double> all;
  const auto add = [&](const auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, double>) {
      all.push_back(field);
    } else if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::vector<SamplePiece>>) {
      for (const SamplePiece& piece : field) {
        all.insert(all.end(), piece.weights.begin(), piece.weights.end());
      }
      for (const SamplePiece& piece : field)
        all.insert(all.end(), piece.features.begin(), piece.features.end());
    } else if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::vector<CellMoments>>) {
      for (const CellMoments& m : field) all.insert(all.end(), m.begin(), m.end());
    } else {
      all.insert(all.end(), field.begin(), field.end());
    }
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, answer.fields());
  return all;
}

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
