// The sums over rows that the products of integrated harmonics are made of (integrated_harmonics.hpp): few
// rows one by one, many by way of cells.
#pragma once

#include <span>

#include "numeric/exponential_kernels.hpp"

namespace linkgistic {

/// Over rows with u = x - origin and theta = speed u, of weights h and r.
struct HarmonicSums {
  ExponentialSums h;        // sum h exp(i j theta), j = 0..2J
  ExponentialSums hu;       // sum h u exp(i j theta), j = 0..J
  ExponentialSums r;        // sum r exp(i j theta), j = 0..J
  double hu2 = 0, ru = 0;   // sum h u^2, sum r u
  ExponentialSums hu2_j;    // sum h u^2 exp(i j theta), j = 0..J; with_square alone, as what follows
  double hu3 = 0, hu4 = 0;  // sum h u^3, sum h u^4
  double ru2 = 0;           // sum r u^2
};

/// What the rows are summed over.
struct HarmonicRows {
  std::span<const double> x, r, h;  // (N)
  double origin = 0, speed = 1;
  int harmonics = 0;  // J
  bool with_square = false;
};

/// The same bits for any number of threads.
HarmonicSums harmonic_sums(const HarmonicRows& rows, int threads);
/// Each row by itself, however many there are.
HarmonicSums harmonic_sums_by_rows(const HarmonicRows& rows, int threads);

}  // namespace linkgistic
