// Do the bands of class probabilities hold what they say? Labels of two classes from four links, weights
// drawn anew for each set from a law that is no prior of the fit, everything chosen by the fit.
//
//   validate_classifier [--sets 20] [--cells WORDS] [--seed 1] [--fresh 500] [--state FILE]
//
// For n rows (200, 1,000, 5,000) x D features (5, 20, 50) x links (logit, probit, cloglog, bent): the share
// of fresh rows whose true probability lies in its 90 % band, with the standard error over the sets, the mean
// width, and both for the bands at fixed coefficients (--band link). Features are N(0, 1); the weights are
// Laplace, scaled so that the log odds have a standard deviation of 1.5 under every link. The bent link has
// log odds 2.5 m below 0 and 0.4 m above. --state keeps finished cells, one a line: a run that finds them
// there goes on with the others, so that cells may be spread over runs. --cells keeps those whose name has
// all the WORDS, as in --cells "n=200 bent".
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <linkgistic/linkgistic_classifier.hpp>

#include "numeric/logistic.hpp"
#include "numeric/normal.hpp"
#include "numeric/parallel.hpp"
#include "numeric/random.hpp"
#include "validation/statistics.hpp"

namespace {

using namespace linkgistic;

constexpr double spread_of_log_odds = 1.5;

struct Truth {
  std::string name;
  std::function<double(double)> log_odds;
  double scale = 1;  // of m ~ N(0, 1)
};

// log p - log(1 - p) of a normal distribution function, from the far tail on by its logarithms.
double probit_log_odds(double m) {
  const double tail = 0.5 * std::erfc(std::abs(m) / std::sqrt(2.0));
  return (m > 0 ? 1 : -1) * (std::log1p(-tail) - std::log(tail));
}

std::vector<Truth> truths() {
  std::vector<Truth> all{
      {"logit", [](double m) { return m; }},
      {"probit", probit_log_odds},
      {"cloglog", [](double m) { return std::log(std::expm1(std::exp(std::min(m - 0.37, 3.5)))); }},
      {"bent", [](double m) { return m < 0 ? 2.5 * m : 0.4 * m; }}};
  constexpr int nodes = 4000;
  for (Truth& t : all) {
    double low = 0.1, high = 5;
    for (int step = 0; step < 50; ++step) {
      t.scale = (low + high) / 2;
      double sum = 0, square = 0;
      for (int i = 0; i < nodes; ++i) {
        const double value = t.log_odds(t.scale * normal_quantile((i + 0.5) / nodes));
        sum += value / nodes;
        square += value * value / nodes;
      }
      (std::sqrt(square - sum * sum) < spread_of_log_odds ? low : high) = t.scale;
    }
  }
  return all;
}

struct Rows {
  ClassificationData data;
  std::vector<double> p;
};

Rows draw_rows(const Truth& truth, const std::vector<double>& weights, std::size_t n, RandomStream& random) {
  Rows rows;
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    double m = 0;
    for (const double w : weights) {
      values.push_back(random.normal());
      m += w * values.back();
    }
    rows.p.push_back(sigmoid(truth.log_odds(truth.scale * m)));
    rows.data.labels.push_back(random.uniform() < rows.p.back() ? 1 : 0);
  }
  rows.data.rows = FeatureRows::dense(values, n, weights.size());
  rows.data.class_names = {"no", "yes"};
  return rows;
}

struct SetResult {
  double covered = 0, width = 0, covered_link = 0, width_link = 0;
};

SetResult run_set(const Truth& truth, std::size_t n, std::size_t columns, std::size_t fresh,
                  std::uint64_t seed, std::uint64_t set) {
  RandomStream random(seed, set * 1000003 + n * 101 + columns);
  std::vector<double> weights(columns);
  double square = 0;
  for (double& w : weights) {
    w = (random.uniform() < 0.5 ? -1 : 1) * -std::log(random.uniform());
    square += w * w;
  }
  for (double& w : weights) w /= std::sqrt(square);
  LinkgisticOptions options;
  options.threads = 1;
  const auto model = LinkgisticClassifier(options).fit(draw_rows(truth, weights, n, random).data);
  const Rows test = draw_rows(truth, weights, fresh, random);
  SetResult result;
  const double share = 1 / static_cast<double>(fresh);
  for (const BandKind band : {BandKind::all, BandKind::link}) {
    const ClassPrediction p = model.predict(test.data.rows, 0.9, band);
    for (std::size_t i = 0; i < fresh; ++i) {
      const bool in = p.lower[i] <= test.p[i] && test.p[i] <= p.upper[i];
      (band == BandKind::all ? result.covered : result.covered_link) += in ? share : 0;
      (band == BandKind::all ? result.width : result.width_link) += share * (p.upper[i] - p.lower[i]);
    }
  }
  return result;
}

struct CellFigures {
  double covered = 0, error = 0, width = 0, covered_link = 0, width_link = 0;
};

// Finished cells, one a line: name, then the figures.
std::map<std::string, CellFigures> read_state(const std::string& path) {
  std::map<std::string, CellFigures> cells;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    CellFigures f;
    std::istringstream numbers(tab == std::string::npos ? "" : line.substr(tab));
    if (numbers >> f.covered >> f.error >> f.width >> f.covered_link >> f.width_link)
      cells[line.substr(0, tab)] = f;
  }
  return cells;
}

bool has_all_words(const std::string& name, const std::string& words) {
  std::istringstream each(words);
  for (std::string word; each >> word;)
    if ((" " + name + " ").find(" " + word + " ") == std::string::npos) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t sets = 20, fresh = 500;
  std::uint64_t seed = 1;
  std::string words, state;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--sets") == 0) sets = std::stoul(argv[i + 1]);
    if (std::strcmp(argv[i], "--fresh") == 0) fresh = std::stoul(argv[i + 1]);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::stoul(argv[i + 1]);
    if (std::strcmp(argv[i], "--cells") == 0) words = argv[i + 1];
    if (std::strcmp(argv[i], "--state") == 0) state = argv[i + 1];
  }
  auto known = read_state(state);
  std::printf("%-22s %9s %6s %7s   %s\n", "cell", "coverage", "s.e.", "width",
              "of the link: coverage, width");
  validation::Mean pooled, pooled_link;
  for (const std::size_t n : {200U, 1000U, 5000U}) {
    for (const std::size_t columns : {5U, 20U, 50U}) {
      for (const Truth& truth : truths()) {
        const std::string name =
            "n=" + std::to_string(n) + " D=" + std::to_string(columns) + " " + truth.name;
        if (!has_all_words(name, words)) continue;
        const std::string key = name + " sets=" + std::to_string(sets) + " fresh=" + std::to_string(fresh) +
                                " seed=" + std::to_string(seed);
        if (!known.contains(key)) {
          std::vector<SetResult> results(sets);
          parallel_for(sets, 0,
                       [&](std::size_t i) { results[i] = run_set(truth, n, columns, fresh, seed, i); });
          validation::Mean covered, width, covered_link, width_link;
          for (const SetResult& r : results) {
            covered.add(r.covered);
            width.add(r.width);
            covered_link.add(r.covered_link);
            width_link.add(r.width_link);
          }
          known[key] = {covered.value(), covered.error(), width.value(), covered_link.value(),
                        width_link.value()};
          if (!state.empty()) {
            std::ofstream file(state, std::ios::app);
            const CellFigures& f = known[key];
            file << key << '\t' << f.covered << ' ' << f.error << ' ' << f.width << ' ' << f.covered_link
                 << ' ' << f.width_link << '\n';
          }
        }
        const CellFigures& f = known[key];
        pooled.add(f.covered);
        pooled_link.add(f.covered_link);
        std::printf("%-22s %9.3f %6.3f %7.3f   %.3f %.3f\n", name.c_str(), f.covered, f.error, f.width,
                    f.covered_link, f.width_link);
        std::fflush(stdout);
      }
    }
  }
  std::printf("%-22s %9.3f %14s   %.3f\n", "all cells", pooled.value(), "", pooled_link.value());
}
