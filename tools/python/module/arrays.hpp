#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "algorithms/kernels/row_block.hpp"
#include "sim/base/array.hpp"

/// Vectors of lagnet as arrays of NumPy, and the other way round. All of it needs the interpreter's lock.
namespace lagnet::python {

/// A read-only array of the vector's numbers, which the array owns.
pybind11::array array_of(Vector&& values);

/// The numbers of an array of one dimension, of a list, or of a single number. Throws ValueError in the name of
/// `called` for anything else.
Vector vector_of(pybind11::handle values, const char* called);

/// The numbers of an array (count), or of a list. Throws TypeError and ValueError for anything else; `each` says what
/// they are: "one for each score".
Vector numbers_of(pybind11::handle values, Index count, const char* each);
/// A number. Throws TypeError for anything else.
double number_of(pybind11::handle value);
/// The name of the type of an object.
std::string type_name(pybind11::handle value);

/// A matrix X (n x d), read-only: a dense one where it lies; a sparse one as a copy, as a scipy.sparse.csr_matrix.
pybind11::object matrix_of(const DataMatrix& X);
/// An agent's samples X (n x d), read-only: dense ones where they lie, column by column; sparse ones as a copy, a
/// scipy.sparse.csr_matrix.
pybind11::object samples_of(const RowBlock& block);
/// Its labels y (n), read-only.
pybind11::array labels_of(const RowBlock& block);

}  // namespace lagnet::python
