// Monotone regression with learned hyper-parameters, from memory and streaming from a file; for
// isotonic_vs_regress.py.
//
//   bench_regression [--stream] FILE.npy       an array (N, 2) of x and y
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include <linkgistic/monotone_regression.hpp>

#include "table/row_stream.hpp"
#include "table/table.hpp"

namespace {

using namespace linkgistic;

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// The process's own peak: getrusage would count the memory of the parent that started it.
double peak_memory_mib() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "VmHWM:") continue;
    double kib = 0;
    status >> kib;
    return kib / 1024;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool stream_only = argc == 3 && std::string(argv[1]) == "--stream";
  if (argc != 2 && !stream_only) {
    std::fprintf(stderr, "usage: bench_regression [--stream] FILE.npy\n");
    return 2;
  }
  const std::string path = argv[argc - 1];
  nlohmann::json output;
  const MonotoneRegression regression;

  std::size_t rows = 0;
  RegressionSummary summary;
  output["seconds_stream_from_file"] = seconds_of([&] {
    TableRows stream(open_table(path), {"0", "1", ""}, MissingValues::error);
    const auto fit = regression.fit(stream);
    rows = fit.summary().rows;
    summary = fit.summary();
  });
  output["peak_memory_mib_stream"] = peak_memory_mib();
  output["rows"] = rows;
  if (!stream_only) {
    const auto x = read_column(open_table(path), "0", MissingValues::error);
    const auto y = read_column(open_table(path), "1", MissingValues::error);
    output["seconds_fit_in_memory"] = seconds_of([&] { summary = regression.fit(x, y).summary(); });
  }
  output["seconds_data"] = summary.seconds_data;
  output["seconds_search"] = summary.seconds_search;
  output["evaluations"] = summary.evaluations;
  std::printf("%s\n", output.dump().c_str());
}
