#include "source/harmonic_sums.hpp"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "numeric/exponential_cells.hpp"
#include "numeric/extent.hpp"

namespace linkgistic {
namespace {

ExponentialSums scaled(ExponentialSums sums, double factor) {
  for (double& value : sums.cosine) value *= factor;
  for (double& value : sums.sine) value *= factor;
  return sums;
}

// u = theta / speed.
HarmonicSums of_cells(const ExponentialCells& cells, const HarmonicRows& rows) {
  const int degree = rows.harmonics;
  const double u = 1 / rows.speed;
  const auto plain = [&](std::size_t measure, int power) {
    return cells.sums(measure, power, 0).cosine[0] * std::pow(u, power);
  };
  HarmonicSums sums;
  sums.h = cells.sums(0, 0, 2 * degree);
  sums.hu = scaled(cells.sums(0, 1, degree), u);
  sums.r = cells.sums(1, 0, degree);
  sums.hu2 = plain(0, 2);
  sums.ru = plain(1, 1);
  if (rows.with_square) {
    sums.hu2_j = scaled(cells.sums(0, 2, degree), u * u);
    sums.hu3 = plain(0, 3);
    sums.hu4 = plain(0, 4);
    sums.ru2 = plain(1, 2);
  }
  return sums;
}

}  // namespace

HarmonicSums harmonic_sums_by_rows(const HarmonicRows& rows, int threads) {
  struct Plain {
    double hu2 = 0, ru = 0, hu3 = 0, hu4 = 0, ru2 = 0;
  };
  std::vector<Plain> plain((rows.x.size() + exponential_chunk_rows - 1) / exponential_chunk_rows);
  const auto fill = [&](std::size_t first, std::span<double> theta,
                        std::span<const std::span<double>> weights) {
    Plain sum;
    for (std::size_t n = 0; n < theta.size(); ++n) {
      const double u = rows.x[first + n] - rows.origin;
      const double h = rows.h[first + n], r = rows.r[first + n];
      theta[n] = rows.speed * u;
      weights[0][n] = h;
      weights[1][n] = h * u;
      weights[2][n] = r;
      sum.hu2 += h * u * u;
      sum.ru += r * u;
    }
    plain[first / exponential_chunk_rows] = sum;
  };
  const int degrees[] = {2 * rows.harmonics, rows.harmonics, rows.harmonics};
  auto sums = exponential_sums(rows.x.size(), degrees, fill, threads);
  HarmonicSums result;
  result.h = std::move(sums[0]);
  result.hu = std::move(sums[1]);
  result.r = std::move(sums[2]);
  if (rows.with_square) {
    const auto fill_square = [&](std::size_t first, std::span<double> theta,
                                 std::span<const std::span<double>> weights) {
      Plain& sum = plain[first / exponential_chunk_rows];
      for (std::size_t n = 0; n < theta.size(); ++n) {
        const double u = rows.x[first + n] - rows.origin;
        const double hu2 = rows.h[first + n] * u * u;
        theta[n] = rows.speed * u;
        weights[0][n] = hu2;
        sum.hu3 += hu2 * u;
        sum.hu4 += hu2 * u * u;
        sum.ru2 += rows.r[first + n] * u * u;
      }
    };
    result.hu2_j = exponential_sums(rows.x.size(), std::span(&rows.harmonics, 1), fill_square, threads)[0];
  }
  for (const Plain& sum : plain) {
    result.hu2 += sum.hu2;
    result.ru += sum.ru;
    result.hu3 += sum.hu3;
    result.hu4 += sum.hu4;
    result.ru2 += sum.ru2;
  }
  return result;
}

HarmonicSums harmonic_sums(const HarmonicRows& rows, int threads) {
  constexpr std::size_t few = 4096;  // whose range is not worth looking for
  if (rows.x.size() < few) return harmonic_sums_by_rows(rows, threads);
  const Extent x = extent_of(rows.x);
  const double turn = rows.speed * (x.upper - rows.origin), start = rows.speed * (x.lower - rows.origin);
  constexpr double farthest = 1e4;  // radians: cells are for rows that lie together
  if (!x.finite || std::abs(start) > farthest || std::abs(turn) > farthest)
    return harmonic_sums_by_rows(rows, threads);
  ExponentialCells cells(2 * rows.harmonics, start, turn);
  if (!cells.pay_for(rows.x.size())) return harmonic_sums_by_rows(rows, threads);
  const auto fill = [&](std::size_t first, std::span<double> theta,
                        std::span<const std::span<double>> weights) {
    for (std::size_t n = 0; n < theta.size(); ++n) theta[n] = rows.speed * (rows.x[first + n] - rows.origin);
    for (std::size_t n = 0; n < theta.size(); ++n) weights[0][n] = rows.h[first + n];
    for (std::size_t n = 0; n < theta.size(); ++n) weights[1][n] = rows.r[first + n];
  };
  cells.add(rows.x.size(), fill, threads);
  return of_cells(cells, rows);
}

}  // namespace linkgistic
