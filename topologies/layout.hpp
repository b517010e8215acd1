#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace lagnet {

/// Where to draw each agent (m), in the unit square with y upwards; the same on every run. The graph's own positions if
/// it has any. Stars have their hub in the middle of a circle, rings and dense graphs lie on one. For the others linked
/// agents attract and all repel each other: Fruchterman, Reingold, "Graph drawing by force-directed placement" (1991),
/// by Boost.Graph, in steps that shrink; about a second for 5,000 agents of degree 4.
std::vector<Point> layout(const Topology& topology);

/// The same for a grid whose cells are numbered row by row, where agent 0 and `hub` have traded places.
std::vector<Point> grid_layout(std::int64_t rows, std::int64_t columns, std::int64_t hub);

}  // namespace lagnet
