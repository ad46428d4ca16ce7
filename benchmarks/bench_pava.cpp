// Times isotonic and Lipschitz isotonic regression on rows from two files of raw doubles:
//   bench_pava x.bin y.bin
// prints the least seconds of five runs as JSON: from rows as they come, and on y in the order of x.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

#include "baseline/lipschitz_isotonic.hpp"
#include "baseline/pava.hpp"
#include "baseline/sorted_rows.hpp"

namespace {

std::vector<double> read(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

template <class Run>
double least_seconds(Run run) {
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    run();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace linkgistic;
  if (argc != 3) {
    std::cerr << "use: bench_pava x.bin y.bin\n";
    return 2;
  }
  const std::vector<double> x = read(argv[1]);
  const std::vector<double> y = read(argv[2]);
  const RowBlock rows{x, y, {}};
  const SortedRows sorted = sort_rows(rows);
  std::vector<double> values(sorted.y.size());
  nlohmann::json out;
  out["rows"] = x.size();
  out["isotonic_unsorted"] = least_seconds([&] { fit_isotonic(rows); });
  out["isotonic_sorted"] = least_seconds([&] { pava(sorted.y, {}, values); });
  out["isotonic_sorted_new_vector"] = least_seconds([&] { pava(sorted.y); });
  out["lipschitz_unsorted"] = least_seconds([&] { fit_lipschitz_isotonic(rows); });
  out["mean_square"] = [&] {
    double sum = 0;
    for (const double v : pava(sorted.y)) sum += v * v;
    return sum / static_cast<double>(values.size());
  }();
  std::cout << out << "\n";
}
