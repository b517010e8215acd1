#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"
#include "topologies/digraphs/digraphs.hpp"
#include "topologies/generators/families.hpp"
#include "topologies/sequences/sequences.hpp"

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
    GraphSource source{options.size(), [options](std::uint64_t seed) { return make_topology(options, seed); }};
    if constexpr (requires(Diagnostics& diagnostics) { make_sequence(options, std::uint64_t{}, diagnostics); })
      source.sequence = [options](std::uint64_t seed, Diagnostics& diagnostics) {
        return make_sequence(options, seed, diagnostics);
      };
    else if constexpr (requires { make_sequence(options); })
      source.sequence = [options](std::uint64_t, Diagnostics&) { return make_sequence(options); };
    return source;
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
      OnePeerExponentialOptions,
      HypercubeMatchingsOptions,
      BaseGraphOptions,
      EpidemicOptions,
      SequenceOptions>();
  return all;
}

// clang-format on

}  // namespace lagnet
