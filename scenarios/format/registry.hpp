#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "scenarios/assembly/metrics.hpp"
#include "scenarios/data/data_set.hpp"
#include "scenarios/data/partitions/partition.hpp"
#include "scenarios/data/preprocess.hpp"
#include "scenarios/format/availability_kinds.hpp"
#include "scenarios/format/numerics.hpp"
#include "scenarios/format/participation_kinds.hpp"
#include "scenarios/json/choice.hpp"
#include "sim/base/draws.hpp"
#include "topologies/gossip.hpp"
#include "topologies/topology.hpp"

/// Everything that a scenario can name. The catalogues stand in registry.cpp, one line an entry.
namespace lagnet {

struct LossFamily {
  static constexpr std::string_view key = "kind", called = "loss", default_kind = "squared";
  static const Catalogue<std::shared_ptr<const Loss>, const Vector&>& catalogue();  // from the labels, if known
};

struct RegularizerFamily {
  static constexpr std::string_view key = "kind", called = "regularizer", default_kind = "none";
  static const Catalogue<std::shared_ptr<const Regularizer>, const IterateShape&>&
  catalogue();  // for iterates of the shape
};

struct ConstraintFamily {
  static constexpr std::string_view key = "kind", called = "constraint", default_kind = "none";
  static const Catalogue<std::shared_ptr<const Constraint>, IterateShape>& catalogue();  // from the iterates' shape
};

struct MadeTopology;
struct ChangeContext;

struct TopologyChangeFamily {
  static constexpr std::string_view key = "kind", called = "change of topology";
  static const Catalogue<MadeTopology, const ChangeContext&>& catalogue();
};

/// The keys of every topology beside those of its kind.
struct TopologyCommon {
  std::optional<Choice<TopologyChangeFamily>> changes;
  GossipWeights gossip = GossipWeights::lazy_metropolis;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field(
        "changes", self.changes,
        "what the rounds run on where that changes, given by kind; an agent exchanges with the neighbors of the round "
        "alone, and what is sent over another link is lost; null: every round has every link; example: {\"kind\": "
        "\"random_matchings\"}");
    field("gossip", self.gossip, "how the gossip matrix W follows from the degrees, for algorithms that mix with it");
  }
};

struct TopologyFamily {
  static constexpr std::string_view key = "kind", called = "topology";
  using Common = TopologyCommon;
  static const Catalogue<Topology, std::uint64_t>& catalogue();  // from the seed
};

struct DataFamily {
  static constexpr std::string_view key = "source", called = "data source";
  using Common = PreprocessOptions;
  static const Catalogue<DataSet, const std::filesystem::path&, std::uint64_t, Numerics>&
  catalogue();  // from the base folder, seed
};

struct PartitionFamily {
  static constexpr std::string_view key = "kind", called = "partition", default_kind = "features";
  static const Catalogue<MadePartition>& catalogue();
};

/// A kind of algorithm with its options. make() throws OptionError.
struct MadeAlgorithm {
  AlgorithmTraits traits;
  std::function<std::unique_ptr<Algorithm>(MethodInput)> make;
};

struct AlgorithmFamily {
  static constexpr std::string_view key = "kind", called = "algorithm";
  static const Catalogue<MadeAlgorithm>& catalogue();
};

/// A number that may differ from link to link or agent to agent: each takes one draw.
struct DistributionFamily {
  static constexpr std::string_view key = "kind", called = "distribution", number_kind = "constant",
                                    number_key = "value";
  using Kinds = Catalogue<double, Draws>;
  static const Kinds& catalogue();
};

struct ClientsFamily {
  static constexpr std::string_view key = "kind", called = "choice of clients", default_kind = "full";
  static const Catalogue<MadeParticipation, std::uint64_t>& catalogue();  // from the seed
};

struct AvailabilityFamily {
  static constexpr std::string_view key = "kind", called = "availability";
  static const Catalogue<MadeProcess, const AvailabilityContext&>& catalogue();
};

struct MissingNeighborFamily {
  static constexpr std::string_view key = "kind", called = "missing neighbor", default_kind = "wait";
  static const Catalogue<MissingNeighbor>& catalogue();
};

/// One list of what can be named, for `lagnet list` and `lagnet describe`. Latencies and speeds may be distributions,
/// too, which their lists do not repeat. A kind may stand in two lists if it is two things ("exponential" and "trace"
/// are).
struct Listing {
  std::string_view what;  // "topologies"
  std::vector<const KindOfOptions*> kinds;
};
std::vector<Listing> listings();

}  // namespace lagnet
