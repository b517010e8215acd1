#pragma once

/// Losses, regularizers and metrics in Python as those of lagnet.
namespace lagnet::python {

/// From now on scenarios with them run; see scenarios/assembly/catalogues/python_parts.hpp.
void offer_python_parts();

}  // namespace lagnet::python
