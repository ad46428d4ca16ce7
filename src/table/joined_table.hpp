// Files of one table, one after the other: rows are numbered across them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "table/table.hpp"

namespace linkgistic {

/// The rows of these files, one file open at a time. `name` is what messages call them together. Every file
/// has the columns of the first, in any order; a key that no line of a JSON Lines file has is missing in all
/// its rows. An InputError names the file and the column that differ.
std::unique_ptr<Table> join_tables(std::string name, std::vector<std::string> files,
                                   const TableOptions& options);

}  // namespace linkgistic
