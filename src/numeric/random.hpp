// Counter-based random numbers (Philox, Salmon et al. 2011): draw number n of stream s under a seed is a
// function of (seed, s, n) alone, so any thread may make it and the result is the same.
#pragma once

#include <cstdint>

#include <Random123/boxmuller.hpp>
#include <Random123/philox.h>
#include <Random123/uniform.hpp>

namespace linkgistic {

class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0) : key_{{seed}}, stream_(stream) {}

  /// Uniform on (0, 1).
  double uniform() {
    if (uniform_left_ == 0) {
      const auto bits = block();
      uniforms_[0] = r123::u01<double>(bits[0]);
      uniforms_[1] = r123::u01<double>(bits[1]);
      uniform_left_ = 2;
    }
    return uniforms_[--uniform_left_];
  }

  /// Standard normal, by Box and Muller.
  double normal() {
    if (normal_left_ == 0) {
      const auto bits = block();
      const auto pair = r123::boxmuller(bits[0], bits[1]);
      normals_[0] = pair.x;
      normals_[1] = pair.y;
      normal_left_ = 2;
    }
    return normals_[--normal_left_];
  }

  /// Uniform on {0, ..., n-1}.
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>(uniform() * static_cast<double>(n)) % n;
  }

 private:
  using Generator = r123::Philox2x64;
  Generator::ctr_type block() { return Generator{}(Generator::ctr_type{{counter_++, stream_}}, key_); }

  Generator::key_type key_;
  std::uint64_t stream_;
  std::uint64_t counter_ = 0;
  double uniforms_[2] = {};
  double normals_[2] = {};
  int uniform_left_ = 0;
  int normal_left_ = 0;
};

}  // namespace linkgistic
