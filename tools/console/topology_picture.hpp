#pragma once

#include <string>

#include "topologies/topology.hpp"

namespace lagnet::tools {

/// A topology in characters: up to 60 agents and 150 edges as a drawing in braille dots with the agents' numbers, 64
/// columns wide; else as an adjacency matrix, of more than 32 agents as a matrix of counts between groups of them. In a
/// drawing links that go one way have arrows; in a matrix of a digraph rows send to columns.
std::string picture(const Topology& topology);

/// The same as an SVG drawing.
std::string svg_picture(const Topology& topology);

}  // namespace lagnet::tools
