// Sums over many rows of theta_n^p exp(i j theta_n), made by way of cells: a row costs the same however many
// harmonics are wanted.
//
// The circle is cut into C cells of half-width s = pi/C, C a power of two and at least 4 J for degrees up to
// J. With theta = 2 s k + s t, k whole and |t| <= 1, a cell keeps the moments sum_n w_n t_n^m, m < 16, and
//   exp(i j theta) = exp(2 pi i j k/C) sum_m (i j s t)^m / m!.
// What the series leaves out is below (j s)^16/16! <= (pi/4)^16/16! = 1.0e-15 of sum |w|; rounding adds
// 2 (j + 2) eps, as in exponential_kernels.hpp.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numeric/aligned_vector.hpp"
#include "numeric/exponential_kernels.hpp"

namespace linkgistic {

class ExponentialCells {
 public:
  static constexpr std::size_t moments = 16;
  static constexpr std::size_t measures = 2;  // weights of the rows that are kept side by side

  /// Cells for degrees up to J and angles in [lower, upper].
  ExponentialCells(int degree, double lower, double upper);

  /// Whether so many rows are worth the cells: a few rows a cell are summed sooner one by one.
  [[nodiscard]] bool pay_for(std::size_t rows) const { return rows >= 32 * cells_; }

  /// Adds rows; `fill` writes their angles and two weights. The same bits for any number of threads.
  void add(std::size_t rows, const ExponentialRows& fill, int threads);

  /// sum_n w_n theta_n^power exp(i j theta_n), j = 0..degree, of the first or second weight. The degree is at
  /// most J, and at most J/2 with a power, whose moments are taken from the last ones.
  [[nodiscard]] ExponentialSums sums(std::size_t measure, int power, int degree) const;

 private:
  int degree_;
  double half_width_;                       // s
  std::vector<std::complex<double>> root_;  // (C): exp(2 pi i n/C)
  std::int64_t first_;                      // k of the first cell
  std::size_t cells_;                       // that the angles can lie in
  AlignedVector<double> sums_;              // (cells, measures, moments)
};

/// sums[(k_n - first) of row n] += (a_n, b_n) x (1, t_n, ..., t_n^15), k_n between `first` and `last`.
/// theta can be read up to a multiple of 8.
void add_to_cells(std::span<const double> theta, const double* a, const double* b, double cells_a_radian,
                  std::int64_t first, std::int64_t last, double* sums);

/// re[j][m] + i im[j][m] += root[(j k) mod C] own[m], j < harmonics; all three in rows of `moments`, aligned.
void add_turned_moments(const double* own, std::size_t k, std::span<const std::complex<double>> root,
                        std::size_t harmonics, double* re, double* im);

}  // namespace linkgistic
