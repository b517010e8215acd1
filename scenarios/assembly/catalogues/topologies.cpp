#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"
#include "topologies/digraphs/digraphs.hpp"
#include "topologies/generators/families.hpp"

namespace lagnet {

Topology make_topology(const OrientOptions& options, std::uint64_t seed) {
  const Topology graph = options.of.make().make(seed);
  return oriented(graph, {.one_way = options.one_way, .tries = options.tries}, seed);
}

namespace {

// One line a kind, which clang-format would fill up.
// clang-format off
/// The kinds whose links go both ways, and more.
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
      TwoLevelTreeOptions,
      EdgesOptions,
      EdgeListOptions,
      GraphmlOptions,
      More...>([](const auto& options) {
    return GraphSource{options.size(), [options](std::uint64_t seed) { return make_topology(options, seed); }};
  });
}

}  // namespace

const Catalogue<GraphSource>& GraphFamily::catalogue() {
  static const auto all = graphs_and<>();
  return all;
}

const Catalogue<GraphSource>& TopologyFamily::catalogue() {
  static const auto all = graphs_and<
      DirectedRingOptions,
      DirectedExponentialOptions,
      RandomOutOptions,
      OrientOptions,
      SequenceOptions>();
  return all;
}

// clang-format on

}  // namespace lagnet
