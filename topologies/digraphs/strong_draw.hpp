#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/draws.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Draws digraphs until one is strongly connected: `draw(Draws&)` gives its arcs, and try k has the numbers of round k
/// of the purpose, so that a rejected draw never shifts the numbers of the next. After `tries` draws throws
/// Diagnosed that names the digraph (`description`) and what else to change (`remedy`).
template <class Draw>
Topology draw_until_strongly_connected(std::int64_t agents, std::vector<Point> positions, std::int64_t tries,
                                       std::uint64_t seed, Purpose purpose, const std::string& description,
                                       std::string_view remedy, Draw draw) {
  for (std::int64_t k = 0; k < tries; ++k) {
    Draws draws(seed, purpose, 0, k);
    Topology topology = Topology::of_arcs(agents, draw(draws), positions, k + 1);
    if (topology.connected()) return topology;
  }
  throw Diagnosed(std::vector<Diagnostic>{
      {"", "a topology that can be made",
       fmt::format("no strongly connected digraph in {} draws of {}; {} or raise tries", tries, description, remedy)}});
}

}  // namespace lagnet
