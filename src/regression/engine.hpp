// The engines of a regression's rows: one stream, or partitions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <linkgistic/rows.hpp>

#include "regression/data.hpp"

namespace linkgistic {

/// Rows in one stream, which is read once an answer. The arguments must outlive the engine.
std::unique_ptr<RegressionEngine> make_stream_engine(RowStream& rows, const Response& response, int threads);

/// Rows cut anywhere, each piece copied to a partition that answers for its own rows: what many machines do,
/// in one process. Partitions begin at `cuts`, as in engine/partitions.hpp; a block is rows_per_block rows.
/// Requests and answers travel as bytes; `seed` shuffles the answers. The response must outlive the engine.
std::unique_ptr<RegressionEngine> make_partitioned_regression(const RowBlock& rows, const Response& response,
                                                              std::vector<std::size_t> cuts,
                                                              std::uint64_t seed, int threads);

}  // namespace linkgistic
