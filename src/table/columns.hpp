// Columns by name.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace linkgistic {

class ColumnNames {
 public:
  ColumnNames() = default;
  /// The names in their order; messages begin with `table`.
  ColumnNames(std::string table, std::vector<std::string> names);

  [[nodiscard]] const std::string& table() const { return table_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& operator[](std::size_t column) const { return names_[column]; }
  /// The place of the one column called `wanted`. Throws InputError when there is none (with the names there
  /// are, and the nearest) or more than one.
  [[nodiscard]] std::size_t find(const std::string& wanted) const;
  [[nodiscard]] bool has(const std::string& name) const { return places_.contains(name); }

 private:
  struct Place {
    std::size_t first;
    std::size_t count;
  };

  std::string table_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Place> places_;
};

}  // namespace linkgistic
