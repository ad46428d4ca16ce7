// Share of held-out observations inside the 90 % observation bands, on curves of real data and the toys.
//
//   study_observation_bands [splits = 10] [inference = laplace] [draws a chain of mcmc = 1000]
//
// auto-mpg: mpg on each of four features. abalone (LINKGISTIC_DATA/tabular/abalone.csv, left out where it is
// not): rings on each size and weight. The toy of two rises. Trained on half of the rows, at most 1,000,
// tested on the others.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "table/row_stream.hpp"
#include "table/table.hpp"
#include "table/toys.hpp"
#include "text/names.hpp"

namespace {

using namespace linkgistic;

struct Curves {
  std::string name;
  std::vector<double> x, y;
};

Curves read(const std::string& name, std::unique_ptr<Table> table, const std::string& x,
            const std::string& y) {
  Curves rows{name + " " + x, {}, {}};
  const std::vector<std::string> columns{x, y};
  CompleteRows complete(std::move(table), columns, MissingValues::drop);
  while (complete.next() > 0) {
    rows.x.insert(rows.x.end(), complete.column(0).begin(), complete.column(0).end());
    rows.y.insert(rows.y.end(), complete.column(1).begin(), complete.column(1).end());
  }
  return rows;
}

std::vector<Curves> all_curves() {
  std::vector<Curves> result;
  for (const char* x : {"acceleration", "displacement", "horsepower", "weight"})
    result.push_back(read("auto-mpg", open_auto_mpg(), x, "mpg"));
  if (const char* folder = std::getenv("LINKGISTIC_DATA")) {
    const std::string path = std::string(folder) + "/tabular/abalone.csv";
    if (std::filesystem::exists(path)) {
      for (const char* x : {"length", "diameter", "height", "whole_weight", "shucked_weight",
                            "viscera_weight", "shell_weight"})
        result.push_back(read("abalone", open_table(path), x, "rings"));
    }
  }
  for (const std::size_t n : {60U, 600U}) {
    const Toy toy = regression_toy(n, 1);
    result.push_back({"toy " + std::to_string(n), toy.x, toy.y});
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const int splits = argc > 1 ? std::atoi(argv[1]) : 10;
  MonotoneRegressionOptions options;
  options.inference = value_of(inference_names(), argc > 2 ? argv[2] : "laplace");
  if (argc > 3) options.draws = std::atoi(argv[3]);
  options.threads = 1;
  std::printf("%-24s %6s %9s %9s %9s\n", "set", "rows", "isgp", "offset", "gp");
  double mean[3] = {};
  const auto curves = all_curves();
  for (const Curves& rows : curves) {
    std::printf("%-24s %6zu", rows.name.c_str(), rows.x.size());
    int column = 0;
    for (const PriorKind prior : {PriorKind::isgp, PriorKind::offset, PriorKind::gp}) {
      options.prior = prior;
      double covered = 0;
      for (int s = 0; s < splits; ++s) {
        RandomStream random(static_cast<std::uint64_t>(s), 77);
        std::vector<std::size_t> order(rows.x.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        const std::size_t half = std::min<std::size_t>(order.size() / 2, 1000);
        std::vector<double> x[2], y[2];
        for (std::size_t i = 0; i < order.size(); ++i) {
          x[i >= half].push_back(rows.x[order[i]]);
          y[i >= half].push_back(rows.y[order[i]]);
        }
        const Prediction p = MonotoneRegression(options).fit(x[0], y[0]).predict(x[1], 0.9);
        double inside = 0;
        for (std::size_t i = 0; i < y[1].size(); ++i)
          inside += p.obs_lower[i] <= y[1][i] && y[1][i] <= p.obs_upper[i] ? 1 : 0;
        covered += inside / static_cast<double>(y[1].size()) / splits;
      }
      mean[column++] += covered / static_cast<double>(curves.size());
      std::printf(" %9.3f", covered);
      std::fflush(stdout);
    }
    std::printf("\n");
  }
  std::printf("%-24s %6s %9.3f %9.3f %9.3f\n", "mean over sets", "", mean[0], mean[1], mean[2]);
}
