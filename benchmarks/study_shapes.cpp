// What knowing the shape of a curve is worth: the error of fits with it over that of fits without, their
// coverage, and how far a fit goes against its shape.
//
//   study_shapes [sets = 50] [seed = 1]
//
// Truths on [0, 1] of each shape, x uniform, Gaussian noise of a fifth of the truth's spread. Without the
// shape the fit is monotone, in the direction that the data show; of convex and concave curves that fall and
// rise it is a Gaussian process (--prior gp).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <linkgistic/monotone_regression.hpp>

#include "numeric/random.hpp"
#include "text/names.hpp"

namespace {

using namespace linkgistic;

struct Truth {
  const char* name;
  Shape shape;
  std::function<double(double)> curve;
};

const Truth truths[] = {
    {"parabola", Shape::convex, [](double x) { return 4 * (x - 0.4) * (x - 0.4); }},
    {"valley with a kink", Shape::convex, [](double x) { return std::abs(x - 0.6) + 0.2 * x; }},
    {"hill", Shape::concave, [](double x) { return std::sin(3 * x); }},
    {"exponential", Shape::increasing_convex, [](double x) { return std::exp(3 * x); }},
    {"hinge", Shape::increasing_convex, [](double x) { return std::max(0.0, x - 0.5); }},
    {"saturating", Shape::increasing_concave, [](double x) { return x / (0.2 + x); }},
    {"root", Shape::increasing_concave, [](double x) { return std::sqrt(x); }},
    {"line", Shape::increasing_concave, [](double x) { return x; }},
    {"decay", Shape::decreasing_convex, [](double x) { return std::exp(-4 * x); }},
    {"fall", Shape::decreasing_concave, [](double x) { return -x * x * x; }},
};

constexpr int places = 201;

struct Score {
  double squares = 0, covered = 0;
};

Score score(const FittedMonotoneRegression& fit, const Truth& truth) {
  std::vector<double> x(places);
  for (int i = 0; i < places; ++i) x[static_cast<std::size_t>(i)] = i / (places - 1.0);
  const Prediction p = fit.predict(x);
  Score s;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double y = truth.curve(x[i]);
    s.squares += std::pow(p.estimate[i] - y, 2) / places;
    s.covered += (p.lower[i] <= y && y <= p.upper[i] ? 1.0 : 0.0) / places;
  }
  return s;
}

// The greatest step against the shape at 10^5 points, over the range of the values.
double violation(const FittedMonotoneRegression& fit, Shape shape) {
  const std::string word = name_of(shape_names(), shape);
  const double up = word.starts_with("increasing") ? 1 : word.starts_with("decreasing") ? -1 : 0;
  const double bend = word.ends_with("convex") ? 1 : -1;
  std::vector<double> x(100'001);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i) / 1e5;
  const std::vector<double> y = fit.estimate(x);
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  double most = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    most = std::max(most, -up * (y[i] - y[i - 1]));
    if (i + 1 < y.size()) most = std::max(most, -bend * (y[i + 1] - 2 * y[i] + y[i - 1]));
  }
  return most / (*high - *low);
}

}  // namespace

int main(int argc, char** argv) {
  const int sets = argc > 1 ? std::atoi(argv[1]) : 50;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::printf("%-20s %-19s %5s %10s %10s %7s %9s %11s\n", "truth", "shape", "n", "rmse", "without", "ratio",
              "coverage", "violation");
  double log_ratio = 0, worst = 0, covered = 0, violated = 0;
  int cells = 0;
  for (const Truth& truth : truths) {
    double mean = 0, square = 0;
    for (int i = 0; i < places; ++i) {
      const double y = truth.curve(i / (places - 1.0));
      mean += y / places;
      square += y * y / places;
    }
    const double noise = std::sqrt(square - mean * mean) / 5;
    for (const std::size_t n : {30U, 300U, 3000U}) {
      Score shaped, plain;
      double against = 0;
      for (int set = 0; set < sets; ++set) {
        RandomStream random(seed, static_cast<std::uint64_t>(set));
        std::vector<double> x, y;
        for (std::size_t i = 0; i < n; ++i) {
          x.push_back(random.uniform());
          y.push_back(truth.curve(x.back()) + noise * random.normal());
        }
        MonotoneRegressionOptions options;
        if (truth.shape == Shape::convex || truth.shape == Shape::concave) options.prior = PriorKind::gp;
        const Score without = score(MonotoneRegression(options).fit(x, y), truth);
        options = {};
        options.shape = truth.shape;
        const auto fit = MonotoneRegression(options).fit(x, y);
        const Score with = score(fit, truth);
        if (set < 3) against = std::max(against, violation(fit, truth.shape));
        shaped.squares += with.squares / sets;
        shaped.covered += with.covered / sets;
        plain.squares += without.squares / sets;
      }
      const double ratio = std::sqrt(shaped.squares / plain.squares);
      std::printf("%-20s %-19s %5zu %10.3g %10.3g %7.3f %9.3f %11.1e\n", truth.name,
                  name_of(shape_names(), truth.shape).c_str(), n, std::sqrt(shaped.squares),
                  std::sqrt(plain.squares), ratio, shaped.covered, against);
      std::fflush(stdout);
      log_ratio += std::log(ratio);
      worst = std::max(worst, ratio);
      covered += shaped.covered;
      violated = std::max(violated, against);
      ++cells;
    }
  }
  std::printf("all: ratio %.3f (geometric mean), %.3f at worst; coverage %.3f; violation %.1e\n",
              std::exp(log_ratio / cells), worst, covered / cells, violated);
  return 0;
}
