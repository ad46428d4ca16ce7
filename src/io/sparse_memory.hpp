// Memory for an array of which only a part is there: the rest has addresses, reads as zeros and takes no
// room.
#pragma once

#include <cstddef>
#include <memory>

namespace linkgistic {

/// `bytes` of zeros. Those from `first` to `last` will be written: in a temporary file that is mapped, with
/// its space reserved, if they are more than the budget.
std::shared_ptr<std::byte> sparse_memory(std::size_t bytes, std::size_t first, std::size_t last,
                                         std::size_t budget);

}  // namespace linkgistic
