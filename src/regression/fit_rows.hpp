// The rows of a block as a fit takes them: checked, those of weight 0 left out, offsets and exposures in one
// form.
#pragma once

#include <cstddef>
#include <vector>

#include <linkgistic/rows.hpp>

#include "response/response.hpp"

namespace linkgistic {

/// Throws for the first row of a block that cannot be used, if there is one; `row` is the block's first, and
/// afterwards the one past its last or the bad one. A UsageError for a column that the response does not
/// take.
void check_rows(const RowBlock& block, const Response& response, std::size_t& row);

class PreparedRows {
 public:
  /// The rows that have a weight. With the identity as the link offsets are taken from y; of a log link
  /// e^offset goes into the exposure; of log odds the offset stays. What it returns is valid until the next
  /// call.
  RowBlock of(const RowBlock& block, const Response& response);

 private:
  std::vector<double> x_, y_, weight_, offset_, exposure_, trials_;
};

}  // namespace linkgistic
