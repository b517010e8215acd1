#include "tools/python/module/arrays.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// An array of numbers that lie in what `owner` holds; strides are in bytes, and those of rows in one piece if none are
/// given.
template <class Owner>
py::array view_of(std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides, const double* numbers,
                  std::unique_ptr<Owner> owner) {
  py::capsule keeper(owner.get(), [](void* held) { delete static_cast<Owner*>(held); });
  static_cast<void>(owner.release());
  py::array_t<double> array(std::move(shape), std::move(strides), numbers, keeper);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace

py::array array_of(Vector&& values) {
  auto owner = std::make_unique<Vector>(std::move(values));
  const double* const numbers = owner->data();
  const auto size = static_cast<py::ssize_t>(owner->size());
  return view_of({size}, {}, numbers, std::move(owner));
}

Vector vector_of(py::handle values, const char* called) {
  using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
  const Array array = Array::ensure(values);
  if (!array) PyErr_Clear();
  if (!array || array.ndim() > 1)
    throw py::value_error(std::string(called) + ": expected a vector of real numbers, found " +
                          (array ? "an array of " + std::to_string(array.ndim()) + " dimensions"
                                 : std::string(py::str(py::type::of(values).attr("__name__")))));
  return Vector::Map(array.data(), array.size());
}

py::object samples_of(const RowBlock& block) {
  const Index n = block.rows(), d = block.cols();
  if (!block.is_sparse()) {
    auto owner = std::make_unique<DataMatrix>(block.matrix());  // shares the numbers
    const double* const numbers = owner->as_dense().value().data() + block.first();
    constexpr py::ssize_t number = sizeof(double);
    const py::ssize_t column = number * owner->rows();
    return view_of({n, d}, {number, column}, numbers, std::move(owner));
  }
  std::vector<double> values;
  std::vector<std::int64_t> columns, starts{0};
  for (Index i = 0; i < n; ++i) {
    const SampleRow row = block.row(i);
    values.insert(values.end(), row.values.begin(), row.values.end());
    columns.insert(columns.end(), row.columns, row.columns + row.values.size());
    starts.push_back(static_cast<std::int64_t>(values.size()));
  }
  const auto as_array = [](const auto& list) { return py::array(static_cast<py::ssize_t>(list.size()), list.data()); };
  return py::module_::import("scipy.sparse")
      .attr("csr_matrix")(py::make_tuple(as_array(values), as_array(columns), as_array(starts)),
                          py::arg("shape") = py::make_tuple(n, d));
}

py::array labels_of(const RowBlock& block) {
  Vector y(block.rows());
  for (Index i = 0; i < block.rows(); ++i) y[i] = block.label(i);
  return array_of(std::move(y));
}

}  // namespace lagnet::python
