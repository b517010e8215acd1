#include "scenarios/json/fields.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <limits>

#include "scenarios/json/schema.hpp"

namespace lagnet::fields_test {

namespace {

enum class Sharing { none, fifo, fair };
constexpr auto spellings(Sharing) {
  return std::array{Spelling{Sharing::none, "none"}, Spelling{Sharing::fifo, "fifo"}, Spelling{Sharing::fair, "fair"}};
}

struct StragglerOptions {
  double probability = 0.25;
  double slowdown = 10.0;
  static void fields(auto& self, auto& field) {
    field("probability", self.probability, "of being slow", within(0, 1));
    field("slowdown", self.slowdown, "factor", above(1));
  }
};

struct SampleOptions {
  std::int64_t agents = 0;
  std::int64_t center = 0;
  std::uint64_t seed = 1;
  double latency_ms = 0.5;
  bool trace = false;
  std::string name = "unnamed";
  Sharing sharing = Sharing::fifo;
  StragglerOptions straggler{.slowdown = 3.0};
  std::optional<double> deadline_s;
  std::vector<double> speeds{1.0, 2.0};
  std::optional<std::vector<StragglerOptions>> groups;
  Json extra;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("center", self.center, "the agent in the middle", at_least(0));
    field("seed", self.seed, "of all random numbers", any_value());
    field("latency_ms", self.latency_ms, "of each link", at_least(0));
    field("trace", self.trace, "whether events are written");
    field("name", self.name, "for people");
    field("sharing", self.sharing, "how messages share a link");
    field("straggler", self.straggler, "slow agents");
    field("deadline_s", self.deadline_s, "of a round; none by default", above(0));
    field("speeds", self.speeds, "of the agents", above(0));
    field("groups", self.groups, "of slow agents");
    field("extra", self.extra, "anything");
  }
  void check(auto& report) const {
    if (center >= agents) report("center", "an agent below agents", center);
    if (speeds.empty()) report("speeds", "some speed", "none");
    if (name.empty()) report("", "a name");
  }
};

template <class Options>
Options read(const Json& json, Diagnostics& problems) {
  Options options;
  ObjectReader reader(json, "/p", problems);
  reader.read(options);
  reader.finish();
  return options;
}

std::string problems_of(const std::string& text) {
  Diagnostics problems("f");
  read<SampleOptions>(Json::parse(text), problems);
  return problems.text();
}

SampleOptions read_well(const std::string& text) {
  Diagnostics problems("f");
  const auto options = read<SampleOptions>(Json::parse(text), problems);
  CHECK(problems.text().empty());
  return options;
}

}  // namespace

TEST_CASE("absent keys leave the defaults") {
  const SampleOptions options = read_well(R"({"agents": 4})");
  CHECK(options.agents == 4);
  CHECK(options.straggler.slowdown == 3.0);
  CHECK(options.speeds == std::vector<double>{1.0, 2.0});
  CHECK(!options.deadline_s);
}

TEST_CASE("every type of field is read") {
  const SampleOptions options = read_well(R"({"agents": 4, "center": 3, "seed": 18446744073709551615, "latency_ms": 2,
    "trace": true, "name": "x", "sharing": "fair", "straggler": {"probability": 1}, "deadline_s": 1.5, "speeds": [3],
    "groups": [{"slowdown": 2}, {}], "extra": {"any": [null]}})");
  CHECK(options.center == 3);
  CHECK(options.seed == std::numeric_limits<std::uint64_t>::max());
  CHECK(options.latency_ms == 2.0);
  CHECK(options.trace);
  CHECK(options.name == "x");
  CHECK(options.sharing == Sharing::fair);
  CHECK(options.straggler.probability == 1.0);
  CHECK(options.straggler.slowdown == 3.0);  // the default that the parent gives
  CHECK(options.deadline_s == 1.5);
  CHECK(options.speeds == std::vector<double>{3.0});
  REQUIRE(options.groups);
  CHECK(options.groups->size() == 2);
  CHECK(options.groups->at(0).slowdown == 2.0);
  CHECK(options.groups->at(1).slowdown == 10.0);
  CHECK(options.extra == Json::parse(R"({"any": [null]})"));
}

TEST_CASE("written options read back as the same options") {
  const SampleOptions options =
      read_well(R"({"agents": 4, "deadline_s": 0.1, "groups": [{}], "seed": 9007199254740993})");
  const Json written = write_fields(options);
  CHECK(written.dump() ==
        R"({"agents":4,"center":0,"seed":9007199254740993,"latency_ms":0.5,"trace":false,"name":"unnamed",)"
        R"("sharing":"fifo","straggler":{"probability":0.25,"slowdown":3.0},"deadline_s":0.1,"speeds":[1.0,2.0],)"
        R"("groups":[{"probability":0.25,"slowdown":10.0}],"extra":null})");
  CHECK(write_fields(read_well(written.dump())) == written);
  const Json defaults = write_fields(read_well(R"({"agents": 1})"));
  CHECK(defaults["deadline_s"].is_null());
  CHECK(write_fields(read_well(defaults.dump())) == defaults);
}

TEST_CASE("all problems are found at once, in the order of the fields") {
  CHECK(problems_of(R"({"agents": "four", "latency_ms": -1, "straggler": {"probability": 2, "slow": 3}, "trace": 1,
                        "speeds": [1, "x", -2], "unheard_of": 4})") ==
        "f: /p/agents: expected an integer at least 1, found \"four\"\n"
        "f: /p/latency_ms: expected a number at least 0, found -1\n"
        "f: /p/trace: expected true or false, found 1\n"
        "f: /p/straggler/probability: expected a number from 0 to 1, found 2\n"
        "f: /p/straggler/slow: expected one of the keys probability, slowdown, found \"slow\"; did "
        "you mean slowdown?\n"
        "f: /p/speeds/1: expected a number above 0, found \"x\"\n"
        "f: /p/speeds/2: expected a number above 0, found -2\n"
        "f: /p/unheard_of: expected one of the keys agents, center, seed, latency_ms, trace, name, sharing, straggler, "
        "deadline_s, speeds, groups, extra, found \"unheard_of\"");
}

TEST_CASE("integers may be written with an exponent, and must be whole and fit") {
  CHECK(read_well(R"({"agents": 1e3})").agents == 1000);
  CHECK(read_well(R"({"agents": 4.0})").agents == 4);
  CHECK(problems_of(R"({"agents": 4.5})") == "f: /p/agents: expected an integer at least 1, found 4.5");
  CHECK(problems_of(R"({"agents": 1e17})") == "f: /p/agents: expected an integer at least 1, found 1e+17");
  CHECK(problems_of(R"({"agents": 1, "seed": -1e3})") == "f: /p/seed: expected an integer at least 0, found -1000.0");
  CHECK(problems_of(R"({"agents": 0})") == "f: /p/agents: expected an integer at least 1, found 0");
  CHECK(problems_of(R"({"agents": 9223372036854775808})") ==
        "f: /p/agents: expected an integer at least 1, found 9223372036854775808");
  CHECK(problems_of(R"({"agents": 1, "seed": -1})") == "f: /p/seed: expected an integer at least 0, found -1");
  CHECK(problems_of(R"({"agents": null})") == "f: /p/agents: expected an integer at least 1, found null");
  CHECK(read_well(R"({"agents": 9223372036854775807})").agents == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("names of enumerators are suggested") {
  CHECK(problems_of(R"({"agents": 1, "sharing": "fiar"})") ==
        "f: /p/sharing: expected one of none, fifo, fair, found \"fiar\"; did you mean fair?");
  CHECK(problems_of(R"({"agents": 1, "sharing": 3})") == "f: /p/sharing: expected one of none, fifo, fair, found 3");
}

TEST_CASE("a missing required key and the key that was meant are both reported") {
  Diagnostics problems("f");
  read<StragglerOptions>(Json::parse(R"({"probabilty": 1, "slowdown": 2})"), problems);
  CHECK(problems.text() ==
        "f: /p/probabilty: expected one of the keys probability, slowdown, found \"probabilty\"; "
        "did you mean probability?");
  CHECK(problems_of("{}") == "f: /p: expected key \"agents\" (number of agents)");
}

TEST_CASE("a check speaks only about a struct that was read without a problem") {
  CHECK(problems_of(R"({"agents": 2, "center": 2, "speeds": [], "name": ""})") ==
        "f: /p/center: expected an agent below agents, found 2\n"
        "f: /p/speeds: expected some speed, found none\n"
        "f: /p: expected a name");
  CHECK(problems_of(R"({"agents": 0, "center": 2})") == "f: /p/agents: expected an integer at least 1, found 0");
}

TEST_CASE("a wrong JSON type is one problem") {
  CHECK(problems_of("[1]") == "f: /p: expected an object, found [1]");
  CHECK(problems_of(R"({"agents": 1, "straggler": 3})") == "f: /p/straggler: expected an object, found 3");
  CHECK(problems_of(R"({"agents": 1, "straggler": null})") == "f: /p/straggler: expected an object, found null");
  CHECK(problems_of(R"({"agents": 1, "groups": {}})") == "f: /p/groups: expected a list, found {}");
  CHECK(problems_of(R"({"agents": 1, "name": []})") == "f: /p/name: expected a string, found []");
}

TEST_CASE("several structs are read from one object, each key by one of them") {
  const Json json = Json::parse(R"({"probability": 0.5, "agents": 3, "typo": 1})");
  Diagnostics problems("f");
  StragglerOptions straggler;
  SampleOptions sample;
  ObjectReader reader(json, "", problems);
  reader.read(straggler);
  reader.read(sample);
  REQUIRE(reader.take("typo"));
  reader.finish();
  CHECK(problems.text().empty());
  CHECK(straggler.probability == 0.5);
  CHECK(sample.agents == 3);
  CHECK_THROWS_AS(reader.read(straggler), InternalError);
}

TEST_CASE("a struct with a required field is required itself") {
  const StructType &sample = struct_type<SampleOptions>(), &straggler = struct_type<StragglerOptions>();
  CHECK(sample.must_be_given(sample.initial()));
  CHECK(!straggler.must_be_given(straggler.initial()));
  CHECK(Field{"straggler", straggler.initial(), "", any_value().required(), &straggler}.must_be_given());
}

namespace {

struct StepOptions {
  std::optional<double> step;
  static void fields(auto& self, auto& field) { field("step", self.step, "size", above(0).or_word("theory")); }
};

}  // namespace

TEST_CASE("a word may stand for null, is written for it, and is in the expected values") {
  const auto read = [](const char* text) {
    StepOptions options{.step = 7};
    Diagnostics problems("f.json");
    read_value(Json::parse(text), options, {}, "", problems);
    return problems.empty() ? write_fields(options).dump() : problems.text();
  };
  CHECK(read(R"({"step": "theory"})") == R"({"step":"theory"})");
  CHECK(read(R"({"step": null})") == R"({"step":"theory"})");
  CHECK(read(R"({"step": 0.5})") == R"({"step":0.5})");
  CHECK(read(R"({"step": "theorie"})") == "f.json: /step: expected a number above 0, or theory, found \"theorie\"");
  CHECK(schema_of<StepOptions>()["properties"]["step"]["anyOf"] ==
        Json::parse(R"([{"type": ["number", "null"], "exclusiveMinimum": 0}, {"const": "theory"}])"));
  CHECK(schema_of<StepOptions>()["properties"]["step"]["default"] == "theory");
}

TEST_CASE("a number that JSON cannot hold is not written") {
  StragglerOptions options;
  options.slowdown = std::numeric_limits<double>::infinity();
  CHECK_THROWS_AS(write_fields(options), InternalError);
}

}  // namespace lagnet::fields_test
