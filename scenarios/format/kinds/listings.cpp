#include "scenarios/format/kinds/listings.hpp"

#include <algorithm>

#include "algorithms/compression/compressors.hpp"
#include "algorithms/compression/symmetric.hpp"
#include "algorithms/federated/aggregation/aggregation.hpp"
#include "algorithms/interface/attackers.hpp"
#include "scenarios/data/columns.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/availability_kinds.hpp"
#include "scenarios/format/kinds/claim_kinds.hpp"
#include "scenarios/format/kinds/clock_kinds.hpp"
#include "scenarios/format/kinds/data_kinds.hpp"
#include "scenarios/format/kinds/latency_kinds.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"
#include "scenarios/format/kinds/participation_kinds.hpp"
#include "scenarios/format/kinds/partition_kinds.hpp"
#include "scenarios/format/kinds/problem_kinds.hpp"
#include "scenarios/format/kinds/speed_kinds.hpp"
#include "scenarios/format/kinds/topology_kinds.hpp"

namespace lagnet {

namespace {

/// The kinds of a catalogue; `listed` are those that a list before has.
template <class Family>
Listing listing(std::string_view what, const std::vector<std::string>& listed = {}) {
  Listing list{what, {}};
  for (const auto& entry : Family::catalogue().entries())
    if (std::ranges::find(listed, entry->kind) == listed.end()) list.kinds.push_back(entry.get());
  return list;
}

}  // namespace

std::vector<Listing> listings() {
  const std::vector<std::string> drawn = DistributionFamily::catalogue().kinds();
  return {listing<AlgorithmFamily>("algorithms"),
          listing<OneOfFamily<CompressorOptions>>("compressors"),
          listing<OneOfFamily<MatrixCompressorOptions>>("matrix_compressors",
                                                        OneOfFamily<CompressorOptions>::catalogue().kinds()),
          listing<OneOfFamily<AggregationOptions>>("aggregations"),
          listing<OneOfFamily<AttackOptions>>("attacks"),
          listing<TopologyFamily>("topologies"),
          listing<TopologyChangeFamily>("topology_changes"),
          listing<LossFamily>("losses"),
          listing<RegularizerFamily>("regularizers"),
          listing<ConstraintFamily>("constraints"),
          listing<DataFamily>("data"),
          listing<OneOfFamily<ColumnRecipe>>("column_recipes"),
          listing<PartitionFamily>("partitions"),
          listing<MetricFamily>("metrics"),
          listing<ClaimFamily>("claims"),
          listing<DistributionFamily>("distributions"),
          listing<SpeedFamily>("speeds", drawn),
          listing<ClockFamily>("clocks"),
          listing<LatencyFamily>("latencies", drawn),
          listing<ClientsFamily>("clients"),
          listing<AvailabilityFamily>("availability"),
          listing<MissingNeighborFamily>("missing_neighbors")};
}

}  // namespace lagnet
