#include "tools/cli/completion/key_candidates.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace completion_key_candidates {

using namespace lagnet;
using namespace lagnet::tools;

using Words = std::vector<std::string>;

const Json schema = Json::parse(R"({
  "properties": {
    "name": {"type": "string", "description": "what it is called"},
    "topology": {"$ref": "#/$defs/topology", "description": "who knows whom"},
    "network": {"type": "object", "properties": {
      "delay": {"oneOf": [{"type": "number"}, {"$ref": "#/$defs/drawn"}]},
      "bursts": {"anyOf": [{"type": "object", "properties": {"enter": {"type": "number"}}}, {"type": "null"}]},
      "sharing": {"enum": ["none", "fifo", null]},
      "symmetric": {"type": "boolean"},
      "links": {"type": "array", "items": {"type": "object", "properties": {"from": {"type": "integer"}}}}}}},
  "$defs": {
    "drawn": {"type": "object", "properties": {"kind": {"const": "uniform"}, "low": {"type": "number"}}},
    "topology": {"oneOf": [
      {"type": "object", "properties": {"kind": {"const": "ring", "description": "a circle"}, "agents": {}}},
      {"type": "object", "properties": {"kind": {"const": "grid"}, "rows": {}, "agents": {}}}]}}})");

Words texts(const std::string& word, KeyForm form = KeyForm::value, const Json& scenario = Json::object()) {
  Words found;
  for (const Candidate& one : key_candidates(schema, scenario, word, form)) found.push_back(one.text);
  return found;
}

TEST_CASE("sections go on and keys with a value end with an equals sign") {
  CHECK(texts("") == Words{"name=", "topology.", "network."});
  CHECK(texts("/to") == Words{"/name=", "/topology/", "/network/"});
  CHECK(texts("network.") ==
        Words{"network.delay=", "network.bursts.", "network.sharing=", "network.symmetric=", "network.links="});
  CHECK(texts("network/b").at(1) == "network/bursts/");
  CHECK(texts("network.bursts.") == Words{"network.bursts.enter="});
  CHECK(texts("", KeyForm::key) == Words{"name", "topology.", "network."});
  CHECK(key_candidates(schema, Json::object(), "/", KeyForm::value)[1].summary == "who knows whom");
}

TEST_CASE("one goes down into a drawn number and into a list's element") {
  CHECK(texts("/network/delay/") == Words{"/network/delay/kind=", "/network/delay/low="});
  CHECK(texts("/network/links/0/") == Words{"/network/links/0/from="});
  CHECK(texts("/network/links/-/") == Words{"/network/links/-/from="});
  CHECK(texts("/network/none/").empty());
  CHECK(texts("/name/").empty());
}

TEST_CASE("keys are those of the kind that a scenario has or else of all kinds") {
  CHECK(texts("topology.") == Words{"topology.kind=", "topology.agents=", "topology.rows="});
  const Json ring{{"topology", {{"kind", "ring"}}}};
  CHECK(texts("topology.", KeyForm::value, ring) == Words{"topology.kind=", "topology.agents="});
  CHECK(texts("topology.", KeyForm::value, {{"topology", {{"kind", "unknown"}}}}).size() == 3);
  CHECK(texts("topology.kind=", KeyForm::value, ring) == Words{"topology.kind=ring", "topology.kind=grid"});
}

TEST_CASE("values are those of fixed sets and each of a list is completed") {
  CHECK(texts("/topology/kind=") == Words{"/topology/kind=ring", "/topology/kind=grid"});
  CHECK(key_candidates(schema, Json::object(), "/topology/kind=", KeyForm::value)[0].summary == "a circle");
  CHECK(texts("network.symmetric=t") == Words{"network.symmetric=false", "network.symmetric=true"});
  CHECK(texts("network.sharing=") == Words{"network.sharing=none", "network.sharing=fifo", "network.sharing=null"});
  CHECK(texts("topology.kind=ring,g", KeyForm::values) == Words{"topology.kind=ring,ring", "topology.kind=ring,grid"});
  CHECK(texts("name=").empty());
  CHECK(texts("topology.kind=", KeyForm::key).empty());
}

}  // namespace completion_key_candidates
