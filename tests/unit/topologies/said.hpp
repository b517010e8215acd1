#pragma once

#include <string>

#include "topologies/topology.hpp"

namespace lagnet {

/// What the TopologyError says that `action` throws, or a text that no expectation equals.
template <class Action>
std::string said(Action action) {
  try {
    action();
  } catch (const TopologyError& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace lagnet
