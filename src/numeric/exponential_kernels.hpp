// Passes over rows with the exponentials exp(i j theta_n), j = 0, 1, ..., made by rotation from one sine and
// cosine a row. SIMD by run-time dispatch, threads, and the same bits whatever the thread count.
//
// Error: |computed exp(i j theta) - exact| <= 2 (j + 2) eps for |theta| <= 3.9e4 (the range of the sine
// used).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace linkgistic {

/// Weights of the rows and the highest harmonic wanted of them.
struct ExponentialChannel {
  std::span<const double> weight;  // (N)
  int degree = 0;
};

/// cosine[j] = sum_n weight_n cos(j theta_n), sine[j] = sum_n weight_n sin(j theta_n), j = 0..degree.
struct ExponentialSums {
  std::vector<double> cosine;
  std::vector<double> sine;
};

inline constexpr int max_exponential_channels = 3;

/// Rows are summed in chunks of this size.
inline constexpr std::size_t exponential_chunk_rows = 4096;

/// Writes the angles of the rows from `first` on, the rest of their chunk, and the weights of every channel.
/// Threads call it at once, each for chunks of its own.
using ExponentialRows = std::function<void(std::size_t first, std::span<double> theta,
                                           std::span<const std::span<double>> weights)>;

/// The sums of up to three channels in one pass; their degrees must not increase from one to the next. Angles
/// and weights are made chunk by chunk, in the cache of the thread that sums them.
std::vector<ExponentialSums> exponential_sums(std::size_t rows, std::span<const int> degrees,
                                              const ExponentialRows& fill, int threads);
/// The same from arrays.
std::vector<ExponentialSums> exponential_sums(std::span<const double> theta,
                                              std::span<const ExponentialChannel> channels, int threads);

/// The adjoint: out_n = sum_{j=0..J} cosine[j] cos(j theta_n) + sine[j] sin(j theta_n).
void evaluate_exponentials(std::span<const double> theta, std::span<const double> cosine,
                           std::span<const double> sine, int threads, std::span<double> out);

/// out_n = sum_{j=1..J} c[j] sin(j theta_n) + s[j] (1 - cos(j theta_n)), by half angles:
/// sin(j theta) = 2 sin(j theta/2) cos(j theta/2), 1 - cos(j theta) = 2 sin(j theta/2)^2, so nothing cancels.
void evaluate_integrated(std::span<const double> theta, std::span<const double> c, std::span<const double> s,
                         int threads, std::span<double> out);

}  // namespace linkgistic
