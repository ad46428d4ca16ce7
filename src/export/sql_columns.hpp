// What the columns of a table are to a query: numbers that tell the model's rows apart, and its features.
#pragma once

#include <string>
#include <vector>

#include "export/portable_model.hpp"

namespace linkgistic {

std::string sql_identifier(const std::string& name);
/// A number that no dialect takes for a decimal or an integer.
std::string sql_number(double value);

struct SqlColumns {
  /// Of a row r of the table: a number each, or NULL where the row has no prediction. A column of numbers is
  /// its value, followed by 1 or 0 if it has an indicator; a column of text is the number of its category.
  std::vector<std::string> keys;
  std::vector<std::string> features;  // (D) in terms of the keys, which are called lg_x0, lg_x1, ...
};

SqlColumns sql_columns(const PortableModel& model);

}  // namespace linkgistic
