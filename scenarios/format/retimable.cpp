#include "scenarios/format/retimable.hpp"

#include <fmt/format.h>

#include <utility>

namespace lagnet {

namespace {

/// A condition under which values depend on time, the key that sets it, and why.
struct Dependence {
  bool is_there;
  std::string key, why;
};

}  // namespace

std::vector<std::string> why_values_depend_on_time(const SetFeatures& features) {
  std::vector<std::string> reasons;
  for (const SetFeature& one : features.list) {
    if (!one.effects().keep_values()) reasons.push_back(fmt::format("{}: {}", one.key, one.reason(one.declared.why)));
    if (one.effects().losses == Losses::unless_sent_again && !features.are_losses_repaired)
      reasons.push_back(one.key +
                        ": a message that is lost for good changes what its receiver computes; network.retransmit "
                        "sends it again");
  }
  return reasons;
}

std::vector<std::string> why_not_retimable(const Scenario& scenario) {
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
  };
  std::vector<std::string> reasons;
  for (const auto& [is_there, key, why] : dependences)
    if (is_there) reasons.push_back(fmt::format("{}: {}", key, why));
  for (std::string& reason : why_values_depend_on_time(set_features(scenario))) reasons.push_back(std::move(reason));
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
