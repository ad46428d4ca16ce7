// counts: the weights of both labels at each score, on a fixed grid of the ordered bits of the score. With no
// bit dropped the grid is that of the doubles themselves: ranks and ties are exact. Dropping low bits makes
// the cells wider, relative to the score's size, until they are few.
#pragma once

#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "numeric/radix_sort.hpp"

namespace linkgistic {

struct CountsAnswer {
  bool too_many = false;                   // there are more cells than allowed, and so no counts
  std::uint64_t rows = 0;                  // with positive weight
  std::vector<std::uint64_t> cell;         // (M) increasing
  std::vector<double> negative, positive;  // (M): weights of the labels 0 and 1

  auto fields() { return std::tie(too_many, rows, cell, negative, positive); }
};

struct CountsRequest {
  using Answer = CountsAnswer;
  std::uint32_t drop = 0;  // low bits
  std::uint64_t most_cells = std::numeric_limits<std::uint64_t>::max();
  bool log_odds = false;  // scores are probabilities, and their bounded log odds are counted

  auto fields() { return std::tie(drop, most_cells, log_odds); }

  /// The cell of an ordered key. Infinite scores have cells of their own.
  [[nodiscard]] std::uint64_t cell(std::uint64_t key) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (key == ordered_key(-infinity)) return 0;
    if (key == ordered_key(infinity)) return std::numeric_limits<std::uint64_t>::max();
    return key >> drop;
  }
  /// The middle of a cell.
  [[nodiscard]] double score(std::uint64_t cell) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (cell == 0) return -infinity;
    if (cell == std::numeric_limits<std::uint64_t>::max()) return infinity;
    const double low = from_ordered_key(cell << drop);
    const double high = from_ordered_key((cell << drop) | ((std::uint64_t{1} << drop) - 1));
    return drop == 0 ? low : low / 2 + high / 2;
  }
};

inline CountsAnswer empty_answer(const CountsRequest&) { return {}; }
/// An InputError for an answer that has not both weights of each cell.
void check_sizes(const CountsAnswer& answer);
/// Both without more cells than `most`; so is the result.
void merge(CountsAnswer& left, const CountsAnswer& right, std::uint64_t most);

}  // namespace linkgistic
