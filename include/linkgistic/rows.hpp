// Rows (x, y, weight and what a response asks for beside) for a univariate fit, read a block at a time, so
// that a file need not fit in memory.
#pragma once

#include <cstddef>
#include <span>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// A block of consecutive rows. `weight` is empty when every row counts once. The last three are for some
/// responses (linkgistic/response.hpp) and empty where every row has the offset 0, the exposure 1, one trial.
struct RowBlock {
  std::span<const double> x;
  std::span<const double> y;
  std::span<const double> weight;
  std::span<const double> offset = {};    // added to the curve on the scale of the link
  std::span<const double> exposure = {};  // multiplies the mean
  std::span<const double> trials = {};    // of which y succeed
  [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// Rows that can be read more than once, from the first to the last, by one thread at a time.
class LINKGISTIC_API RowStream {
 public:
  virtual ~RowStream() = default;
  /// The next block, or an empty one at the end. The spans are valid until the next call.
  virtual RowBlock next() = 0;
  /// Starts again at the first row.
  virtual void rewind() = 0;
};

}  // namespace linkgistic
