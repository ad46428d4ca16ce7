// A cache of the scores of rows under recent coefficients. A request for sums of scores after a pass need not
// read the rows again. The bits of a margin depend only on its row and coefficients, so the cache changes no
// result.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <vector>

namespace linkgistic {

class MarginCache {
 public:
  explicit MarginCache(std::size_t rows) : rows_(rows) {}

  /// (N) margins under `beta`, or null.
  float* find(std::span<const double> beta);
  /// Room for the margins under `beta`, which the caller fills. Calls for `together` coefficients of one
  /// request never take each other's room.
  float* add(std::span<const double> beta, std::size_t together);

 private:
  struct Entry {
    std::vector<double> beta;
    std::unique_ptr<float[]> margins;
  };
  // Two points of every problem are needed at once; beyond them the cache keeps what fits in 16 MB.
  [[nodiscard]] std::size_t capacity(std::size_t together) const;

  std::size_t rows_;
  std::list<Entry> entries_;  // the one used last comes first
};

}  // namespace linkgistic
