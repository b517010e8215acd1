#include "scenarios/format/retimable.hpp"

#include <fmt/format.h>

namespace lagnet {

namespace {

/// A condition under which values depend on time, the key that sets it, and why.
struct Dependence {
  bool is_there;
  std::string key, why;
};

}  // namespace

std::vector<std::string> why_not_retimable(const Scenario& scenario) {
  const NetworkOptions& network = scenario.network;
  const ParticipationOptions& participation = scenario.participation;
  const auto& changes = scenario.topology.common().changes;
  constexpr const char* lost =
      "a message that is lost for good changes what its receiver computes; network.retransmit sends it again";
  const auto loses = [&](const char* key, bool is_there) {
    return Dependence{is_there && !network.retransmit, key, lost};
  };
  const AlgorithmTraits traits = scenario.algorithm.make().traits;
  const bool is_known_once_run = !traits.timing_needs.empty();  // from numbers, in the options' place
  const Dependence dependences[]{
      {scenario.timing_only(), "numerics", "where they are off there are no values to keep"},
      {!scenario.offers_timing() && !is_known_once_run, "algorithm.kind",
       fmt::format("{} does or sends what depends on its numbers, so that its events cannot run without them",
                   scenario.algorithm.kind())},
      {traits.depends_on_order, "algorithm.kind",
       fmt::format("{} computes what depends on when messages come", scenario.algorithm.kind())},
      {scenario.record.every_s.has_value(), "record.every_s", "which state of an agent a row has is a matter of time"},
      {scenario.record.every_updates.has_value(), "record.every_updates",
       "which state of an agent a row has is a matter of time"},
      {network.index_bytes.has_value(), "network.index_bytes", "sizes of messages depend on which numbers are zero"},
      loses("network.loss_probability", network.loss_probability > 0),
      loses("network.burst_loss", network.burst_loss.has_value()),
      loses("network.partitions", !network.partitions.empty()),
      loses("network.outages", !network.outages.empty()),
      {changes && changes->options_as<GraphsOptions>(), "topology.changes",
       "which graph a round runs on is a matter of time"},
      {participation.deadline_ms.has_value(), "participation.deadline_ms",
       "who answers before the deadline is a matter of time"},
      {participation.enough.has_value(), "participation.enough", "who answers first is a matter of time"},
      {!participation.availability.empty(), "participation.availability",
       "which round agents are away in is a matter of time"},
      {!participation.missing_neighbor.options_as<WaitOptions>(), "participation.missing_neighbor",
       "which neighbors are gone on without is a matter of time"},
  };
  std::vector<std::string> reasons;
  for (const auto& [is_there, key, why] : dependences)
    if (is_there) reasons.push_back(fmt::format("{}: {}", key, why));
  return reasons;
}

Json what_decides_values(const Scenario& scenario) {
  Json document = circumstances(write_fields(scenario));
  document["seed"] = scenario.seed;
  document.erase("network");
  document.erase("compute");
  if (scenario.algorithm.make().traits.records_cipher_times)
    document["encryption"] = write_fields(scenario.compute.encryption);
  return document;
}

}  // namespace lagnet
