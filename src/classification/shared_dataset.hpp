// Labelled rows that several processes read together.
#pragma once

#include <string>

#include <linkgistic/dataset.hpp>

#include "rows/shared_table.hpp"

namespace linkgistic {

/// As read_dataset of one process; `readers.share` says which rows are here, if not all are.
Dataset read_dataset(const std::string& path, const DatasetOptions& options, Readers& readers);

}  // namespace linkgistic
