// The engine on a GPU: against the reference, and the same bits on every run. Without a GPU these tests skip
// themselves.
#include "engine/cuda/cuda_engine.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include <gtest/gtest.h>

#include <linkgistic/error.hpp>

#include "engine/cuda/cuda_library.hpp"
#include "engine/engine_cases.hpp"
#include "engine/local_engine.hpp"
#include "engine/make_engine.hpp"
#include "engine/reference_engine.hpp"
#include "numeric/bytes.hpp"

namespace linkgistic {
namespace {

bool no_gpu() { return cuda_devices().starts_with("none"); }
#define NEEDS_GPU() \
  if (no_gpu()) GTEST_SKIP() << cuda_devices()

void expect_near(const Request& request, const Answer& found, const Answer& wanted, double tolerance) {
  std::visit(
      [&](const auto& a) {
        const auto& b = std::get<std::decay_t<decltype(a)>>(wanted);
        const std::vector<double> x = numbers(a);
        const std::vector<double> y = numbers(b);
        ASSERT_EQ(x.size(), y.size()) << "request " << request.index();
        double largest = 0;
        for (const double v : y) largest = std::max(largest, std::isfinite(v) ? std::abs(v) : 0.0);
        for (std::size_t i = 0; i < x.size(); ++i) {
          if (x[i] == y[i]) continue;  // both may be infinite
          ASSERT_NEAR(x[i], y[i], tolerance * largest + 1e-9)
              << "request " << request.index() << " number " << i;
        }
      },
      found);
}

// The moments of each group and kind, put together over the cells: a score near an edge may lie in the next
// cell.
std::vector<double> moments_of_groups(const CellsAnswer& cells, const CellsRequest& request) {
  std::vector<double> result;
  for (std::size_t g = 0; g < request.of.groups; ++g) {
    const double width = (request.range.upper[g] - request.range.lower[g]) / request.cells;
    for (std::size_t kind = 0; kind < request.kinds(); ++kind) {
      double weight = 0, first = 0;
      for (std::size_t c = 0; c < request.cells; ++c) {
        const CellMoments& m = cells.moments[(g * request.cells + c) * request.kinds() + kind];
        weight += m[0];
        first += m[0] * (request.range.lower[g] + (static_cast<double>(c) + 0.5) * width) + m[1] * width / 2;
      }
      result.insert(result.end(), {weight, first});
    }
  }
  return result;
}

// The sum of weight z z' over rows that were drawn, by columns, the upper triangle of it; empty: of no row.
std::vector<float> product_of(const SampleAnswer& sample, std::size_t width) {
  if (sample.rows() == 0) return {};
  std::vector<double> sum(width * width);
  const std::size_t stride = SampleAnswer::stride(width - 1);
  for (const SamplePiece& piece : sample.pieces) {
    for (std::size_t n = 0; n < piece.weights.size(); ++n) {
      const float* z = piece.features.data() + n * stride;
      for (std::size_t j = 0; j < width; ++j)
        for (std::size_t i = 0; i <= j; ++i)
          sum[j * width + i] +=
              static_cast<double>(piece.weights[n]) * static_cast<double>(z[i]) * static_cast<double>(z[j]);
    }
  }
  return {sum.begin(), sum.end()};
}

void compare(const Data& data, double tolerance = 1e-5) {
  const auto reference = make_reference_engine(data.engine_rows());
  const auto gpu = make_cuda_engine(data.engine_rows(), 0);
  for (const Request& request : all_requests(data, *reference)) {
    const Answer found = gpu->answer(request);
    Answer wanted = reference->answer(request);
    if (auto* sample = std::get_if<SampleAnswer>(&wanted))
      *sample = {{}, product_of(*sample, data.rows.columns() + 1)};
    if (const auto* cells = std::get_if<CellsRequest>(&request)) {
      const auto x = moments_of_groups(std::get<CellsAnswer>(found), *cells);
      const auto y = moments_of_groups(std::get<CellsAnswer>(wanted), *cells);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_NEAR(x[i], y[i], 1e-5 * std::abs(y[i]) + 1e-3) << "moment " << i;
      ASSERT_NEAR(std::get<CellsAnswer>(found).loss, std::get<CellsAnswer>(wanted).loss,
                  1e-5 * std::get<CellsAnswer>(wanted).loss);
      continue;
    }
    expect_near(request, found, wanted, tolerance);
  }
}

class CudaEngines : public ::testing::TestWithParam<Storage> {};

TEST_P(CudaEngines, AnswerAsTheReferenceDoes) {
  NEEDS_GPU();
  for (const bool weighted : {false, true})
    compare(make_data(GetParam(), GetParam() == Storage::wide_sparse ? 700 : 2500, weighted));
}

TEST_P(CudaEngines, TakeFewRowsAndOddWidths) {
  NEEDS_GPU();
  if (GetParam() == Storage::wide_sparse) return;
  for (const std::size_t rows : {3U, 63U, 64U, 65U, 257U}) compare(make_data(GetParam(), rows, true));
  for (const std::size_t columns : {1U, 15U, 16U, 33U, 127U, 784U})
    compare(make_data(GetParam(), 300, true, columns));
}

TEST_P(CudaEngines, GiveTheSameBitsOnEveryRun) {
  NEEDS_GPU();
  const Data data = make_data(GetParam(), GetParam() == Storage::wide_sparse ? 700 : 30000, true);
  const auto local = make_local_engine(data.engine_rows(), 2);
  const std::vector<Request> requests = all_requests(data, *local);
  std::vector<std::string> first;
  for (int run = 0; run < 4; ++run) {
    const auto gpu = make_cuda_engine(data.engine_rows(), 0);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const std::string bytes =
          std::visit([](const auto& a) { return to_bytes(a); }, gpu->answer(requests[i]));
      if (run == 0) first.push_back(bytes);
      EXPECT_EQ(bytes, first[i]) << "request " << requests[i].index();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, CudaEngines,
                         ::testing::Values(Storage::bytes, Storage::floats, Storage::doubles, Storage::sparse,
                                           Storage::wide_sparse));

// Wider than a slab of columns, and more classes than one read takes.
TEST(CudaEngine, TakesWideRowsAndManyClasses) {
  NEEDS_GPU();
  compare(make_data(Storage::bytes, 200, true, 2100));
  compare(make_data(Storage::floats, 200, true, 2100));
  for (const Storage storage : {Storage::bytes, Storage::floats, Storage::sparse}) {
    Data data = make_data(storage, 1200, true, 40);
    RandomStream random(3);
    for (auto& label : data.labels) label = static_cast<std::int32_t>(random.below(23));
    PassRequest request;
    static_cast<ScoreRequest&>(request) = make_softmax(data);
    request.coupled = 23;
    request.problems.clear();
    request.beta.clear();
    for (std::int32_t k = 0; k < 23; ++k) request.problems.push_back({k, k % 3, {Selection::Rows::train, 1}});
    for (std::size_t i = 0; i < std::size_t{23} * 41; ++i) request.beta.push_back(2e-3 * random.normal());
    const auto reference = make_reference_engine(data.engine_rows());
    expect_near(request, make_cuda_engine(data.engine_rows(), 0)->answer(request), reference->answer(request),
                1e-5);
  }
}

// Whole sums are moved out of 32 bits before they overflow: rows of white pixels whose residuals have one
// sign.
TEST(CudaEngine, SumsMoreRowsThanWordsHold) {
  NEEDS_GPU();
  constexpr std::size_t rows = 20'000'000;
  Data data;
  data.rows = RowMatrix(DenseRows<std::uint8_t>{rows, 1, std::vector<std::uint8_t>(rows, 255)});
  data.labels.assign(rows, 0);
  PassRequest request;
  request.tables = {std::make_shared<const LossTable>(LossTable::logistic())};
  request.problems = {{1, 0, {}}};
  request.beta = {0.3, 0.01};
  const PassResult found = make_cuda_engine(data.engine_rows(), 0)->ask(request);
  const double m = 0.3 + 2.55;
  const double r = 1 / (1 + std::exp(-m));
  EXPECT_NEAR(found.gradient[0], rows * r, 1e-6 * rows);
  EXPECT_NEAR(found.gradient[1], 255.0 * rows * r, 255e-6 * rows);
  EXPECT_NEAR(found.loss[0], rows * std::log1p(std::exp(m)), 1e-6 * rows);
}

TEST(CudaEngine, NamesTheRowWhoseScoreIsNotFinite) {
  NEEDS_GPU();
  const Data data = make_data(Storage::floats, 100, false);
  RangeRequest request{make_scores(data), {0, 0, 0, 0, 0, 0}, 1};
  request.scores.beta.assign(request.scores.beta.size(), 1e300);
  const auto gpu = make_cuda_engine(data.engine_rows(), 0);
  try {
    gpu->ask(request);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "the score of row 1 is not finite");
  }
}

TEST(CudaEngine, RowsThatDoNotFitAreRefusedWithNumbers) {
  NEEDS_GPU();
  // No row of these 8 TB is read.
  lg_cuda_rows rows{};
  rows.rows = std::uint64_t{1} << 30;
  rows.columns = 8192;
  rows.storage = LG_CUDA_BYTES;
  rows.read = [](void*, std::uint64_t, std::uint64_t, void*) { ADD_FAILURE() << "read"; };
  lg_cuda_engine* engine = nullptr;
  std::array<char, 1024> error{};
  EXPECT_NE(cuda_library().open(0, &rows, &engine, error.data(), error.size()), 0);
  const std::string message = error.data();
  EXPECT_TRUE(message.starts_with("the rows take 8")) << message;
  EXPECT_TRUE(message.ends_with("use device = cpu")) << message;
}

TEST(CudaEngine, AnotherGpuThanThoseThereIsRefused) {
  NEEDS_GPU();
  const Data data = make_data(Storage::floats, 1000, false);
  EXPECT_THROW((void)make_cuda_engine(data.engine_rows(), 77), UsageError);
}

// Scores of so many problems and rows do not fit; what is asked next does.
TEST(CudaEngine, ARequestThatDoesNotFitIsAnErrorAndNotTheLast) {
  NEEDS_GPU();
  constexpr std::size_t rows = 4'000'000;
  Data data;
  data.rows = RowMatrix(DenseRows<std::uint8_t>{rows, 1, std::vector<std::uint8_t>(rows, 3)});
  data.labels.assign(rows, 0);
  PassRequest request;
  request.tables = {std::make_shared<const LossTable>(LossTable::logistic())};
  request.problems.assign(20'000, {1, 0, {}});  // 320 GB of scores
  for (std::size_t p = 0; p < request.problems.size(); ++p) {
    request.beta.push_back(1e-6 * static_cast<double>(p));
    request.beta.push_back(0.1);
  }
  const auto gpu = make_cuda_engine(data.engine_rows(), 0);
  try {
    gpu->ask(request);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("GPU: the GPU has no room for ")) << e.what();
  }
  request.problems.resize(1);
  request.beta.resize(2);
  const double m = 0.3;
  EXPECT_NEAR(gpu->ask(request).loss[0], rows * std::log1p(std::exp(m)), 1e-6 * rows);
}

TEST(CudaEngine, TwoFitsAtOnceDoNotMeet) {
  NEEDS_GPU();
  const Data data = make_data(Storage::bytes, 20000, true, 100);
  const auto local = make_local_engine(data.engine_rows(), 2);
  const std::vector<Request> requests = all_requests(data, *local);
  const auto answers = [&] {
    std::string all;
    const auto gpu = make_cuda_engine(data.engine_rows(), 0);
    for (int run = 0; run < 5; ++run)
      for (const Request& request : requests)
        all += std::visit([](const auto& a) { return to_bytes(a); }, gpu->answer(request));
    return all;
  };
  const std::string alone = answers();
  std::vector<std::string> found(4);
  std::vector<std::thread> threads;
  for (std::string& one : found) threads.emplace_back([&] { one = answers(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& one : found) EXPECT_EQ(one, alone);
}

TEST(Device, IsCpuOrCuda) {
  EXPECT_NO_THROW(engine_on("cpu"));
  EXPECT_NO_THROW(engine_on("cuda"));
  EXPECT_NO_THROW(engine_on("cuda:12"));
  for (const char* word : {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CUDA", "cuda1", "cuda:99999"})
    EXPECT_THROW(engine_on(word), UsageError) << word;
}

TEST(Device, WithoutAGpuSaysWhatIsMissing) {
  if (!no_gpu()) GTEST_SKIP() << "there is one";
  const Data data = make_data(Storage::bytes, 10, false);
  try {
    engine_on("cuda")(data.engine_rows(), 1);
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& e) {
    EXPECT_TRUE(std::string(e.what()).starts_with("device = cuda: ")) << e.what();
  }
}

}  // namespace
}  // namespace linkgistic
