#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "scenarios/data/arrays.hpp"

namespace lagnet::python {

/// Offers arrays of NumPy and SciPy to scenarios, where they lie. `arrays` lists tuples (sha256, X, y): X (n x d) of
/// doubles, in Fortran order at a multiple of 16 bytes, or a scipy.sparse matrix by rows or columns with places of 32
/// bits, sorted and each once; y (n) of doubles. Nothing of it may change as long as the offers live. Throws ValueError
/// for anything else. It needs the interpreter's lock; the offers may go without it.
std::vector<std::unique_ptr<OfferedArrays>> offer(const pybind11::list& arrays);

}  // namespace lagnet::python
