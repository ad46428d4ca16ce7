// Files of one table, one after the other: rows are numbered across them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "table/table.hpp"

namespace linkgistic {

/// The rows of these files, one file open at a time. `name` is what messages call them together. Every file
/// has the columns of the first, in any order; a key that no line of a JSON Lines file has is missing in all
/// its rows. An InputError names the file and the column that differ.
std::unique_ptr<Table> join_tables(std::string name, std::vector<std::string> files,
                                   const TableOptions& options);
/// The same of which the rows of some files alone are read, from the first to before the second.
std::unique_ptr<Table> join_tables(std::string name, std::vector<std::string> files,
                                   const TableOptions& options, std::pair<std::size_t, std::size_t> read);

}  // namespace linkgistic
