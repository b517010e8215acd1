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

inline constexpr Purpose topology_purpose{"topology"};

/// One draw from a random family.
struct DrawnGraph {
  std::vector<Edge> edges;
  std::vector<Point> positions;
};

/// Draws graphs until one is connected: `draw(Draws&)` gives a DrawnGraph, and attempt k has the numbers of round k of
/// the purpose "topology", so that a rejected draw never shifts the numbers of the next. After `attempts` disconnected
/// draws throws Diagnosed that names the graph (`description`: the family and its parameters) and what to raise.
template <class Draw>
Topology draw_until_connected(std::int64_t agents, std::int64_t attempts, std::uint64_t seed,
                              const std::string& description, std::string_view parameter, Draw draw) {
  for (std::int64_t attempt = 0; attempt < attempts; ++attempt) {
    Draws draws(seed, topology_purpose, 0, attempt);
    DrawnGraph drawn = draw(draws);
    Topology topology(agents, std::move(drawn.edges), std::move(drawn.positions), attempt + 1);
    if (topology.connected()) return topology;
  }
  throw Diagnosed(std::vector<Diagnostic>{
      {"", "a topology that can be made",
       fmt::format("no connected graph in {} draws of {}; raise {} or attempts", attempts, description, parameter)}});
}

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
