#include "scenarios/format/kinds/topology_kinds.hpp"
#include "topologies/generators/families.hpp"

namespace lagnet {

namespace {

template <class Options>
auto topology_line() {
  return entry<Options>([](const Options& options, std::uint64_t seed) { return make_topology(options, seed); });
}

}  // namespace

// One line an entry, which clang-format would fill up.
// clang-format off
const Catalogue<Topology, std::uint64_t>& TopologyFamily::catalogue() {
  static const Catalogue<Topology, std::uint64_t> all(
      topology_line<CompleteOptions>(),
      topology_line<StarOptions>(),
      topology_line<RingOptions>(),
      topology_line<PathOptions>(),
      topology_line<LatticeOptions>(),
      topology_line<ErdosRenyiOptions>(),
      topology_line<RandomGeometricOptions>(),
      topology_line<RandomRegularOptions>(),
      topology_line<WattsStrogatzOptions>(),
      topology_line<BarabasiAlbertOptions>(),
      topology_line<ExponentialOptions>(),
      topology_line<HypercubeOptions>(),
      topology_line<BinaryTreeOptions>(),
      topology_line<BarbellOptions>(),
      topology_line<TwoLevelClusterOptions>(),
      topology_line<EdgeListOptions>(),
      topology_line<GraphmlOptions>());
  return all;
}
// clang-format on

}  // namespace lagnet
