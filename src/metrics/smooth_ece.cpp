#include "metrics/smooth_ece.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace linkgistic {
namespace {

// From `split` on, widths are well resolved by the coarse grid; below it the fine one is needed.
constexpr std::size_t coarse = 512;
constexpr std::size_t fine = 2048;
constexpr double split = 0.015;
constexpr double least_width = 1e-3;

/// Residuals on a grid of [0, 1], as cosine coefficients.
class SmoothedResidual {
 public:
  SmoothedResidual(std::size_t cells, std::span<const double> place, std::span<const double> residual)
      : cells_(cells), even_(2 * cells) {
    // Every residual is spread by the cubic B-spline over four nodes.
    for (std::size_t i = 0; i < place.size(); ++i) {
      const double x = place[i] * static_cast<double>(cells);
      const std::size_t j = std::min(static_cast<std::size_t>(x), cells - 1);
      const double t = x - static_cast<double>(j);
      const double u = 1 - t;
      add(j + 2 * cells - 1, residual[i] * u * u * u / 6);
      add(j, residual[i] * (4 - 6 * t * t + 3 * t * t * t) / 6);
      add(j + 1, residual[i] * (4 - 6 * u * u + 3 * u * u * u) / 6);
      add(j + 2, residual[i] * t * t * t / 6);
    }
    fft_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
    fft_.fwd(spectrum_, even_);
    for (std::size_t k = 1; k <= cells; ++k) {
      // The spreading multiplied coefficient k by (sin a / a)^4.
      const double a = static_cast<double>(k) * std::numbers::pi / (2 * static_cast<double>(cells));
      spectrum_[k] /= std::pow(std::sin(a) / a, 4);
    }
  }

  /// E(width) by the trapezoidal rule on the grid.
  double error(double width) {
    smooth_ = spectrum_;
    for (std::size_t k = 0; k <= cells_; ++k) {
      const double rate = static_cast<double>(k) * std::numbers::pi * width;
      smooth_[k] *= std::exp(-rate * rate / 2);
    }
    fft_.inv(even_, smooth_, static_cast<Eigen::Index>(2 * cells_));
    double sum = (std::abs(even_[0]) + std::abs(even_[cells_])) / 2;
    for (std::size_t j = 1; j < cells_; ++j) sum += std::abs(even_[j]);
    return sum;
  }

 private:
  /// Reflection at both ends: an even sequence of period 2 cells.
  void add(std::size_t node, double mass) {
    even_[node % (2 * cells_)] += mass;
    even_[(4 * cells_ - node) % (2 * cells_)] += mass;
  }

  std::size_t cells_;
  Eigen::FFT<double> fft_;
  std::vector<double> even_;
  std::vector<std::complex<double>> spectrum_, smooth_;
};

/// The s in [low, high] with E(s) = s, given E(s) - s at both ends, by Illinois' form of the false position.
double solve(SmoothedResidual& smoothed, double low, double above, double high, double below) {
  int side = 0;
  while (high - low > 1e-9 && below < 0) {
    const double width = (above * high - below * low) / (above - below);
    const double excess = smoothed.error(width) - width;
    if (std::abs(excess) < 1e-9) return width;
    if (excess > 0) {
      low = width;
      above = excess;
      if (side == 1) below /= 2;
      side = 1;
    } else {
      high = width;
      below = excess;
      if (side == -1) above /= 2;
      side = -1;
    }
  }
  return high;
}

}  // namespace

double smooth_ece(std::span<const double> probability, std::span<const double> residual) {
  SmoothedResidual smoothed(coarse, probability, residual);
  const double excess = smoothed.error(split) - split;
  if (excess > 0) return solve(smoothed, split, excess, 1, smoothed.error(1) - 1);  // E(1) <= 1
  SmoothedResidual refined(fine, probability, residual);
  const double least = refined.error(least_width) - least_width;
  if (!(least > 0)) return least + least_width;
  return solve(refined, least_width, least, split, std::min(excess, -1e-12));
}

}  // namespace linkgistic
