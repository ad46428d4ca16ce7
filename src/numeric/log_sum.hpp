// Sums of exponentials in logarithms, without overflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace linkgistic {

/// log sum_k exp(term_k) = largest + excess, the largest term and what the others add, at most log K. Two
/// sums are subtracted part by part, so that large terms cancel before anything is rounded.
struct LogSum {
  double largest, excess;
  [[nodiscard]] double value() const { return largest + excess; }
};

inline double operator-(const LogSum& a, const LogSum& b) {
  return (a.largest - b.largest) + (a.excess - b.excess);
}

/// Over term(k), k in [0, count); -infinity of no terms, and where all terms are.
template <class Term>
LogSum log_sum(std::size_t count, const Term& term) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double largest = -infinity;
  for (std::size_t k = 0; k < count; ++k) largest = std::max(largest, term(k));
  if (std::isinf(largest)) return {largest, 0};
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += std::exp(term(k) - largest);
  return {largest, std::log(sum)};
}

/// exp(e_k) made to sum to 1. At least one term, the largest finite.
inline std::vector<double> softmax(std::vector<double> e) {
  const double largest = *std::max_element(e.begin(), e.end());
  double sum = 0;
  for (double& value : e) sum += value = std::exp(value - largest);
  for (double& value : e) value /= sum;
  return e;
}

}  // namespace linkgistic
