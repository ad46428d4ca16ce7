// A table of many files that several processes read together: each decodes its own files, all learn one
// encoding from what they found, and each keeps the rows that it answers for.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <linkgistic/feature_encoding.hpp>

#include "rows/row_matrix.hpp"
#include "table/labels.hpp"
#include "table/roles.hpp"
#include "table/table.hpp"

namespace linkgistic {

/// The rows of the matrix that are in this process; others read as zeros.
struct RowShare {
  std::size_t rows = 0;  // of all processes
  std::size_t first = 0, last = 0;
  std::uint64_t hash = 0;  // of all rows as a fingerprint has them, if it was asked for
};

/// Processes that run the same code, by their numbers from 0.
class Readers {
 public:
  virtual ~Readers() = default;
  [[nodiscard]] virtual std::size_t number() const = 0;
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// The messages of all, in order; every process calls it as often as the others.
  virtual std::vector<std::string> all(const std::string& own) = 0;

  /// Begins the hash of the rows, given their number and that of the columns; empty: there is none to be
  /// made.
  std::function<std::uint64_t(std::uint64_t rows, std::uint64_t columns)> begin_hash;
  /// What was read, if files were shared.
  std::optional<RowShare> share;
};

/// The files, from the first to before the second, that a process decodes: about the same number of bytes
/// each.
std::pair<std::size_t, std::size_t> own_files(const std::vector<std::string>& files, const Readers& readers);

struct SharedTable {
  RowMatrix rows;  // of all, single precision
  std::vector<double> origin;
  FeatureEncoding encoding;
  LabelColumn labels;           // of all rows
  std::vector<double> weights;  // of all rows, or empty
  std::vector<std::string> notes;
};

/// Reads a table of own files, without missing values, and gives what one process that reads all gives, to
/// the bit. Pieces of rows begin at multiples of `piece_rows`, a multiple of the leaves of the sums; if there
/// are at most `few` rows, every process has all of them. An InputError of one process is thrown in all.
SharedTable read_shared_table(Table& table, const ColumnRoles& roles, const DatasetOptions& options,
                              std::size_t piece_rows, std::size_t few, Readers& readers);

}  // namespace linkgistic
