#include "text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace linkgistic {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Levenshtein distance: insertions, deletions and replacements from a to b.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

const std::string* nearest(std::span<const std::string> names, const std::string& wanted) {
  const std::string* found = nullptr;
  std::size_t least = wanted.size() / 3 + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(lower(name), lower(wanted));
    if (distance < std::max(name.size(), wanted.size()) && distance <= least &&
        (found == nullptr || distance < least)) {
      found = &name;
      least = distance;
    }
  }
  return found;
}

}  // namespace linkgistic
