#include "tools/python/module/arrays.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// An array of numbers that lie in what `owner` holds, row by row unless strides say where.
template <class Owner>
py::array view_of(std::vector<py::ssize_t> shape, const double* numbers, std::unique_ptr<Owner> owner,
                  std::vector<py::ssize_t> strides = {}) {
  py::capsule keeper(owner.get(), [](void* held) { delete static_cast<Owner*>(held); });
  static_cast<void>(owner.release());
  py::array_t<double> array = strides.empty()
                                  ? py::array_t<double>(std::move(shape), numbers, keeper)
                                  : py::array_t<double>(std::move(shape), std::move(strides), numbers, keeper);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace

py::array array_of(Vector&& values) {
  auto owner = std::make_unique<Vector>(std::move(values));
  const double* const numbers = owner->data();
  const auto size = static_cast<py::ssize_t>(owner->size());
  return view_of({size}, numbers, std::move(owner));
}

namespace {

/// Whether entries of an array of numpy.ma are masked: NumPy would hand over what lies below the mask.
bool is_masked(py::handle values) {
  return py::hasattr(values, "mask") && py::module_::import("numpy.ma").attr("is_masked")(values).cast<bool>();
}

}  // namespace

Vector vector_of(py::handle values, const char* called) {
  const auto refuse = [called](const std::string& found) {
    throw py::value_error(std::string(called) + ": expected a vector of real numbers, found " + found);
  };
  const py::array given = py::array::ensure(values);
  if (!given) PyErr_Clear();
  if (!given) refuse(type_name(values));
  if (is_masked(values)) refuse("an array with masked entries");
  // Of complex numbers NumPy would keep the real parts, and it would read texts.
  if (std::string_view("fiubO").find(given.dtype().kind()) == std::string_view::npos)
    refuse("an array of " + std::string(py::str(given.dtype())));
  using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
  const Array array = Array::ensure(given);
  if (!array) PyErr_Clear();
  if (!array) refuse("an array of " + std::string(py::str(given.dtype())));
  if (array.ndim() > 1) refuse("an array of " + std::to_string(array.ndim()) + " dimensions");
  return Vector::Map(array.data(), array.size());
}

std::string type_name(py::handle value) { return py::str(py::type::of(value).attr("__name__")); }

Vector numbers_of(py::handle values, Index count, const char* each) {
  const auto wrong = [&](const std::string& found) {
    return fmt::format("expected an array of {} numbers, {}, found {}", count, each, found);
  };
  if (!py::isinstance<py::array>(values) && !py::isinstance<py::list>(values) && !py::isinstance<py::tuple>(values))
    throw py::type_error(wrong(type_name(values)));
  py::array array = py::array::ensure(values);
  if (!array) PyErr_Clear();
  if (!array || std::string_view("fiub").find(array.dtype().kind()) == std::string_view::npos)
    throw py::type_error(wrong(array ? "an array of " + std::string(py::str(array.dtype())) : type_name(values)));
  if (is_masked(values)) throw py::type_error(wrong("an array with masked entries"));
  if (array.ndim() != 1 || array.size() != count)
    throw py::value_error(wrong("an array of shape " + std::string(py::str(array.attr("shape")))));
  const py::array_t<double, py::array::c_style | py::array::forcecast> numbers(array);
  return Vector::Map(numbers.data(), numbers.size());
}

double number_of(py::handle value) {
  // NumPy would cast a complex number to a real one.
  const bool is_complex = PyComplex_Check(value.ptr()) != 0 ||
                          (py::isinstance<py::array>(value) && py::cast<py::array>(value).dtype().kind() == 'c');
  const double number = is_complex ? -1 : PyFloat_AsDouble(value.ptr());
  if (!is_complex && (number != -1 || !PyErr_Occurred())) return number;
  if (!is_complex && !PyErr_ExceptionMatches(PyExc_TypeError)) throw py::error_already_set();
  PyErr_Clear();
  throw py::type_error("expected a number, found " +
                       (py::isinstance<py::array>(value)
                            ? "an array of shape " + std::string(py::str(value.attr("shape")))
                            : type_name(value)));
}

py::object matrix_of(const DataMatrix& X) {
  const auto sparse = X.as_sparse();
  if (!sparse) {                                   // column by column in memory
    auto owner = std::make_unique<DataMatrix>(X);  // shares the numbers
    const double* const numbers = owner->as_dense().value().data();
    const py::ssize_t number = sizeof(double);
    return view_of({X.rows(), X.cols()}, numbers, std::move(owner), {number, number * X.rows()});
  }
  const auto as_array = [](auto count, const auto* numbers) {
    return py::array(static_cast<py::ssize_t>(count), numbers);
  };
  const auto of_columns = py::make_tuple(as_array(sparse->nonZeros(), sparse->valuePtr()),
                                         as_array(sparse->nonZeros(), sparse->innerIndexPtr()),
                                         as_array(sparse->outerSize() + 1, sparse->outerIndexPtr()));
  return py::module_::import("scipy.sparse")
      .attr("csc_matrix")(of_columns, py::arg("shape") = py::make_tuple(X.rows(), X.cols()))
      .attr("tocsr")();
}

py::object samples_of(const RowBlock& block) {
  const Index n = block.rows(), d = block.cols();
  if (!block.is_sparse()) {
    auto owner = std::make_unique<DataMatrix>(block.matrix());  // shares the numbers
    const double* const numbers = owner->as_dense().value().data() + block.first();
    constexpr py::ssize_t number = sizeof(double);
    const py::ssize_t column = number * owner->rows();
    return view_of({n, d}, numbers, std::move(owner), {number, column});
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
