// Rows lie in the SIMD lanes. A group of `kGroup` vectors of rows keeps its rotating (cos, sin) in registers
// while j runs upwards, so each sum costs one load and store of its accumulator a group and two multiply-adds
// a row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numeric/exponential_kernels.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h must come first.
#include <array>
#include <cstddef>

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace linkgistic::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;

// Vectors of rows that run together: the number that fits into the registers together with their weights.
constexpr int kGroup = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

// exp(i j theta) of a group of rows, turned by exp(i theta).
struct Rotor {
  V c1[kGroup], s1[kGroup], c[kGroup], s[kGroup];

  void start(D d, const double* theta) {
    for (int g = 0; g < kGroup; ++g) {
      const V t = hn::LoadU(d, theta + static_cast<std::size_t>(g) * hn::Lanes(d));
      c[g] = c1[g] = hn::Cos(d, t);
      s[g] = s1[g] = hn::Sin(d, t);
    }
  }
  // (c, s) <- (c c1 - s s1, s c1 + c s1)
  void turn() {
    for (int g = 0; g < kGroup; ++g) {
      const V next = hn::NegMulAdd(s[g], s1[g], hn::Mul(c[g], c1[g]));
      s[g] = hn::MulAdd(c[g], s1[g], hn::Mul(s[g], c1[g]));
      c[g] = next;
    }
  }
};

// Adds to re[ch][j], im[ch][j] (a vector each) for j in [from, to], channels 0..kChannels-1.
template <int kChannels>
void add_harmonics(D d, Rotor& rotor, const V (&w)[3][kGroup], int from, int to, double* const* re,
                   double* const* im) {
  const std::size_t lanes = hn::Lanes(d);
  for (int j = from; j <= to; ++j) {
    for (int ch = 0; ch < kChannels; ++ch) {
      double* const pr = re[ch] + static_cast<std::size_t>(j) * lanes;
      double* const pi = im[ch] + static_cast<std::size_t>(j) * lanes;
      V r = hn::Load(d, pr);
      V i = hn::Load(d, pi);
      for (int g = 0; g < kGroup; ++g) {
        r = hn::MulAdd(w[ch][g], rotor.c[g], r);
        i = hn::MulAdd(w[ch][g], rotor.s[g], i);
      }
      hn::Store(r, d, pr);
      hn::Store(i, d, pi);
    }
    rotor.turn();
  }
}

// One chunk; theta and weights are padded with zeros to a whole number of groups. out[ch]: cosines then
// sines.
void sum_chunk(const double* theta, const double* const* weight, const int* degree, int channels,
               std::size_t rows, double* scratch, double* const* out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  double* re[3] = {};
  double* im[3] = {};
  std::size_t used = 0;
  for (int ch = 0; ch < channels; ++ch) {
    const std::size_t size = (static_cast<std::size_t>(degree[ch]) + 1) * lanes;
    re[ch] = scratch + used;
    im[ch] = scratch + used + size;
    used += 2 * size;
  }
  for (std::size_t i = 0; i < used; i += lanes) hn::Store(hn::Zero(d), d, scratch + i);

  for (std::size_t n = 0; n < rows; n += kGroup * lanes) {
    Rotor rotor;
    rotor.start(d, theta + n);
    V w[3][kGroup] = {};
    for (int ch = 0; ch < channels; ++ch) {
      V sum = hn::Load(d, re[ch]);
      for (int g = 0; g < kGroup; ++g) {
        w[ch][g] = hn::LoadU(d, weight[ch] + n + static_cast<std::size_t>(g) * lanes);
        sum = hn::Add(sum, w[ch][g]);
      }
      hn::Store(sum, d, re[ch]);  // j = 0
    }
    const int d2 = channels > 2 ? degree[2] : 0;
    const int d1 = channels > 1 ? degree[1] : 0;
    add_harmonics<3>(d, rotor, w, 1, d2, re, im);
    add_harmonics<2>(d, rotor, w, d2 + 1, d1, re, im);
    add_harmonics<1>(d, rotor, w, d1 + 1, degree[0], re, im);
  }
  for (int ch = 0; ch < channels; ++ch) {
    for (int j = 0; j <= degree[ch]; ++j) {
      const std::size_t at = static_cast<std::size_t>(j) * lanes;
      out[ch][j] = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, re[ch] + at)));
      out[ch][degree[ch] + 1 + j] = hn::GetLane(hn::SumOfLanes(d, hn::Load(d, im[ch] + at)));
    }
  }
}

void evaluate_chunk(const double* theta, const double* cosine, const double* sine, int degree,
                    std::size_t rows, double* out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t n = 0; n < rows; n += kGroup * lanes) {
    Rotor rotor;
    rotor.start(d, theta + n);
    V sum[kGroup];
    for (V& v : sum) v = hn::Set(d, cosine[0]);
    for (int j = 1; j <= degree; ++j) {
      const V c = hn::Set(d, cosine[j]);
      const V s = hn::Set(d, sine[j]);
      for (int g = 0; g < kGroup; ++g) sum[g] = hn::MulAdd(c, rotor.c[g], hn::MulAdd(s, rotor.s[g], sum[g]));
      rotor.turn();
    }
    for (int g = 0; g < kGroup; ++g) hn::StoreU(sum[g], d, out + n + static_cast<std::size_t>(g) * lanes);
  }
}

// theta here is half of the angle.
void evaluate_integrated_chunk(const double* half_theta, const double* c, const double* s, int degree,
                               std::size_t rows, double* out) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t n = 0; n < rows; n += kGroup * lanes) {
    Rotor rotor;
    rotor.start(d, half_theta + n);
    V sum[kGroup];
    for (V& v : sum) v = hn::Zero(d);
    for (int j = 1; j <= degree; ++j) {
      const V cj = hn::Set(d, 2 * c[j]);
      const V sj = hn::Set(d, 2 * s[j]);
      for (int g = 0; g < kGroup; ++g) {
        const V inner = hn::MulAdd(cj, rotor.c[g], hn::Mul(sj, rotor.s[g]));
        sum[g] = hn::MulAdd(rotor.s[g], inner, sum[g]);
      }
      rotor.turn();
    }
    for (int g = 0; g < kGroup; ++g) hn::StoreU(sum[g], d, out + n + static_cast<std::size_t>(g) * lanes);
  }
}

std::size_t group_rows() { return kGroup * hn::Lanes(D()); }
std::size_t lane_count() { return hn::Lanes(D()); }

}  // namespace linkgistic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <stdexcept>

#include <hwy/aligned_allocator.h>

#include "numeric/exponential_kernels.hpp"
#include "numeric/parallel.hpp"

namespace linkgistic {
HWY_EXPORT(sum_chunk);
HWY_EXPORT(evaluate_chunk);
HWY_EXPORT(evaluate_integrated_chunk);
HWY_EXPORT(group_rows);
HWY_EXPORT(lane_count);

namespace {

constexpr std::size_t chunk_rows = exponential_chunk_rows;

// A chunk of a row array, padded with zeros to whole groups.
struct PaddedChunk {
  std::array<double, chunk_rows + 64> values;
  std::span<double> first(std::size_t rows) { return std::span(values).first(rows); }
  void pad(std::size_t rows, std::size_t padded) {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(rows),
              values.begin() + static_cast<std::ptrdiff_t>(padded), 0.0);
  }
};

std::size_t padded_size(std::size_t rows) {
  const std::size_t group = HWY_DYNAMIC_DISPATCH(group_rows)();
  return (rows + group - 1) / group * group;
}

// Neumaier's compensated addition: the order of the chunks costs no accuracy however many there are.
void add_compensated(double term, double& sum, double& error) {
  const double next = sum + term;
  error += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
  sum = next;
}

template <class Kernel>
void map_chunks(std::span<const double> theta, double factor, int threads, std::span<double> out,
                const Kernel& kernel) {
  parallel_chunks(theta.size(), chunk_rows, threads, [&](std::size_t, std::size_t first, std::size_t last) {
    const std::size_t rows = last - first;
    PaddedChunk angle, result;
    for (std::size_t n = 0; n < rows; ++n) angle.values[n] = factor * theta[first + n];
    angle.pad(rows, padded_size(rows));
    kernel(angle.values.data(), padded_size(rows), result.values.data());
    std::copy_n(result.values.begin(), rows, out.begin() + static_cast<std::ptrdiff_t>(first));
  });
}

}  // namespace

std::vector<ExponentialSums> exponential_sums(std::size_t total_rows, std::span<const int> degrees,
                                              const ExponentialRows& fill, int threads) {
  const std::size_t n_channels = degrees.size();
  if (n_channels == 0 || n_channels > max_exponential_channels)
    throw std::logic_error("one to three channels");
  const int* const degree = degrees.data();
  std::size_t width = 0;  // numbers a chunk gives: cosines and sines of each channel
  for (std::size_t ch = 0; ch < n_channels; ++ch) {
    if (ch > 0 && degree[ch] > degree[ch - 1]) throw std::logic_error("channel degrees must not increase");
    width += 2 * (static_cast<std::size_t>(degree[ch]) + 1);
  }
  const std::size_t chunks = (total_rows + chunk_rows - 1) / chunk_rows;
  std::vector<double> partial(chunks * width);
  const std::size_t lanes = HWY_DYNAMIC_DISPATCH(lane_count)();
  parallel_chunks(total_rows, chunk_rows, threads, [&](std::size_t i, std::size_t first, std::size_t last) {
    const std::size_t rows = last - first, padded = padded_size(rows);
    PaddedChunk angle;
    std::array<PaddedChunk, max_exponential_channels> weight;
    std::array<std::span<double>, max_exponential_channels> filled;
    for (std::size_t ch = 0; ch < n_channels; ++ch) filled[ch] = weight[ch].first(rows);
    fill(first, angle.first(rows), std::span(filled).first(n_channels));
    angle.pad(rows, padded);
    const double* weights[max_exponential_channels] = {};
    double* out[max_exponential_channels] = {};
    double* next = partial.data() + i * width;
    for (std::size_t ch = 0; ch < n_channels; ++ch) {
      weight[ch].pad(rows, padded);
      weights[ch] = weight[ch].values.data();
      out[ch] = next;
      next += 2 * (static_cast<std::size_t>(degree[ch]) + 1);
    }
    const auto scratch = hwy::AllocateAligned<double>(width * lanes);
    HWY_DYNAMIC_DISPATCH(sum_chunk)
    (angle.values.data(), weights, degree, static_cast<int>(n_channels), padded, scratch.get(), out);
  });

  std::vector<double> sum(width), error(width);
  for (std::size_t i = 0; i < chunks; ++i) {
    for (std::size_t k = 0; k < width; ++k) add_compensated(partial[i * width + k], sum[k], error[k]);
  }
  std::vector<ExponentialSums> result(n_channels);
  std::size_t at = 0;
  for (std::size_t ch = 0; ch < n_channels; ++ch) {
    for (auto* part : {&result[ch].cosine, &result[ch].sine}) {
      for (int j = 0; j <= degree[ch]; ++j, ++at) part->push_back(sum[at] + error[at]);
    }
  }
  return result;
}

std::vector<ExponentialSums> exponential_sums(std::span<const double> theta,
                                              std::span<const ExponentialChannel> channels, int threads) {
  std::vector<int> degrees;
  for (const ExponentialChannel& channel : channels) degrees.push_back(channel.degree);
  const auto copy = [&](std::size_t first, std::span<double> angles,
                        std::span<const std::span<double>> weights) {
    std::copy_n(theta.begin() + static_cast<std::ptrdiff_t>(first), angles.size(), angles.begin());
    for (std::size_t ch = 0; ch < weights.size(); ++ch) {
      std::copy_n(channels[ch].weight.begin() + static_cast<std::ptrdiff_t>(first), weights[ch].size(),
                  weights[ch].begin());
    }
  };
  return exponential_sums(theta.size(), degrees, copy, threads);
}

void evaluate_exponentials(std::span<const double> theta, std::span<const double> cosine,
                           std::span<const double> sine, int threads, std::span<double> out) {
  const int degree = static_cast<int>(cosine.size()) - 1;
  map_chunks(theta, 1.0, threads, out, [&](const double* angle, std::size_t rows, double* result) {
    HWY_DYNAMIC_DISPATCH(evaluate_chunk)(angle, cosine.data(), sine.data(), degree, rows, result);
  });
}

void evaluate_integrated(std::span<const double> theta, std::span<const double> c, std::span<const double> s,
                         int threads, std::span<double> out) {
  const int degree = static_cast<int>(c.size()) - 1;
  map_chunks(theta, 0.5, threads, out, [&](const double* angle, std::size_t rows, double* result) {
    HWY_DYNAMIC_DISPATCH(evaluate_integrated_chunk)(angle, c.data(), s.data(), degree, rows, result);
  });
}

}  // namespace linkgistic
#endif  // HWY_ONCE
