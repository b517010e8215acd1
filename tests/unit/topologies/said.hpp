#pragma once

#include <string>

#include "topologies/topology.hpp"

namespace lagnet {

/// What the Diagnosed says that `action` throws, or a text that no expectation equals.
template <class Action>
std::string said(Action action) {
  try {
    action();
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace lagnet
