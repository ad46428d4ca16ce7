// The fused pass beside two bare sgemm calls of the same shape and beside the machine's read bandwidth.
//
// Operations and bytes of one pass over N x D for C classes: 4 N D C operations; N D sizeof(T) bytes read
// once. With N = 60,000, D = 784, C = 10: 1.88 Gflop and 188 MB (float32) or 47 MB (uint8). Sparse: 8 bytes
// and 4 operations an entry and class, one gather and one scatter each.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <omp.h>

#include "engine/cpu/fused_pass.hpp"
#include "numeric/random.hpp"

#ifdef LINKGISTIC_HAVE_BLAS
constexpr bool have_blas = true;
// The name is that of Fortran.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*, const int*);
#else
constexpr bool have_blas = false;
template <class... Arguments>
void sgemm_(Arguments...) {}
#endif

namespace {

using namespace linkgistic;

int threads = 2;

// Wall clock, and CPU time of the process a thread: the same on a quiet machine, and steadier on a busy one.
struct Seconds {
  double wall = 1e300;
  double core = 1e300;
};

double core_clock() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec)) / threads;
}

// The least seconds of each contender over rounds in which all take turns: 20, or as many as ten seconds
// allow.
template <class... F>
std::array<Seconds, sizeof...(F)> best_seconds(F&&... contenders) {
  using Clock = std::chrono::steady_clock;
  constexpr int rounds = 20;
  constexpr int fewest = 3;
  const auto end = Clock::now() + std::chrono::seconds(10);
  std::array<Seconds, sizeof...(F)> best;
  for (int r = 0; r < fewest || (r < rounds && Clock::now() < end); ++r) {
    std::size_t i = 0;
    const auto time = [&](auto& contender) {
      const auto start = Clock::now();
      const double core = core_clock();
      contender();
      best[i].core = std::min(best[i].core, core_clock() - core);
      best[i].wall = std::min(best[i].wall, std::chrono::duration<double>(Clock::now() - start).count());
      ++i;
    };
    (time(contenders), ...);
  }
  return best;
}

// Sums 256 MB.
class Read {
 public:
  void operator()() {
    std::uint64_t sum = 0;
    const std::uint64_t* values = data_.data();
    const std::size_t count = data_.size();
#pragma omp parallel for reduction(+ : sum) num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < count; ++i) sum += values[i];
    sink_ = sum;
  }
  [[nodiscard]] double bytes() const { return static_cast<double>(data_.size() * sizeof(std::uint64_t)); }

 private:
  std::vector<std::uint64_t> data_ = std::vector<std::uint64_t>(std::size_t{1} << 25, 1);
  volatile std::uint64_t sink_ = 0;
};

// The two products of a pass by BLAS alone.
class TwoProducts {
 public:
  TwoProducts(const std::vector<float>& z, int n, int d, int c)
      : z_(z),
        n_(n),
        d_(d),
        c_(c),
        beta_(static_cast<std::size_t>(d * c), 0.01F),
        margins_(static_cast<std::size_t>(n) * static_cast<std::size_t>(c)),
        gradient_(beta_.size()) {}

  void operator()() {
    const float one = 1;
    const float zero = 0;
    // Row-major Z is a column-major D x N matrix: margins' (c x n) = beta' Z', gradient' (c x d) = margins'
    // Z.
    sgemm_("N", "N", &c_, &n_, &d_, &one, beta_.data(), &c_, z_.data(), &d_, &zero, margins_.data(), &c_);
    sgemm_("N", "T", &c_, &d_, &n_, &one, margins_.data(), &c_, z_.data(), &d_, &zero, gradient_.data(), &c_);
  }

 private:
  const std::vector<float>& z_;
  int n_;
  int d_;
  int c_;
  std::vector<float> beta_;
  std::vector<float> margins_;
  std::vector<float> gradient_;
};

// Sums what the entries of sparse rows point at in one number a column, for every entry in turn and nothing
// else: no pass that looks up an entry's coefficient, and later its residual or gradient, has less than two
// such lookups.
class Lookups {
 public:
  explicit Lookups(const RowMatrix& rows)
      : rows_(std::get<CsrRows>(rows.storage())), table_(rows_.columns, 1.0F) {}

  void operator()() {
    const std::int32_t* column = rows_.column.data();
    const float* table = table_.data();
    const std::size_t count = rows_.column.size() / 8;
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t* c = column + 8 * i;
      sum += ((table[c[0]] + table[c[1]]) + (table[c[2]] + table[c[3]])) +
             ((table[c[4]] + table[c[5]]) + (table[c[6]] + table[c[7]]));
    }
    sink_ = sum;
  }

 private:
  CsrRows rows_;
  std::vector<float> table_;
  volatile float sink_ = 0;
};

class Pass {
 public:
  Pass(RowMatrix rows, std::size_t classes)
      : view_{std::move(rows), {}},
        labels_(view_.rows.rows()),
        beta_(classes * (view_.rows.columns() + 1), 0.01) {
    view_.scale = uniform_scale(view_.rows.columns(), 1.0 / 255);
    for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % 10);
    for (std::size_t k = 0; k < classes; ++k) {
      classes_.push_back({static_cast<std::int32_t>(k), &LossTable::logistic()});
    }
  }

  // As the solver does: passes from now on use the second copy.
  double copy_columns() {
    const auto start = std::chrono::steady_clock::now();
    copy_ = std::make_unique<ColumnBlocks>(std::get<CsrRows>(view_.rows.storage()),
                                           Grid(shape_of(view_.rows)), threads);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void operator()() const { fused_pass({&view_, labels_, {}, copy_.get()}, classes_, beta_, {}, threads); }
  [[nodiscard]] double copy_bytes() const { return static_cast<double>(copy_->bytes()); }
  [[nodiscard]] double bytes() const { return static_cast<double>(view_.rows.bytes()); }

 private:
  RowView view_;
  std::vector<std::int32_t> labels_;
  std::vector<PassClass> classes_;
  std::vector<double> beta_;
  std::unique_ptr<const ColumnBlocks> copy_;
};

const char* verdict(bool met) { return met ? "PASS" : "FALLS SHORT"; }

void report_ratio(const std::string& name, const Seconds& seconds, const Seconds& sgemm, double bar) {
  if (!have_blas) {
    std::printf("%-44s %9.2f ms  (no BLAS to compare with)\n", name.c_str(), 1e3 * seconds.wall);
    return;
  }
  std::printf("%-44s %9.2f ms  %5.3f of two sgemm (%.2f ms), bar %.2f  %s\n", name.c_str(),
              1e3 * seconds.wall, seconds.wall / sgemm.wall, 1e3 * sgemm.wall, bar,
              verdict(seconds.wall <= bar * sgemm.wall));
}

// The bytes that the passes of a round read, beside what bare reading does in the same round.
class Bandwidth {
 public:
  Bandwidth(double bytes, const Seconds& seconds)
      : wall_(bytes / seconds.wall), core_(bytes / seconds.core) {}

  void print() const {
    std::printf("%-44s %9.1f GB/s (CPU time: %.1f)\n", "read bandwidth", 1e-9 * wall_, 1e-9 * core_);
  }
  void report(const std::string& name, const Seconds& seconds, double bytes, double bar) const {
    const double share = bytes / seconds.wall / wall_;
    std::printf("%-44s %9.2f ms  %5.1f %% of read bandwidth (CPU time: %.2f ms, %.1f %%)", name.c_str(),
                1e3 * seconds.wall, 100 * share, 1e3 * seconds.core, 100 * bytes / seconds.core / core_);
    if (bar > 0) std::printf(", bar %.0f %%  %s", 100 * bar, verdict(share >= bar));
    std::printf("\n");
  }

 private:
  double wall_;
  double core_;
};

void dense() {
  constexpr int n = 60000;
  constexpr int d = 784;
  std::vector<float> floats(std::size_t{n} * d);
  std::vector<std::uint8_t> bytes(floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 24);
    floats[i] = static_cast<float>(bytes[i]);
  }
  const RowMatrix byte_rows(DenseRows<std::uint8_t>{n, d, std::move(bytes)});
  const RowMatrix single_rows(DenseRows<float>{n, d, floats});
  TwoProducts products(floats, n, d, 10);
  const auto ten = best_seconds(Pass(single_rows, 10), Pass(byte_rows, 10), products);
  report_ratio("60,000 x 784 float32, ten classes", ten[0], ten[2], 0.35);
  report_ratio("60,000 x 784 uint8, ten classes", ten[1], ten[2], 0.35);
  const Pass one_single(single_rows, 1);
  const Pass one_byte(byte_rows, 1);
  Read read;
  const auto one = best_seconds(one_single, one_byte, read);
  const Bandwidth bandwidth(read.bytes(), one[2]);
  bandwidth.print();
  bandwidth.report("60,000 x 784 float32, one class", one[0], one_single.bytes(), 0.8);
  bandwidth.report("60,000 x 784 uint8, one class", one[1], one_byte.bytes(), 0);
}

void sparse() {
  constexpr std::size_t n = 1000000;
  constexpr std::uint64_t d = 100000;
  constexpr std::size_t per_row = 30;
  std::vector<std::int64_t> start(n + 1);
  std::vector<std::int32_t> column(n * per_row);
  std::vector<float> value(n * per_row);
  RandomStream random(1);
  for (float& v : value) v = static_cast<float>(random.uniform());
  for (std::size_t i = 0; i < n; ++i) {
    start[i + 1] = static_cast<std::int64_t>((i + 1) * per_row);
    for (std::size_t e = 0; e < per_row; ++e)
      column[i * per_row + e] = static_cast<std::int32_t>(random.below(d));
    std::sort(column.begin() + start[i], column.begin() + start[i + 1]);
  }
  const RowMatrix rows(CsrRows{n, d, std::move(start), std::move(column), std::move(value)});
  Pass one(rows, 1);
  Pass ten(rows, 10);
  const double build = one.copy_columns();
  ten.copy_columns();
  const Pass plain(rows, 1);
  Lookups lookups(rows);
  Read read;
  const auto seconds = best_seconds(one, plain, lookups, read);
  const auto many = best_seconds(ten);
  const Bandwidth bandwidth(read.bytes(), seconds[3]);
  bandwidth.report("10^6 x 10^5, 30 a row, one class", seconds[0], one.bytes(), 0.5);
  std::printf("%-44s %9.2f ms, %.2f of the bytes of the rows\n", "  its column blocks, built once",
              1e3 * build, one.copy_bytes() / one.bytes());
  bandwidth.report("  without column blocks", seconds[1], one.bytes(), 0);
  const Seconds two{2 * seconds[2].wall, 2 * seconds[2].core};
  bandwidth.report("  floor: two bare lookups an entry", two, one.bytes(), 0);
  bandwidth.report("10^6 x 10^5, 30 a row, ten classes", many[0], ten.bytes(), 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) threads = std::atoi(argv[1]);
  omp_set_num_threads(threads);
  std::printf("%d threads\n", threads);
  dense();
  sparse();
  return 0;
}
