// Vectors and matrices in model files.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "numeric/types.hpp"

namespace linkgistic {

std::vector<double> to_std(const Vector& v);

/// InputError for a number that is not finite.
Vector to_vector(const nlohmann::json& j);

nlohmann::json columns_to_json(const Matrix& m);
/// And back, to columns of length `rows`; another length is an InputError that names `what`.
Matrix columns_from_json(const nlohmann::json& columns, Index rows, const std::string& what);

/// The rows of a matrix that is zero above the diagonal, from the diagonal to the left.
nlohmann::json lower_to_json(const Matrix& factor);
/// And back, to n rows; another size is an InputError that names `what`.
Matrix lower_from_json(const nlohmann::json& rows, Index n, Index columns, const std::string& what);

}  // namespace linkgistic
