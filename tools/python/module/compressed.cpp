#include "tools/python/module/compressed.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "algorithms/compression/compressors.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/json/one_of.hpp"
#include "sim/base/diagnostic.hpp"
#include "tools/python/module/arrays.hpp"

namespace lagnet::python {

namespace py = pybind11;

namespace {

/// The section as an option of lagnet's own methods would be read.
CompressorOptions options_of(const std::string& section) {
  CompressorOptions options;
  Diagnostics diagnostics("");
  OneOfJson<CompressorOptions>::read(parse_json(section), options, "compressor", diagnostics);
  std::vector<std::string> problems;
  for (const Diagnostic& one : diagnostics.list()) problems.push_back(sentence(one));
  if (!problems.empty()) throw py::value_error(fmt::format("{}", fmt::join(problems, "; ")));
  return options;
}

Bytes bytes_of(std::int64_t bits) { return (bits + 7) / 8; }

bool are_all_packed(py::handle body) {
  if (!py::isinstance<py::tuple>(body) && !py::isinstance<py::list>(body)) return false;
  const auto parts = py::reinterpret_borrow<py::sequence>(body);
  return py::len(parts) > 0 &&
         std::all_of(parts.begin(), parts.end(), [](const auto& one) { return py::isinstance<Packed>(one); });
}

}  // namespace

PythonCompressor::PythonCompressor(const std::string& section, Index d, Bytes bytes_per_scalar) {
  try {
    Q_ = make_compressor(options_of(section), d);
  } catch (const Diagnosed& error) {
    throw py::value_error(error.what());
  }
  bits_ = Q_->bits(8 * bytes_per_scalar);
}

Sent sent_of(py::handle body, const char* called) {
  if (py::isinstance<Packed>(body)) {
    const auto& packed = body.cast<const Packed&>();
    return {vector_of(packed.values, called), bytes_of(packed.bits)};
  }
  if (!are_all_packed(body)) return {vector_of(body, called)};
  std::vector<double> numbers;
  std::int64_t bits = 0;
  for (const py::handle one : body) {
    const auto& packed = one.cast<const Packed&>();
    const Vector values = vector_of(packed.values, called);
    numbers.insert(numbers.end(), values.begin(), values.end());
    bits += packed.bits;
  }
  return {Vector(VectorView(numbers.data(), std::ssize(numbers))), bytes_of(bits)};
}

void declare_compressors(py::module_& module) {
  py::class_<PythonCompressor>(module, "Compressor", "A compressor of an agent's vectors.")
      .def_property_readonly("d", [](const PythonCompressor& one) { return one.Q().d(); })
      .def_property_readonly("bits", &PythonCompressor::bits)
      .def_property_readonly("bytes", [](const PythonCompressor& one) { return bytes_of(one.bits()); })
      .def_property_readonly("kept", [](const PythonCompressor& one) { return one.Q().kept(); })
      .def_property_readonly("flops", [](const PythonCompressor& one) { return one.Q().flops(); })
      .def_property_readonly("omega", [](const PythonCompressor& one) { return one.Q().omega(); })
      .def_property_readonly("delta", [](const PythonCompressor& one) { return one.Q().delta(); });
  py::class_<Packed>(module, "Packed", "A compressed vector, which is sent in few bits.")
      .def_property_readonly("values", [](const Packed& one) { return one.values; })
      .def_property_readonly("bits", [](const Packed& one) { return one.bits; })
      .def_property_readonly("bytes", [](const Packed& one) { return bytes_of(one.bits); });
}

}  // namespace lagnet::python
