// Passes and fits on the GPU, beside this machine's processor and the time that the GPU needs to read the
// rows at all. A pass is one request and its answer: coefficients to the GPU, the pass, the gradient back.
//
//   bench_gpu passes     60,000 x 784 of bytes and of floats
//   bench_gpu large      10^7 x 1,000 bytes
//   bench_gpu fit IMAGES LABELS [TEST_IMAGES TEST_LABELS]
//                        whole fits, from the moment that the rows are where the sums are made
//
// Together they print the tables of docs/gpu.md.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include <linkgistic/dataset.hpp>
#include <linkgistic/linkgistic_classifier.hpp>

#include "classification/fit.hpp"
#include "engine/cuda/cuda_engine.hpp"
#include "engine/cuda/cuda_library.hpp"
#include "engine/local_engine.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"
#include "read_bandwidth.hpp"

namespace linkgistic {
namespace {

using Clock = std::chrono::steady_clock;

template <class Work>
double seconds(int times, const Work& work) {
  work();
  std::vector<double> all;
  for (int i = 0; i < times; ++i) {
    const auto begin = Clock::now();
    work();
    all.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
  }
  std::nth_element(all.begin(), all.begin() + times / 2, all.end());
  return all[static_cast<std::size_t>(times / 2)];
}

template <class T>
RowMatrix random_rows(std::size_t n, std::size_t d) {
  std::vector<T> values(n * d);
  parallel_for(n, 0, [&](std::size_t i) {
    RandomStream random(1, i);
    for (std::size_t j = 0; j < d; ++j) values[i * d + j] = static_cast<T>(random.below(256));
  });
  return RowMatrix(DenseRows<T>{n, d, std::move(values)});
}

// All classes against the rest, or as a softmax over bent links.
PassRequest request_of(std::size_t classes, std::size_t columns, bool softmax) {
  PassRequest r;
  RandomStream random(5);
  if (softmax) {
    r.coupled = static_cast<std::uint32_t>(classes);
    for (std::size_t k = 0; k < classes; ++k)
      r.tables.push_back(
          std::make_shared<const LossTable>(LossTable::tabulate(-20, 20, 5, [&](int, double m) {
            const double bend = 0.02 * static_cast<double>(k);
            return LossNode{m + bend * std::sin(m), 1 + bend * std::cos(m)};
          })));
  } else {
    r.tables = {std::make_shared<const LossTable>(LossTable::logistic())};
  }
  for (std::size_t k = 0; k < classes; ++k)
    r.problems.push_back({static_cast<std::int32_t>(k), softmax ? static_cast<std::int32_t>(k) : 0, {}});
  for (std::size_t i = 0; i < classes * (columns + 1); ++i)
    r.beta.push_back(2e-2 / static_cast<double>(columns) * random.normal());
  return r;
}

template <class T>
void measure(const char* name, std::size_t n, std::size_t d, bool with_processor) {
  const RowMatrix rows = random_rows<T>(n, d);
  std::vector<std::int32_t> labels;
  RandomStream random(2);
  for (std::size_t i = 0; i < n; ++i) labels.push_back(static_cast<std::int32_t>(random.below(10)));
  const EngineRows data{rows, labels, {}, {}};
  const auto begin = Clock::now();
  const auto gpu = make_cuda_engine(data, 0);
  const double loading = std::chrono::duration<double>(Clock::now() - begin).count();
  const double floor = seconds_to_read(n * d * sizeof(T), 20);
  std::printf("%s: loading %.3f s, reading %.1f us (%.2f TB/s)\n", name, loading, 1e6 * floor,
              1e-12 * static_cast<double>(n * d * sizeof(T)) / floor);
  const int times = n * d > 1'000'000'000 ? 10 : 200;
  const auto local = with_processor ? make_local_engine(data, 0) : nullptr;
  const auto one = [&](const char* what, std::size_t classes, bool softmax) {
    // Coefficients differ from pass to pass, as in a fit.
    PassRequest request = request_of(classes, d, softmax);
    const auto pass = [&](RowEngine& engine) {
      return [&] {
        request.beta[1] += 1e-12;
        engine.ask(request);
      };
    };
    const double on_gpu = seconds(times, pass(*gpu));
    std::printf("  %-24s %9.1f us, %5.2f of reading", what, 1e6 * on_gpu, on_gpu / floor);
    if (local) {
      const double here = seconds(5, pass(*local));
      std::printf(", processor %9.0f us (%.0f times)", 1e6 * here, here / on_gpu);
    }
    std::printf("\n");
  };
  one("one class", 1, false);
  one("ten classes", 10, false);
  one("softmax of ten", 10, true);
  std::fflush(stdout);
}

// Seconds from the end of the engine's making to the end of the fit.
void fit(const char* what, const Dataset& data, LinkgisticOptions options, const Dataset* test) {
  for (const char* device : {"cuda", "cpu"}) {
    std::vector<double> all;
    double loss = 0, right = 0, e = 0, m = 0;
    int steps = 0;
    for (int run = 0; run < 3; ++run) {
      Clock::time_point begin;
      e = m = 0;
      options.on_step = [&](const EmStep& step) {
        e += step.seconds_link;
        m += step.seconds_beta;
        steps = step.step;
      };
      const auto fitted = fit_classifier(data, options, [&](EngineRows rows, int threads) {
        auto engine = engine_on(device)(std::move(rows), threads);
        begin = Clock::now();
        return engine;
      });
      all.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
      if (test == nullptr || run > 0) continue;
      const std::vector<double> p = fitted.predict(test->rows).probability;
      const std::size_t classes = fitted.class_names().size();
      loss = right = 0;
      for (std::size_t n = 0; n < test->labels.size(); ++n) {
        const double* own = p.data() + n * classes;
        loss -= std::log(own[test->labels[n]]) / static_cast<double>(test->labels.size());
        right += std::max_element(own, own + classes) - own == test->labels[n] ? 1.0 : 0.0;
      }
    }
    std::sort(all.begin(), all.end());
    std::printf("%-28s %-5s %.3f s (links %.3f, coefficients %.3f), %d EM steps", what, device, all[1], e, m,
                steps);
    if (test != nullptr)
      std::printf(", log loss %.6f, accuracy %.4f", loss, right / static_cast<double>(test->labels.size()));
    std::printf("\n");
    std::fflush(stdout);
  }
}

void fits(int argc, char** argv) {
  DatasetOptions of;
  of.labels = argv[3];
  const Dataset data = read_dataset(argv[2], of);
  std::optional<Dataset> test;
  if (argc > 5) {
    of.labels = argv[5];
    test = read_dataset(argv[4], of);
  }
  const Dataset* at = test ? &*test : nullptr;
  LinkgisticOptions options;
  options.prior = LinkPrior::isgp;
  options.multiclass = Multiclass::ovr;
  options.l2 = 10;
  fit("isgp, l2 10, ovr", data, options, at);
  fit("softmax, all chosen", data, {}, at);
}

}  // namespace
}  // namespace linkgistic

int main(int argc, char** argv) {
  using namespace linkgistic;
  const std::string_view what = argc > 1 ? argv[1] : "passes";
  std::printf("%s\n", cuda_devices().c_str());
  if (what == "passes") {
    measure<std::uint8_t>("60,000 x 784 bytes", 60'000, 784, true);
    measure<float>("60,000 x 784 floats", 60'000, 784, true);
  } else if (what == "large") {
    measure<std::uint8_t>("10^7 x 1,000 bytes", 10'000'000, 1000, false);
  } else if (what == "fit" && argc > 3) {
    fits(argc, argv);
  } else {
    std::fprintf(stderr, "usage: bench_gpu passes | large | fit IMAGES LABELS [TEST_IMAGES TEST_LABELS]\n");
    return 2;
  }
  return 0;
}
