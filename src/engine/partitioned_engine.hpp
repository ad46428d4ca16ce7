// Rows are cut anywhere, and each partition answers for its own rows, in any order. This is what many
// machines do, in one process.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine_rows.hpp"

namespace linkgistic {

/// Partitions begin at the rows `cuts`, as in partitions.hpp. Requests and answers travel as bytes; `seed`
/// shuffles the answers.
std::unique_ptr<RowEngine> make_partitioned_engine(EngineRows rows, std::vector<std::size_t> cuts,
                                                   std::uint64_t seed, int threads);

}  // namespace linkgistic
