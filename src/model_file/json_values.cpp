#include "model_file/json_values.hpp"

#include <algorithm>
#include <string>

#include <linkgistic/error.hpp>

namespace linkgistic {

using nlohmann::json;

std::vector<double> to_std(const Vector& v) { return {v.data(), v.data() + v.size()}; }

Vector to_vector(const json& j) {
  const auto values = j.get<std::vector<double>>();
  const Vector v = Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
  if (!v.allFinite()) throw InputError("a number is not finite");
  return v;
}

void check_moderate(const Matrix& numbers, const char* what) {
  constexpr double largest = 1e70;
  if ((numbers.array().abs() > largest).any())
    throw InputError(std::string(what) + " has a number that is too large");
}

json lower_to_json(const Matrix& factor) {
  json rows = json::array();
  for (Index i = 0; i < factor.rows(); ++i) {
    rows.push_back(to_std(factor.row(i).head(std::min(i + 1, factor.cols())).transpose()));
  }
  return rows;
}

Matrix lower_from_json(const json& rows, Index n, Index columns, const std::string& what) {
  if (static_cast<Index>(rows.size()) != n) throw InputError(what + " has the wrong size");
  Matrix factor = Matrix::Zero(n, columns);
  for (Index i = 0; i < n; ++i) {
    const Vector row = to_vector(rows[static_cast<std::size_t>(i)]);
    if (row.size() != std::min(i + 1, columns)) throw InputError(what + " has the wrong size");
    factor.row(i).head(row.size()) = row.transpose();
  }
  return factor;
}

nlohmann::json columns_to_json(const Matrix& m) {
  nlohmann::json columns = nlohmann::json::array();
  for (Index s = 0; s < m.cols(); ++s) columns.push_back(to_std(m.col(s)));
  return columns;
}

Matrix columns_from_json(const nlohmann::json& columns, Index rows, const std::string& what) {
  Matrix m(rows, static_cast<Index>(columns.size()));
  for (Index s = 0; s < m.cols(); ++s) {
    const Vector column = to_vector(columns[static_cast<std::size_t>(s)]);
    if (column.size() != rows) throw InputError(what + " has the wrong size");
    m.col(s) = column;
  }
  return m;
}

}  // namespace linkgistic
