#include "scenarios/format/kinds/topology_kinds.hpp"

#include <algorithm>
#include <utility>

#include "scenarios/json/schema.hpp"
#include "topologies/sequences/graph_sequence.hpp"

namespace lagnet {

GraphSize SequenceOptions::size() const {
  GraphSize all;
  for (const Choice<GraphFamily>& graph : graphs) {
    if (!graph.has_value()) continue;
    const GraphSize one = graph.make().size;
    all = {std::max(all.agents, one.agents), all.edges + one.edges};
  }
  return all;
}

void GossipOptions::read(const Json& value, const std::string& pointer, Diagnostics& diagnostics) {
  if (value.is_object()) {
    ObjectReader reader(value, pointer, diagnostics);
    if (const Json* file = reader.take("path"))
      read_value(*file, path, any_value(), child_pointer(pointer, "path"), diagnostics);
    else
      reader.missing("path", "the CSV file of W");
    return reader.finish();
  }
  path.clear();
  if (const auto found = read_name(value, names_of<GossipWeights>(), pointer, diagnostics))
    weights = spellings(GossipWeights{})[*found].value;
}

Json GossipOptions::write() const { return path.empty() ? Json(spelled(weights)) : Json{{"path", path.string()}}; }

Json GossipOptions::schema(SchemaBuilder&) {
  Json file = SchemaBuilder::open_object();
  add_property(file, "path", Json{{"type", "string"}}, "the CSV file of W", true);
  return Json{{"anyOf", Json::array({Json{{"enum", names_of<GossipWeights>()}}, std::move(file)})}};
}

std::string GossipOptions::type_words() { return field_type<GossipWeights>().words() + ", or object with path"; }

void GossipOptions::change_paths(Json& value, const PathChange& change) {
  if (value.is_object() && value.contains("path"))
    field_type<std::filesystem::path>().change_paths(value["path"], change);
}

bool mixes_alike(const Choice<TopologyFamily>& topology) {
  if (const auto* sequence = topology.options_as<SequenceOptions>()) return sequence->weights == TurnWeights::of_union;
  return !topology.make().sequence;
}

std::optional<std::string_view> change_of(const Choice<TopologyFamily>& topology) {
  if (topology.make().sequence) return topology.kind();
  const auto& changes = topology.common().changes;
  return changes ? std::optional(changes->kind()) : std::nullopt;
}

}  // namespace lagnet
