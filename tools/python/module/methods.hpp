#pragma once

/// Methods in Python as methods of lagnet.
namespace lagnet::python {

/// From now on scenarios of the kind "python" run; see scenarios/format/kinds/python_method.hpp.
void offer_python_methods();

}  // namespace lagnet::python
