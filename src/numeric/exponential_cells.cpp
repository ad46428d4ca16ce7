#include "numeric/exponential_cells.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <hwy/aligned_allocator.h>

#include "numeric/parallel.hpp"

namespace linkgistic {
namespace {

using std::numbers::pi;

constexpr std::size_t cell_size = ExponentialCells::measures * ExponentialCells::moments;
constexpr std::size_t rows_of_chunk = 1024;   // stay in the cache with their cells
constexpr std::size_t rows_of_group = 8192;   // are summed by one thread, in cells of their own
constexpr std::size_t groups_at_a_time = 64;  // so many tables are kept at most

// exp(2 pi i n/C) for n < C, a power of two: the product of one root for each bit of n.
std::vector<std::complex<double>> roots_of_unity(std::size_t circle) {
  std::vector<std::complex<double>> root(circle, 1.0);
  for (std::size_t bit = 1; bit < circle; bit *= 2) {
    const std::complex<double> turn =
        std::polar(1.0, 2 * pi * static_cast<double>(bit) / static_cast<double>(circle));
    for (std::size_t n = bit; n < 2 * bit; ++n) root[n] = root[n - bit] * turn;
  }
  return root;
}

}  // namespace

ExponentialCells::ExponentialCells(int degree, double lower, double upper)
    : degree_(degree),
      root_(roots_of_unity(std::bit_ceil(4 * static_cast<std::size_t>(std::max(degree, 1))))) {
  half_width_ = pi / static_cast<double>(root_.size());
  const double cells_a_radian = 1 / (2 * half_width_);
  first_ = std::llround(lower * cells_a_radian);
  cells_ = static_cast<std::size_t>(std::llround(upper * cells_a_radian) - first_) + 1;
}

void ExponentialCells::add(std::size_t rows, const ExponentialRows& fill, int threads) {
  const double cells_a_radian = 1 / (2 * half_width_);
  const std::int64_t last = first_ + static_cast<std::int64_t>(cells_) - 1;
  const std::size_t size = cells_ * cell_size;
  sums_.resize(size);
  // Not a vector: each thread clears its own.
  const auto tables = hwy::AllocateAligned<double>(
      std::min((rows + rows_of_group - 1) / rows_of_group, groups_at_a_time) * size);
  for (std::size_t begin = 0; begin < rows; begin += groups_at_a_time * rows_of_group) {
    const std::size_t some = std::min(groups_at_a_time * rows_of_group, rows - begin);
    const std::size_t groups = (some + rows_of_group - 1) / rows_of_group;
    parallel_chunks(some, rows_of_group, threads, [&](std::size_t g, std::size_t from, std::size_t to) {
      double* own = tables.get() + g * size;
      std::fill_n(own, size, 0.0);
      std::array<double, rows_of_chunk> theta, a, b;
      for (std::size_t n = from; n < to; n += rows_of_chunk) {
        const std::size_t count = std::min(rows_of_chunk, to - n);
        const std::array<std::span<double>, measures> weights{std::span(a).first(count),
                                                              std::span(b).first(count)};
        std::fill(theta.begin() + static_cast<std::ptrdiff_t>(count), theta.end(), 0.0);
        fill(begin + n, std::span(theta).first(count), weights);
        add_to_cells(std::span(theta).first(count), a.data(), b.data(), cells_a_radian, first_, last, own);
      }
    });
    for (std::size_t g = 0; g < groups; ++g)
      for (std::size_t i = 0; i < size; ++i) sums_[i] += tables[g * size + i];
  }
}

ExponentialSums ExponentialCells::sums(std::size_t measure, int power, int degree) const {
  if (degree > (power > 0 ? degree_ / 2 : degree_))
    throw std::logic_error("too high a harmonic for these cells");
  // Moments times power of theta = s (2 k + t): each power takes up one moment.
  const std::size_t kept = moments - static_cast<std::size_t>(power);
  const auto harmonics = static_cast<std::size_t>(degree) + 1;
  // re[j][m] + i im[j][m] = sum over cells of exp(2 pi i j k/C) times moment m.
  AlignedVector<double> re(harmonics * moments), im(harmonics * moments);
  for (std::size_t c = 0; c < cells_; ++c) {
    const std::int64_t k = first_ + static_cast<std::int64_t>(c);
    alignas(64) double own[moments];
    std::copy_n(sums_.data() + c * cell_size + measure * moments, moments, own);
    for (int p = 0; p < power; ++p) {
      for (std::size_t m = 0; m + 1 < moments; ++m)
        own[m] = half_width_ * (2 * static_cast<double>(k) * own[m] + own[m + 1]);
    }
    std::fill(own + kept, own + moments, 0.0);
    add_turned_moments(own, static_cast<std::size_t>(k), root_, harmonics, re.data(), im.data());
  }
  ExponentialSums result{std::vector<double>(harmonics), std::vector<double>(harmonics)};
  for (std::size_t j = 0; j < harmonics; ++j) {
    double factor = 1;  // (j s)^m / m!, and i^m turns from re to im, to -re, to -im
    for (std::size_t m = 0; m < kept; ++m) {
      const double x = re[j * moments + m], y = im[j * moments + m];
      result.cosine[j] += factor * (m % 4 == 0 ? x : m % 4 == 1 ? -y : m % 4 == 2 ? -x : y);
      result.sine[j] += factor * (m % 4 == 0 ? y : m % 4 == 1 ? x : m % 4 == 2 ? -y : -x);
      factor *= static_cast<double>(j) * half_width_ / static_cast<double>(m + 1);
    }
  }
  return result;
}

}  // namespace linkgistic
