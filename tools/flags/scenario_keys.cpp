#include "tools/flags/scenario_keys.hpp"

#include <algorithm>
#include <boost/algorithm/string.hpp>

#include "scenarios/format/kinds/listings.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/schema.hpp"

namespace lagnet::tools {

std::vector<Section> sections() {
  constexpr std::string_view drawn = "points of a sweep that are drawn, a key of sweep";
  return {{"scenario", describe<Scenario>()},
          {"problem", describe<ProblemOptions>()},
          {"topology", describe<TopologyCommon>(), "keys of topology, beside those of its kind"},
          {"network", describe<NetworkOptions>()},
          {"compute", describe<ComputeOptions>()},
          {"participation", describe<ParticipationOptions>()},
          {"stop", describe<StopOptions>()},
          {"record", describe<RecordOptions>()},
          {"tune", describe<TuneOptions>()},
          {"claim", describe<ClaimCommon>(), "keys of every claim in expect, beside those of its kind"},
          {"panel", describe<PanelOptions>(), "keys of a panel in figure"},
          {"preprocessing", describe<PreprocessOptions>(), "keys of data, beside those of its source"},
          {"range", describe<RangeOptions>(), "a range of tune.ranges, and of random and latin_hypercube in sweep"},
          {"random", describe<DrawnPointsOptions>(), drawn},
          {"latin_hypercube", describe<DrawnPointsOptions>(), drawn}};
}

const std::map<std::string, std::string>& keys_with_kinds() {
  static const std::map<std::string, std::string> keys{{"data", "data"},
                                                       {"partition", "partitions"},
                                                       {"algorithm", "algorithms"},
                                                       {"loss", "losses"},
                                                       {"regularizer", "regularizers"},
                                                       {"constraint", "constraints"},
                                                       {"clients", "clients"},
                                                       {"availability", "availability"},
                                                       {"missing_neighbor", "missing_neighbors"},
                                                       {"changes", "topology_changes"},
                                                       {"metrics", "metrics"},
                                                       {"expect", "claims"}};
  return keys;
}

namespace {

/// The key has this name, or its part after a dot or a bracket.
bool is_called(const FieldText& field, const std::string& key) {
  return field.key == key || field.key.ends_with("." + key);
}

void add(const FieldText& field, const std::string& owner, std::vector<FoundKey>& found) {
  const auto is_same = [&](const FoundKey& other) {
    return other.field.key == field.key && other.field.description == field.description;
  };
  auto at = std::ranges::find_if(found, is_same);
  if (at == found.end()) at = found.insert(found.end(), FoundKey{field, {}});
  at->owners.push_back(owner);
}

}  // namespace

std::vector<FoundKey> keys_called(std::string name) {
  boost::replace_all(name, "/", ".");
  boost::trim_left_if(name, boost::is_any_of("."));
  const std::size_t dot = name.find('.');
  // Of "network.latency_ms" the first part is whose key it is.
  const std::string owner = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string key = dot == std::string::npos ? name : name.substr(dot + 1);
  const auto owner_kinds = keys_with_kinds().find(owner);
  const std::string what = owner == "topology"                      ? "topologies"
                           : owner_kinds == keys_with_kinds().end() ? ""
                                                                    : owner_kinds->second;
  std::vector<FoundKey> found;
  for (const Section& section : sections())
    if (owner.empty() ? section.name != "scenario" : section.name == owner)  // which has those of all sections
      for (const FieldText& field : section.fields)
        if (is_called(field, key)) add(field, section.name, found);
  for (const Listing& listing : listings())
    if (owner.empty() || what == listing.what)
      for (const KindOfOptions* kind : listing.kinds)
        for (const FieldText& field : kind->describe())
          if (is_called(field, key)) add(field, std::string(kind->kind), found);
  return found;
}

std::string name_for_word(const std::string& word) {
  static const std::map<std::string, std::string> words{
      {"bandwidth", "network"},       {"bits", "network"},           {"churn", "participation"},
      {"deadline", "participation"},  {"delay", "network"},          {"dropout", "participation"},
      {"dropouts", "participation"},  {"failures", "participation"}, {"graph", "topology"},
      {"heterogeneity", "dirichlet"}, {"interface", "network"},      {"iid", "partition"},
      {"latency", "network"},         {"learning_rate", "step"},     {"non_iid", "dirichlet"},
      {"packet_loss", "network"},     {"speed", "compute"},          {"stepsize", "step"},
      {"step_size", "step"},          {"stragglers", "compute"},     {"tolerance", "stop"}};
  const auto found = words.find(word);
  return found == words.end() ? "" : found->second;
}

}  // namespace lagnet::tools
