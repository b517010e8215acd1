#pragma once

#include <string>

#include "topologies/topology.hpp"

namespace lagnet::tools {

/// A topology as an SVG drawing, with the numbers of up to 100 agents. Links that go one way have arrows.
std::string svg_picture(const Topology& topology);

}  // namespace lagnet::tools
