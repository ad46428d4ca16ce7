// Finding a column, and the name that was probably meant.
#include "table/columns.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <span>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"

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

// "did you mean 'weight'? " when a name is near enough, else nothing.
std::string suggestion(std::span<const std::string> names, const std::string& wanted) {
  const std::string* nearest = nullptr;
  std::size_t least = wanted.size() / 3 + 1;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(lower(name), lower(wanted));
    if (distance < std::max(name.size(), wanted.size()) && distance <= least &&
        (nearest == nullptr || distance < least)) {
      nearest = &name;
      least = distance;
    }
  }
  return nearest == nullptr ? "" : "did you mean " + in_quotes(*nearest) + "? ";
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  return names.size() > most ? text + ", ... (" + std::to_string(names.size()) + " in all)" : text;
}

}  // namespace

ColumnNames::ColumnNames(std::string table, std::vector<std::string> names)
    : table_(std::move(table)), names_(std::move(names)) {
  places_.reserve(names_.size());
  for (std::size_t j = 0; j < names_.size(); ++j)
    ++places_.try_emplace(names_[j], Place{j, 0}).first->second.count;
}

std::size_t ColumnNames::find(const std::string& wanted) const {
  const auto place = places_.find(wanted);
  if (place == places_.end()) {
    throw InputError(table_ + ": no column " + in_quotes(wanted) + "; " + suggestion(names_, wanted) +
                     "the columns are " + listed(names_));
  }
  if (place->second.count > 1) {
    throw InputError(table_ + ": " + std::to_string(place->second.count) + " columns are called " +
                     in_quotes(wanted));
  }
  return place->second.first;
}

}  // namespace linkgistic
