#include "scenarios/json/choice.hpp"

#include <catch2/catch.hpp>

#include "scenarios/json/fields.hpp"
#include "scenarios/json/schema.hpp"

namespace lagnet::choice_test {

namespace {

struct StarOptions {
  static constexpr std::string_view kind = "star", summary = "all around one";
  std::int64_t agents = 0;
  std::int64_t center = 0;
  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("center", self.center, "the agent in the middle", at_least(0));
  }
  void check(auto& report) const {
    if (center >= agents) report("center", "an agent below agents", center);
  }
};

struct RingOptions {
  static constexpr std::string_view kind = "ring", summary = "each has two";
  std::int64_t agents = 3;
  static void fields(auto& self, auto& field) { field("agents", self.agents, "number of agents", at_least(3)); }
};

struct LinkOptions {
  double latency_ms = 1.0;
  static void fields(auto& self, auto& field) { field("latency_ms", self.latency_ms, "of each link", at_least(0)); }
};

// The product is a text, and the context a suffix for it.
struct TopologyFamily {
  using Common = LinkOptions;
  static constexpr std::string_view key = "kind", called = "topology";
  static const Catalogue<std::string, const std::string&>& catalogue() {
    static const Catalogue<std::string, const std::string&> all(
        entry<StarOptions>([](const StarOptions& o, const std::string& end) { return std::to_string(o.center) + end; }),
        entry<RingOptions>(
            [](const RingOptions& o, const std::string& end) { return std::to_string(o.agents) + end; }));
    return all;
  }
};

struct ConstantOptions {
  static constexpr std::string_view kind = "constant", summary = "always the same";
  double value = 0.0;
  static void fields(auto& self, auto& field) { field("value", self.value, "in milliseconds", at_least(0)); }
};

struct MixtureOptions;

struct LatencyFamily {
  static constexpr std::string_view key = "kind", called = "random latency";
  static constexpr std::string_view default_kind = "constant", number_kind = "constant", number_key = "value";
  static const Catalogue<double>& catalogue();
};

struct MixtureOptions {
  static constexpr std::string_view kind = "mixture", summary = "one of several";
  std::vector<Choice<LatencyFamily>> parts;
  static void fields(auto& self, auto& field) { field("parts", self.parts, "each as likely", any_value().required()); }
};

const Catalogue<double>& LatencyFamily::catalogue() {
  static const Catalogue<double> all(
      entry<ConstantOptions>([](const ConstantOptions& o) { return o.value; }),
      entry<MixtureOptions>([](const MixtureOptions& o) { return static_cast<double>(o.parts.size()); }));
  return all;
}

struct ShapeFamily {
  static constexpr std::string_view key = "kind", called = "shape";
  static constexpr bool by_name = true;
  static const Catalogue<std::int64_t>& catalogue() {
    static const Catalogue<std::int64_t> all(entry<RingOptions>([](const RingOptions& o) { return o.agents; }),
                                             entry<StarOptions>([](const StarOptions& o) { return o.agents; }));
    return all;
  }
};

struct ShapesOptions {
  std::vector<Choice<ShapeFamily>> shapes;
  static void fields(auto& self, auto& field) { field("shapes", self.shapes, "in this order", any_value()); }
};

struct NetworkOptions {
  Choice<TopologyFamily> topology;
  Choice<LatencyFamily> latency_ms;
  std::optional<Choice<TopologyFamily>> backup;
  static void fields(auto& self, auto& field) {
    field("topology", self.topology, "who knows whom", any_value());
    field("latency_ms", self.latency_ms, "of a message", any_value());
    field("backup", self.backup, "when links fail", any_value());
  }
};

NetworkOptions read(const std::string& text, Diagnostics& problems) {
  const Json json = Json::parse(text);
  NetworkOptions options;
  ObjectReader reader(json, "", problems);
  reader.read(options);
  reader.finish();
  return options;
}

NetworkOptions read_well(const std::string& text) {
  Diagnostics problems("f");
  const NetworkOptions options = read(text, problems);
  CHECK(problems.text().empty());
  return options;
}

std::string problems_of(const std::string& text) {
  Diagnostics problems("f");
  read(text, problems);
  return problems.text();
}

}  // namespace

TEST_CASE("a choice holds a kind with its options and makes its product") {
  const auto options = read_well(R"({"topology": {"agents": 5, "latency_ms": 2, "kind": "star", "center": 4}})");
  const Choice<TopologyFamily> copy = options.topology;
  CHECK(copy.kind() == "star");
  REQUIRE(copy.options_as<StarOptions>());
  CHECK(copy.options_as<StarOptions>()->agents == 5);
  CHECK(!copy.options_as<RingOptions>());
  CHECK(copy.common().latency_ms == 2.0);
  CHECK(copy.make(std::string("!")) == "4!");
  CHECK(!options.backup);
}

TEST_CASE("a choice is written with its kind first, and reads back as the same") {
  const auto options = read_well(R"({"topology": {"kind": "star", "agents": 5}, "backup": {"kind": "ring"}})");
  const Json written = write_fields(options);
  CHECK(written.dump() ==
        R"({"topology":{"kind":"star","agents":5,"center":0,"latency_ms":1.0},)"
        R"("latency_ms":{"kind":"constant","value":0.0},"backup":{"kind":"ring","agents":3,"latency_ms":1.0}})");
  CHECK(write_fields(read_well(written.dump())) == written);
}

TEST_CASE("a choice is made from options") {
  const Choice<TopologyFamily> ring(RingOptions{.agents = 7}, LinkOptions{.latency_ms = 3});
  CHECK(ring.write().dump() == R"({"kind":"ring","agents":7,"latency_ms":3.0})");
  CHECK_THROWS_AS(Choice<TopologyFamily>(ConstantOptions{}), InternalError);
  CHECK_THROWS_AS(Choice<TopologyFamily>().kind(), InternalError);
}

TEST_CASE("a wrong kind is one problem") {
  CHECK(problems_of(R"({"topology": {"kind": "rng", "agents": "x", "other": 1}})") ==
        "f: /topology/kind: expected one of star, ring, found \"rng\"; did you mean ring?");
  CHECK(problems_of(R"({"topology": {"kind": 3}})") == "f: /topology/kind: expected one of star, ring, found 3");
  CHECK(problems_of(R"({"topology": {"agents": 3}})") ==
        "f: /topology: expected key \"kind\" (topology: one of star, ring)");
  CHECK(problems_of(R"({"topology": "star"})") ==
        "f: /topology: expected an object with key \"kind\" (topology), found \"star\"");
  CHECK(problems_of("{}") == "f: expected key \"topology\" (who knows whom)");
}

TEST_CASE("problems inside a choice are reported below its pointer") {
  CHECK(problems_of(R"({"topology": {"kind": "star", "agents": 0, "latency_ms": -1, "centre": 1}})") ==
        "f: /topology/agents: expected an integer at least 1, found 0\n"
        "f: /topology/latency_ms: expected a number at least 0, found -1\n"
        "f: /topology/centre: expected one of the keys kind, agents, center, latency_ms, found \"centre\"; "
        "did you mean center?");
  CHECK(problems_of(R"({"topology": {"kind": "star", "agents": 2, "center": 2}})") ==
        "f: /topology/center: expected an agent below agents, found 2");
}

TEST_CASE("a default kind stands for an absent choice and an absent discriminator") {
  const auto absent = read_well(R"({"topology": {"kind": "ring"}})");
  CHECK(absent.latency_ms.make() == 0.0);
  const auto partial = read_well(R"({"topology": {"kind": "ring"}, "latency_ms": {"value": 2}})");
  CHECK(partial.latency_ms.make() == 2.0);
}

TEST_CASE("a plain number stands for the kind that the tag names") {
  const auto options =
      read_well(R"({"topology": {"kind": "ring"}, "latency_ms": {"kind": "mixture", "parts": [1, 2.5]}})");
  CHECK(write_fields(options)["latency_ms"].dump() ==
        R"({"kind":"mixture","parts":[{"kind":"constant","value":1.0},{"kind":"constant","value":2.5}]})");
  CHECK(problems_of(R"({"topology": {"kind": "ring"}, "latency_ms": -3})") ==
        "f: /latency_ms: expected a number at least 0, found -3");
  CHECK(problems_of(R"({"topology": {"kind": "ring"}, "latency_ms": "x"})") ==
        "f: /latency_ms: expected a number or an object with key \"kind\" (random latency), found \"x\"");
}

TEST_CASE("a plain string means a kind with its defaults if the tag allows it") {
  const auto read_shapes = [](const std::string& text, Diagnostics& problems) {
    const Json json = Json::parse(R"({"shapes": )" + text + "}");
    ShapesOptions options;
    ObjectReader reader(json, "", problems);
    reader.read(options);
    reader.finish();
    return options;
  };
  Diagnostics problems("f");
  const ShapesOptions options = read_shapes(R"(["ring", {"kind": "ring", "agents": 4}])", problems);
  CHECK(problems.text().empty());
  CHECK(write_fields(options).dump() == R"({"shapes":[{"kind":"ring","agents":3},{"kind":"ring","agents":4}]})");
  CHECK(options.shapes[0].make() == 3);
  read_shapes(R"(["rng", "star", 7])", problems);
  CHECK(problems.text() ==
        "f: /shapes/0: expected one of ring, star, found \"rng\"; did you mean ring?\n"
        "f: /shapes/1: expected key \"agents\" (number of agents)\n"
        "f: /shapes/2: expected a name or an object with key \"kind\" (shape), found 7");
  CHECK(field_type<std::vector<Choice<ShapeFamily>>>().words() ==
        "list of shape (name, or object by kind: ring, star)");
}

TEST_CASE("a catalogue lists its kinds in the order of its lines and describes them") {
  const auto& catalogue = TopologyFamily::catalogue();
  CHECK(catalogue.kinds() == std::vector<std::string>{"star", "ring"});
  CHECK(catalogue.find("torus") == nullptr);
  REQUIRE(catalogue.find("star"));
  CHECK(catalogue.find("star")->summary == "all around one");
  const std::vector<FieldText> fields = catalogue.find("star")->describe();
  REQUIRE(fields.size() == 2);
  CHECK(fields[0].key == "agents");
  CHECK(fields[0].required);
  CHECK(Choice<TopologyFamily>::type_words() == "topology (object by kind: star, ring)");
}

TEST_CASE("a kind is registered once") {
  const auto make = [](const RingOptions&) { return 0; };
  CHECK_THROWS_AS((Catalogue<int>(entry<RingOptions>(make), entry<RingOptions>(make))), InternalError);
}

TEST_CASE("the schema of a choice has one branch per kind, kept apart under its name") {
  const Json schema = schema_of<NetworkOptions>();
  CHECK(schema["properties"]["topology"]["$ref"] == "#/$defs/topology");
  CHECK(schema["required"] == Json::array({"topology"}));
  const Json& kinds = schema["$defs"]["topology"]["oneOf"];
  REQUIRE(kinds.size() == 2);
  CHECK(
      kinds[1].dump() ==
      R"({"type":"object","additionalProperties":false,"properties":{)"
      R"("kind":{"const":"ring","description":"each has two"},)"
      R"("agents":{"type":"integer","minimum":3,"default":3,"description":"number of agents"},)"
      R"("latency_ms":{"type":"number","minimum":0,"default":1.0,"description":"of each link"}},"required":["kind"]})");
  const Json& latencies = schema["$defs"]["random_latency"]["oneOf"];
  REQUIRE(latencies.size() == 3);
  CHECK(!latencies[0].contains("required"));
  CHECK(latencies[1]["properties"]["parts"]["items"]["$ref"] == "#/$defs/random_latency");
  CHECK(latencies[2]["type"] == "number");
}

}  // namespace lagnet::choice_test
