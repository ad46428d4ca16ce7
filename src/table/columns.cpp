// Finding a column, and the name that was probably meant.
#include "table/columns.hpp"

#include <algorithm>

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

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  return names.size() > most ? text + ", ... (" + std::to_string(names.size()) + " in all)" : text;
}

}  // namespace

std::size_t find_column(const std::string& table, std::span<const std::string> names,
                        const std::string& wanted) {
  const auto count = std::count(names.begin(), names.end(), wanted);
  if (count == 1)
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
  if (count > 1) {
    throw InputError(table + ": " + std::to_string(count) + " columns are called " + in_quotes(wanted));
  }
  throw InputError(table + ": no column " + in_quotes(wanted) + "; " + suggestion(names, wanted) +
                   "the columns are " + listed(names));
}

}  // namespace linkgistic
