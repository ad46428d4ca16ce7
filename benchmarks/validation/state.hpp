// Finished cells in a file, so that a long run may be broken off, and spread over several.
#pragma once

#include <map>
#include <string>

#include "validation/results.hpp"

namespace linkgistic::validation {

/// One line of JSON a cell. `key` is what the figures of a cell depend on beside the cell.
class State {
 public:
  /// Reads the file if it is there; no path: nothing is kept.
  State(std::string path, std::string key);

  /// The result of a cell, or nullptr. The cell itself is left as it is made.
  [[nodiscard]] const CellResult* find(const Cell& cell) const;
  void add(const CellResult& result);
  /// Time spent on the cells of the file by all runs.
  [[nodiscard]] double seconds() const { return seconds_; }
  void spent(double seconds) { spent_ = seconds; }

 private:
  std::string path_, key_;
  std::map<std::string, CellResult> results_;
  double seconds_ = 0, spent_ = 0;
};

}  // namespace linkgistic::validation
