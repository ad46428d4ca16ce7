// Finding a column, and the name that was probably meant.
#include "table/columns.hpp"

#include <span>
#include <utility>

#include <linkgistic/error.hpp>

#include "text/message.hpp"
#include "text/nearest.hpp"

namespace linkgistic {
namespace {

// "did you mean 'weight'? " when a name is near enough, else nothing.
std::string suggestion(std::span<const std::string> names, const std::string& wanted) {
  const std::string* name = nearest(names, wanted);
  return name == nullptr ? "" : "did you mean " + in_quotes(*name) + "? ";
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
                     "the columns are " +
                     listed(names_, ", ... (" + std::to_string(names_.size()) + " in all)"));
  }
  if (place->second.count > 1) {
    throw InputError(table_ + ": " + std::to_string(place->second.count) + " columns are called " +
                     in_quotes(wanted));
  }
  return place->second.first;
}

}  // namespace linkgistic
