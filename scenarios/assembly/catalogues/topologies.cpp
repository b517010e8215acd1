#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"
#include "topologies/generators/families.hpp"

namespace lagnet {

namespace {

/// The kinds of graphs, and more kinds after them.
// One line a kind, which clang-format would fill up.
// clang-format off
template <class... More>
Catalogue<GraphSource> graphs_and() {
  return Catalogue<GraphSource>::of<
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
      GraphmlOptions,
      More...>([](const auto& options) {
    return GraphSource{options.size(), [options](std::uint64_t seed) { return make_topology(options, seed); }};
  });
}
// clang-format on

}  // namespace

const Catalogue<GraphSource>& GraphFamily::catalogue() {
  static const auto all = graphs_and<>();
  return all;
}

const Catalogue<GraphSource>& TopologyFamily::catalogue() {
  static const auto all = graphs_and<SequenceOptions>();
  return all;
}

}  // namespace lagnet
