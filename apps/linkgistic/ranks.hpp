// The processes of a run under mpirun, in a build with LINKGISTIC_WITH_MPI; else one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <linkgistic/dataset.hpp>

#include "classification/fit.hpp"

namespace linkgistic {

/// Another rank than the first has done its part: it answered until the first one was done.
struct Served {};

/// Joins the processes that mpirun has started, if it has; returns the number of this one.
int join_ranks();
/// Whether this process is the one that drives, prints and saves.
bool is_first_rank();
/// Leaves the others, with the exit code of this one: an error ends all.
void leave_ranks(int code);

/// Reads the training data of a classifier, together with the others where there are any; `hashed` if a
/// checkpoint will need the hash of all rows.
Dataset read_by_ranks(const std::string& path, const DatasetOptions& options, bool hashed);
/// The hash of all rows, if others have some of them.
std::optional<std::uint64_t> hash_of_ranks();

/// The engine of a classifier's rows: of one process a local one. Of several, the first one's asks all for
/// sums over their shares of the rows; in the others it answers until the first is done, and throws Served.
EngineFactory engine_of_ranks(const std::string& device);

}  // namespace linkgistic
