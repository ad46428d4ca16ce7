// The fused pass beside two bare sgemm calls of the same shape and beside the machine's read bandwidth.
//
// Operations and bytes of one pass over N x D for C classes: 4 N D C operations; N D sizeof(T) bytes read
// once. With N = 60,000, D = 784, C = 10: 1.88 Gflop and 188 MB (float32) or 47 MB (uint8). Sparse: 8 bytes
// and 4 operations an entry and class, one gather and one scatter each.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <omp.h>

#include "compute/fused_pass.hpp"
#include "numeric/random.hpp"

#ifdef LINKGISTIC_HAVE_BLAS
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*, const int*);
#endif

namespace {

using namespace linkgistic;

int threads = 2;

template <class F>
double best_seconds(F&& f, int repeats = 15) {
  double best = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const auto start = std::chrono::steady_clock::now();
    f();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// Bytes per second of summing a large array.
double read_bandwidth() {
  const std::size_t size = std::size_t{1} << 27;
  std::vector<std::uint64_t> data(size / 4, 1);
  volatile std::uint64_t sink = 0;
  const double seconds = best_seconds([&] {
    std::uint64_t sum = 0;
    const std::uint64_t* values = data.data();
    const std::size_t count = data.size();
#pragma omp parallel for simd reduction(+ : sum) num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    sink = sum;
  });
  return static_cast<double>(data.size() * sizeof(std::uint64_t)) / seconds;
}

double two_sgemm_seconds([[maybe_unused]] const std::vector<float>& z, [[maybe_unused]] int n,
                         [[maybe_unused]] int d, [[maybe_unused]] int c) {
#ifdef LINKGISTIC_HAVE_BLAS
  std::vector<float> beta(static_cast<std::size_t>(d * c), 0.01F);
  std::vector<float> margins(static_cast<std::size_t>(n) * static_cast<std::size_t>(c));
  std::vector<float> gradient(beta.size());
  const float one = 1;
  const float zero = 0;
  return best_seconds([&] {
    // Row-major Z is a column-major D x N matrix: margins' (c x n) = beta' Z', gradient' (c x d) = margins'
    // Z.
    sgemm_("N", "N", &c, &n, &d, &one, beta.data(), &c, z.data(), &d, &zero, margins.data(), &c);
    sgemm_("N", "T", &c, &d, &n, &one, margins.data(), &c, z.data(), &d, &zero, gradient.data(), &c);
  });
#else
  return 0;
#endif
}

double pass_seconds(const RowMatrix& rows, std::size_t classes, int repeats = 15) {
  const RowView view{rows, uniform_scale(rows.columns(), 1.0 / 255)};
  std::vector<std::int32_t> labels(rows.rows());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 10);
  std::vector<PassClass> problems;
  for (std::size_t k = 0; k < classes; ++k)
    problems.push_back({static_cast<std::int32_t>(k), &LossTable::logistic()});
  const std::vector<double> beta(classes * (rows.columns() + 1), 0.01);
  const LabelledView data{&view, labels, {}};
  return best_seconds([&] { fused_pass(data, problems, beta, {}, threads); }, repeats);
}

void report(const char* name, double seconds, double bytes, double bandwidth, double sgemm) {
  std::printf("%-34s %8.2f ms  %6.1f GB/s = %5.1f %% of read bandwidth", name, 1e3 * seconds,
              1e-9 * bytes / seconds, 100 * bytes / seconds / bandwidth);
  if (sgemm > 0) std::printf("  %.3f of two sgemm (%.2f ms)", seconds / sgemm, 1e3 * sgemm);
  std::printf("\n");
}

void dense(double bandwidth) {
  constexpr int n = 60000;
  constexpr int d = 784;
  std::vector<float> floats(std::size_t{n} * d);
  std::vector<std::uint8_t> bytes(floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 24);
    floats[i] = static_cast<float>(bytes[i]);
  }
  const RowMatrix byte_rows(DenseRows<std::uint8_t>{n, d, bytes});
  const RowMatrix float_rows(DenseRows<float>{n, d, floats});
  for (const int classes : {10, 1}) {
    const double sgemm = two_sgemm_seconds(floats, n, d, classes);
    const auto c = static_cast<std::size_t>(classes);
    const std::string suffix = " 60000 x 784, classes " + std::to_string(classes);
    report(("float32" + suffix).c_str(), pass_seconds(float_rows, c), 4.0 * n * d, bandwidth, sgemm);
    report(("uint8  " + suffix).c_str(), pass_seconds(byte_rows, c), 1.0 * n * d, bandwidth, sgemm);
  }
}

void sparse(double bandwidth) {
  constexpr std::size_t n = 1000000;
  constexpr std::uint64_t d = 100000;
  constexpr std::size_t per_row = 30;
  std::vector<std::int64_t> start(n + 1);
  std::vector<std::int32_t> column(n * per_row);
  std::vector<float> value(n * per_row, 1);
  RandomStream random(1);
  for (std::size_t i = 0; i < n; ++i) {
    start[i + 1] = static_cast<std::int64_t>((i + 1) * per_row);
    for (std::size_t e = 0; e < per_row; ++e)
      column[i * per_row + e] = static_cast<std::int32_t>(random.below(d));
    std::sort(column.begin() + start[i], column.begin() + start[i + 1]);
  }
  const RowMatrix rows(CsrRows{n, d, std::move(start), std::move(column), std::move(value)});
  for (const std::size_t classes : {std::size_t{1}, std::size_t{10}}) {
    report(("sparse 10^6 x 10^5, 30/row, classes " + std::to_string(classes)).c_str(),
           pass_seconds(rows, classes, 7), static_cast<double>(rows.bytes()), bandwidth, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) threads = std::atoi(argv[1]);
  omp_set_num_threads(threads);
  const double bandwidth = read_bandwidth();
  std::printf("%d threads, read bandwidth %.1f GB/s\n", threads, 1e-9 * bandwidth);
  dense(bandwidth);
  sparse(bandwidth);
  return 0;
}
