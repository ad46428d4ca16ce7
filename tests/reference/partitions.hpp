// Random partitions of rows, and the SHA-256 of the model files that come of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "io/sha256.hpp"
#include "numeric/random.hpp"

namespace linkgistic {

/// Where up to 12 partitions begin: anywhere, at the ends, on and beside the grid of leaves and `block` rows,
/// one row after another cut (a part of one row), at another cut (an empty part).
inline std::vector<std::size_t> random_cuts(std::size_t rows, std::size_t block, RandomStream& random) {
  std::vector<std::size_t> cuts(random.below(13));
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t before = cuts[i > 0 ? i - 1 : 0];
    const std::size_t grid = random.below(2) == 0 ? 1024 : block;
    const std::size_t line = random.below(rows / grid + 1) * grid;
    const std::size_t choices[] = {random.below(rows + 1),
                                   random.below(rows + 1),
                                   line,
                                   line + 1,
                                   line - (line > 0),
                                   before,
                                   before + 1};
    cuts[i] = std::min(choices[random.below(std::size(choices))], rows);
  }
  return cuts;
}

/// SHA-256 of the file that a model saves.
template <class Model>
std::string file_digest(const Model& model) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) /
                            (std::string("model-") + std::to_string(::getpid()) + ".json"))
                               .string();
  model.save(path);
  const std::string digest = sha256_of_file(path);
  std::filesystem::remove(path);
  return digest;
}

/// `fit(cuts, seed, threads)` gives the digest of a model: `partitions` random ones with 1, 2 and 7 threads
/// in turn, or all three each, must give that of the whole rows.
template <class Fit>
void expect_one_digest(const std::string& whole, std::size_t rows, std::size_t block, int partitions,
                       std::uint64_t seed, const Fit& fit) {
  ASSERT_EQ(whole.size(), 64U);
  RandomStream random(seed);
  for (int trial = 0; trial < partitions; ++trial) {
    const std::vector<std::size_t> cuts = random_cuts(rows, block, random);
    const int threads = trial % 3 == 0 ? 1 : trial % 3 == 1 ? 2 : 7;
    ASSERT_EQ(fit(cuts, static_cast<std::uint64_t>(trial), threads), whole)
        << "partition " << trial << " into " << cuts.size() + 1 << " parts";
  }
}

}  // namespace linkgistic
