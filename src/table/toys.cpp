// Generators and embedded data.
#include "table/toys.hpp"

#include <array>
#include <cmath>
#include <string>

#include "numeric/random.hpp"

namespace linkgistic {
namespace embedded {
extern const std::string_view auto_mpg;
}

namespace {

constexpr double right_end = 100;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

double two_rises(double x) { return 8 * sigmoid((x - 20) / 4) + 12 * sigmoid((x - 75) / 6); }

double piecewise_linear(double x) {
  struct Knot {
    double x, y;
  };
  constexpr std::array<Knot, 4> knots{{{0, -4}, {40, -1}, {60, 2}, {right_end, 3}}};
  std::size_t i = 1;
  while (i + 1 < knots.size() && x > knots[i].x) ++i;
  const auto [x0, y0] = knots[i - 1];
  const auto [x1, y1] = knots[i];
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

}  // namespace

Toy regression_toy(std::size_t rows, std::uint64_t seed) {
  Toy toy{{}, {}, two_rises};
  RandomStream random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    toy.x.push_back(right_end * random.uniform());
    toy.y.push_back(two_rises(toy.x.back()) + random.normal());
  }
  return toy;
}

Toy classification_toy(std::size_t rows, std::uint64_t seed) {
  Toy toy{{}, {}, piecewise_linear};
  RandomStream random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    toy.x.push_back(right_end * random.uniform());
    toy.y.push_back(random.uniform() < sigmoid(piecewise_linear(toy.x.back())) ? 1 : 0);
  }
  return toy;
}

std::string_view auto_mpg_csv() { return embedded::auto_mpg; }

std::unique_ptr<Table> open_auto_mpg() {
  return open_table(memory_source("auto-mpg.csv", std::string(embedded::auto_mpg)));
}

}  // namespace linkgistic
