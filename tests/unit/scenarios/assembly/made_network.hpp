#pragma once

#include <string>

#include "scenarios/assembly/make_network.hpp"
#include "topologies/topology.hpp"

namespace lagnet::test {

/// Three agents, each linked with each.
inline const Topology triangle(3, {{0, 1}, {0, 2}, {1, 2}});

/// The network that a section "network" describes, whose paths are as they stand.
inline Network made(const std::string& section, const Topology& topology = triangle) {
  Diagnostics problems("s.json");
  const Json document = Json::parse(section);
  NetworkOptions options;
  ObjectReader reader(document, "/network", problems);
  reader.read(options);
  reader.finish();
  problems.throw_if_any();
  return make_network(topology, options, 1, "s.json");
}

}  // namespace lagnet::test
