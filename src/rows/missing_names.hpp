// The words for what is done with a missing value.
#pragma once

#include <map>
#include <string>

#include <linkgistic/feature_encoding.hpp>

namespace linkgistic {

inline const std::map<std::string, MissingValues>& missing_names() {
  static const std::map<std::string, MissingValues> names{
      {"error", MissingValues::error}, {"drop", MissingValues::drop}, {"impute", MissingValues::impute}};
  return names;
}

}  // namespace linkgistic
