// One against one: the pairs of classes, the rows of each, and the probabilities of classes from those of
// pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/selection.hpp"

namespace linkgistic {

/// Two classes, first < second; the second is the positive one.
struct ClassPair {
  std::size_t first, second;
};

/// (0, 1), (0, 2), .., (1, 2), ..
std::vector<ClassPair> class_pairs(std::size_t classes);
inline std::size_t pair_count(std::size_t classes) { return classes * (classes - 1) / 2; }
/// More classes have no pairs: every row has a bit for each pair and part.
inline constexpr std::size_t most_paired_classes = 32;

/// The parts of a fit, each cut to the rows of a pair: part `pair (parts + 1) + p` learns from, and holds
/// out, those rows of the pair that part p does. The last of a pair, p = parts, learns from all its rows and
/// holds out those that no part does.
RowParts pair_parts(const RowParts& parts, std::span<const std::int32_t> labels, std::size_t classes);
/// The rows of a pair among those selected, with the parts above.
Selection pair_selection(const Selection& selection, std::size_t pair, std::size_t parts);

/// Probabilities (C) of classes from the log odds (C(C-1)/2) of pairs, of the second class against the first.
/// With r_ij = P(i | i or j) they minimise sum_i sum_j (r_ji p_i - r_ij p_j)^2 among those that sum to 1 (Wu,
/// Lin & Weng 2004, their second method). r is held within 1e-7 of 0 and 1.
void couple_pairs(std::span<const double> log_odds, std::span<double> probability);

}  // namespace linkgistic
