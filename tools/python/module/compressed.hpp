#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/compression/compressor.hpp"
#include "sim/agents/agent.hpp"

/// Compressors for agents in Python, and what they send: as algorithms/interface/compression.hpp has it for lagnet's
/// own methods.
namespace lagnet::python {

/// A compressor of vectors with d entries at an agent.
class PythonCompressor {
 public:
  /// From a section of JSON. Throws ValueError with everything that is wrong with it.
  PythonCompressor(const std::string& section, Index d, Bytes bytes_per_scalar);

  const Compressor& Q() const { return *Q_; }
  std::int64_t bits() const { return bits_; }  // of an encoding

 private:
  std::shared_ptr<const Compressor> Q_;
  std::int64_t bits_;
};

/// Q(x), as its receivers decode it, and the bits that it is sent in.
struct Packed {
  pybind11::array values;  // read-only (d)
  std::int64_t bits = 0;
};

/// The sent body: numbers, or an encoding that the receiver decodes.
struct Sent {
  StateVector body;
  std::optional<Bytes> encoded = {};  // the bytes of the encoding

  /// On the thread of the simulation.
  Payload payload() const { return encoded ? Payload::as_encoding(Payload::joined(body), *encoded) : Payload(body); }
};

/// Of a vector, of a Packed, or of several of them, which go one after the other in one message. Throws ValueError in
/// the name of `called` for anything else.
Sent sent_of(pybind11::handle body, const char* called);

void declare_compressors(pybind11::module_& module);

}  // namespace lagnet::python
