// The dense vectors and matrices of the small systems.
#pragma once

#include <Eigen/Core>

namespace linkgistic {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Eigen::VectorXd>;
using Index = Eigen::Index;

}  // namespace linkgistic
