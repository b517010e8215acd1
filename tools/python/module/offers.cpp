#include "tools/python/module/offers.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "tools/python/module/arrays.hpp"
#include "tools/python/module/held.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

template <class Number>
using Array = py::array_t<Number, py::array::c_style>;

/// The attribute as an array of one dimension, without a copy.
template <class Number>
Array<Number> line_of(const py::handle& X, const char* attribute) {
  const py::object found = X.attr(attribute);
  if (!py::isinstance<Array<Number>>(found) || py::reinterpret_borrow<Array<Number>>(found).ndim() != 1)
    throw py::value_error(
        fmt::format("data: X.{}: expected numbers of {} bytes in one piece", attribute, sizeof(Number)));
  return py::reinterpret_borrow<Array<Number>>(found);
}

/// Throws ValueError unless these are the places of a matrix of `outer` rows of `inner` entries, or columns likewise.
void check_places(const Array<int>& starts, const Array<int>& places, py::ssize_t values, py::ssize_t outer,
                  py::ssize_t inner) {
  const auto refuse = [](const std::string& expected) { throw py::value_error("data: X: expected " + expected); };
  if (starts.size() != outer + 1 || starts.at(0) != 0 || starts.at(outer) != values || places.size() != values)
    refuse("as many places as values");
  const int* const start = starts.data();
  const int* const place = places.data();
  for (py::ssize_t k = 0; k < outer; ++k) {
    if (start[k + 1] < start[k] || start[k + 1] > values) refuse("places in order");
    for (int e = start[k]; e < start[k + 1]; ++e)
      if (place[e] < 0 || place[e] >= inner || (e > start[k] && place[e] <= place[e - 1]))
        refuse("places of the matrix, sorted and each once");
  }
}

DataMatrix sparse_matrix(const py::object& X, bool by_rows, Index n, Index d) {
  const auto values = line_of<double>(X, "data");
  const auto places = line_of<int>(X, "indices"), starts = line_of<int>(X, "indptr");
  check_places(starts, places, values.size(), by_rows ? n : d, by_rows ? d : n);
  auto owner = std::make_shared<const Held>(py::make_tuple(values, places, starts));
  const Index entries = values.size();
  if (by_rows) return {SparseRowsView(n, d, entries, starts.data(), places.data(), values.data()), std::move(owner)};
  return {SparseView(n, d, entries, starts.data(), places.data(), values.data()), std::move(owner)};
}

DataMatrix dense_matrix(const py::object& X, Index n, Index d) {
  using Columns = py::array_t<double, py::array::f_style>;
  if (!py::isinstance<Columns>(X)) throw py::value_error("data: X: expected doubles in Fortran order");
  const auto columns = py::reinterpret_borrow<Columns>(X);
  if (reinterpret_cast<std::uintptr_t>(columns.data()) % 16 != 0)
    throw py::value_error("data: X: expected an array that begins at a multiple of 16 bytes");
  return {Eigen::Map<const Matrix>(columns.data(), n, d), std::make_shared<const Held>(X)};
}

std::shared_ptr<const DataSet> data_set(const py::object& X, const py::object& y) {
  const auto [n, d] = X.attr("shape").cast<std::pair<Index, Index>>();
  if (n > std::numeric_limits<int>::max() || d > std::numeric_limits<int>::max())
    throw py::value_error("data: X: expected at most 2^31 - 1 samples and features");
  const std::string format = py::hasattr(X, "format") ? X.attr("format").cast<std::string>() : "";
  DataMatrix matrix = format.empty() ? dense_matrix(X, n, d) : sparse_matrix(X, format == "csr", n, d);
  Vector labels = vector_of(y, "data: y");
  if (labels.size() != n) throw py::value_error(fmt::format("data: {} labels for {} samples", labels.size(), n));
  return std::make_shared<const DataSet>(DataSet{.X = std::move(matrix),
                                                 .y = std::move(labels),
                                                 .samples = n,
                                                 .truth = {},
                                                 .origin = fmt::format("arrays of {} x {}", n, d)});
}

}  // namespace

std::vector<std::unique_ptr<OfferedArrays>> offer(const py::list& arrays) {
  std::vector<std::unique_ptr<OfferedArrays>> offers;
  for (const py::handle one : arrays) {
    const auto [sha256, X, y] = one.cast<std::tuple<std::string, py::object, py::object>>();
    offers.push_back(std::make_unique<OfferedArrays>(sha256, data_set(X, y)));
  }
  return offers;
}

}  // namespace lagnet::python
