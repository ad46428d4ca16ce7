// Data that need no file: the two univariate toys of the paper (Walder and Nock 2020, section 5) and Auto
// MPG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "table/table.hpp"

namespace linkgistic {

struct Toy {
  std::vector<double> x;                // uniform on [0, 100], not sorted
  std::vector<double> y;                // (rows of x)
  std::function<double(double)> truth;  // the increasing nu(x) behind y
};

/// y = nu(x) + e, e ~ N(0, 1), nu = 8 sigma((x-20)/4) + 12 sigma((x-75)/6): two rises with a plateau between
/// them. The paper prints the period of its toy, 200, and not the function; this one is ours.
Toy regression_toy(std::size_t rows, std::uint64_t seed);

/// y = 1 with probability sigma(nu(x)), else 0; nu is piecewise linear through (0, -4), (40, -1), (60, 2),
/// (100, 3), our choice as well.
Toy classification_toy(std::size_t rows, std::uint64_t seed);

/// The text of data/auto-mpg.csv, and the same as a table.
std::string_view auto_mpg_csv();
std::unique_ptr<Table> open_auto_mpg();

}  // namespace linkgistic
