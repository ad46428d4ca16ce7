// Margins to nu of a link, from a table: what predictions for many rows cost beside the pass over them.
#pragma once

#include <span>
#include <vector>

#include "engine/compression.hpp"

namespace linkgistic {

/// nu and its derivative at some margins.
struct LinkValues {
  std::vector<double> nu, slope;
};

/// Between nodes the cubic with the link's values and slopes there. Where the
/// link increases, slopes above three times that of a neighbouring cell are cut to it, which keeps the cubic
/// increasing (Fritsch and Carlson, 1980).
/// With `cells_for(n)` cells the error is at most 1e-9 times the sum of the amplitudes of nu's n harmonics;
/// outside the range the link goes on with its edges' slopes.
class LinkMap {
 public:
  /// nu(m) = m.
  LinkMap() = default;
  /// nu and dnu/dm at nodes that cut the range into equal cells.
  LinkMap(ScoreRange range, const LinkValues& nodes);
  /// 64 to a period of the highest harmonic, of which half is in the range.
  static std::size_t cells_for(std::size_t harmonics) { return 128 * harmonics; }

  /// The margins in `values` become nu.
  void apply(std::span<double> values) const;

 private:
  struct Node {
    double value, rise;  // nu, and its slope times the width of a cell
  };
  std::vector<Node> nodes_;  // none: the identity
  double lower_ = 0, per_width_ = 1;
  double rise_below_ = 0, rise_above_ = 0;
};

}  // namespace linkgistic
