// Rows (x, y, weight) for a univariate fit, read a block at a time, so that a file need not fit in memory.
#pragma once

#include <cstddef>
#include <span>

#include <linkgistic/export.hpp>

namespace linkgistic {

/// A block of consecutive rows. `weight` is empty when every row counts once.
struct RowBlock {
  std::span<const double> x;
  std::span<const double> y;
  std::span<const double> weight;
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
