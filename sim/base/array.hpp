#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace lagnet {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;                     // column-major
using SparseMatrix = Eigen::SparseMatrix<double>;   // compressed columns
using VectorView = Eigen::Map<const Vector>;        // borrowed numbers, read only
using VectorRef = const Eigen::Ref<const Vector>&;  // any contiguous vector argument

}  // namespace lagnet
