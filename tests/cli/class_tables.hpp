// Tables with classes for the tests of classify, and how to fit them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

/// Columns a, b (numbers), s (text u, v, w; b is missing in every 20th row if asked for), n (weights) and y,
/// one of `classes` labels c0, c1, ... that depends on a, b and s.
inline std::string class_table(std::size_t rows, int classes, std::uint64_t seed, bool missing = false) {
  RandomStream random(seed);
  std::string text = "a,b,s,n,y\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double a = random.normal(), b = 3 * random.normal() + 100;
    const std::size_t s = random.below(3);
    const double score = 2 * a + 0.4 * (b - 100) + static_cast<double>(s) + random.normal();
    int label = score > 0.5 ? 1 : 0;
    if (classes > 2) label = score < -1 ? 0 : score < 2 ? 1 : 2;
    text += std::to_string(a) + "," + (missing && i % 20 == 3 ? "" : std::to_string(b)) + "," + "uvw"[s] +
            "," + std::to_string(1 + i % 2) + ",c" + std::to_string(label) + "\n";
  }
  return text;
}

/// The lines of a text.
inline std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

}  // namespace linkgistic
