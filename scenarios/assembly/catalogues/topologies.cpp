#include "scenarios/format/kinds/topology_kinds.hpp"
#include "topologies/generators/families.hpp"

namespace lagnet {

// One line a kind, which clang-format would fill up.
// clang-format off
const Catalogue<GraphSource>& TopologyFamily::catalogue() {
  static const auto all = Catalogue<GraphSource>::of<
      CompleteOptions,
      StarOptions,
      RingOptions,
      PathOptions,
      LatticeOptions,
      ErdosRenyiOptions,
      RandomGeometricOptions,
      RandomRegularOptions,
      WattsStrogatzOptions,
      BarabasiAlbertOptions,
      ExponentialOptions,
      HypercubeOptions,
      BinaryTreeOptions,
      BarbellOptions,
      TwoLevelClusterOptions,
      EdgesOptions,
      EdgeListOptions,
      GraphmlOptions>([](const auto& options) {
    return GraphSource{options.size(), [options](std::uint64_t seed) { return make_topology(options, seed); }};
  });
  return all;
}
// clang-format on

}  // namespace lagnet
