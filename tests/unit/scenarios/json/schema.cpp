#include "scenarios/json/schema.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "scenarios/json/choice.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/base/draws.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::schema_test {

namespace {

enum class Mode { slow, fast };
constexpr auto spellings(Mode) { return std::array{Spelling{Mode::slow, "slow"}, Spelling{Mode::fast, "fast"}}; }

struct PartOptions {
  double share = 0.5;
  std::optional<std::int64_t> count{};
  static void fields(auto& self, auto& field) {
    field("share", self.share, "of the whole", above(0));
    field("count", self.count, "of pieces", within(1, 9));
  }
};

struct FirstOptions {
  static constexpr std::string_view kind = "first", summary = "one number";
  std::int64_t size = 0;
  static void fields(auto& self, auto& field) { field("size", self.size, "in bytes", at_least(1).required()); }
};

struct SecondOptions {
  static constexpr std::string_view kind = "second", summary = "nothing to set";
  static void fields(auto&, auto&) {}
};

struct ThingFamily {
  using Common = PartOptions;
  static constexpr std::string_view key = "kind", called = "thing";
  static const Catalogue<int>& catalogue() {
    static const Catalogue<int> all(entry<FirstOptions>([](const FirstOptions&) { return 1; }),
                                    entry<SecondOptions>([](const SecondOptions&) { return 2; }));
    return all;
  }
};

struct AmountOptions {
  static constexpr std::string_view kind = "amount", summary = "a plain number";
  double value = 0.0;
  static void fields(auto& self, auto& field) { field("value", self.value, "how much", at_least(0)); }
};

struct AmountFamily {
  static constexpr std::string_view key = "kind", called = "amount";
  static constexpr std::string_view default_kind = "amount", number_kind = "amount", number_key = "value";
  static const Catalogue<double>& catalogue() {
    static const Catalogue<double> all(entry<AmountOptions>([](const AmountOptions& o) { return o.value; }),
                                       entry<SecondOptions>([](const SecondOptions&) { return 0.0; }));
    return all;
  }
};

struct TreeOptions {
  std::int64_t agents = 0;
  std::uint64_t seed = 1;
  double rate = 0.5;
  bool trace = false;
  std::string name = "x";
  Mode mode = Mode::slow;
  PartOptions part{.share = 0.25};
  std::optional<double> deadline_s;
  std::optional<Mode> backup_mode;
  std::optional<PartOptions> backup;
  std::vector<double> speeds{1.5};
  std::vector<PartOptions> parts;
  Json extra = Json::object();
  Choice<ThingFamily> thing{SecondOptions{}};
  std::optional<Choice<ThingFamily>> other;
  Choice<AmountFamily> amount;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("seed", self.seed, "of all draws");
    field("rate", self.rate, "per round", Limits{.low = 0, .high = 1, .low_excluded = true, .high_excluded = true});
    field("trace", self.trace, "on or off");
    field("name", self.name, "for people");
    field("mode", self.mode, "how");
    field("part", self.part, "of it");
    field("deadline_s", self.deadline_s, "of a round", above(0));
    field("backup_mode", self.backup_mode, "how, next time");
    field("backup", self.backup, "of it, next time");
    field("speeds", self.speeds, "of agents", at_least(0.5));
    field("parts", self.parts, "of it all");
    field("extra", self.extra, "anything");
    field("thing", self.thing, "which");
    field("other", self.other, "which else");
    field("amount", self.amount, "how much");
  }
};

bool reader_accepts(const Json& document) {
  Diagnostics problems("document");
  TreeOptions options;
  ObjectReader reader(document, "", problems);
  reader.read(options);
  reader.finish();
  return problems.empty();
}

/// Every place of a document, itself included.
void collect(const Json& value, const std::string& pointer, std::vector<std::string>& pointers) {
  pointers.push_back(pointer);
  if (value.is_object())
    for (const auto& [key, member] : value.items()) collect(member, child_pointer(pointer, key), pointers);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], pointer + "/" + std::to_string(i), pointers);
}

/// A document that says all, with up to three random changes: a value replaced, a key removed or added.
Json random_document(Draws& draws) {
  static const Json good = Json::parse(R"({
    "agents": 4, "seed": 7, "rate": 0.25, "trace": true, "name": "y", "mode": "fast", "part": {"share": 2, "count": 3},
    "deadline_s": 1.5, "backup_mode": "slow", "backup": {"share": 1, "count": null}, "speeds": [1, 2.5],
    "parts": [{"share": 0.5, "count": 1}, {}], "extra": {"a": [1]}, "thing": {"kind": "first", "size": 3, "share": 1},
    "other": {"kind": "second", "count": 2}, "amount": {"kind": "amount", "value": 2}})");
  // No float here is whole, and no integer beyond 64 bits or between two doubles: there a schema cannot follow the
  // reader (scenarios/json/schema.hpp).
  static const Json values =
      Json::parse(R"([null, true, false, -1, 0, 1, 5, 10, 0.25, -2.5, 1.5, "x", "fast", "first", "second",
    "amount", [], [1], [0.25], ["x"], {}, {"share": 1}, {"kind": "first"}, {"kind": "first", "size": 1},
    {"kind": "second"}, {"value": 3}, [{}], [{"count": 0}], 9007199254740994])");
  Json document = good;
  for (std::uint64_t changes = draws.below(4); changes > 0; --changes) {
    std::vector<std::string> pointers;
    collect(document, "", pointers);
    const Json::json_pointer where(pointers[draws.below(pointers.size())]);
    const auto action = draws.below(4);
    if (action == 0 && document[where].is_object())
      document[where]["unknown"] = 1;
    else if (action == 1 && !where.empty() && document[where.parent_pointer()].is_object())
      document[where.parent_pointer()].erase(where.back());
    else
      document[where] = values[draws.below(values.size())];
  }
  return document;
}

/// The verdicts of python3-jsonschema on the documents, as a string of 0 and 1.
std::string jsonschema_verdicts(const Json& schema, const Json& documents) {
  const TestFolder test_folder;
  const std::filesystem::path& folder = test_folder.path();
  std::ofstream(folder / "in.json") << Json{{"schema", schema}, {"documents", documents}};
  std::ofstream(folder / "judge.py") << "import json, sys\n"
                                        "from jsonschema import Draft202012Validator as Validator\n"
                                        "given = json.load(open(sys.argv[1]))\n"
                                        "Validator.check_schema(given['schema'])\n"
                                        "judge = Validator(given['schema'])\n"
                                        "print(''.join('01'[judge.is_valid(d)] for d in given['documents']))\n";
  const std::string base = "'" + folder.string() + "/";
  const std::string command = "python3 " + base + "judge.py' " + base + "in.json' > " + base + "out.txt'";
  INFO("this test needs python3 with jsonschema 4 or newer (python3-jsonschema)");
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream out(folder / "out.txt");
  std::string verdicts;
  out >> verdicts;
  return verdicts;
}

}  // namespace

TEST_CASE("the reader and the schema accept and refuse the same documents") {
  constexpr std::size_t count = 2000;
  Draws draws(1, Purpose("documents"));
  Json documents = Json::array();
  std::string expected;
  for (std::size_t i = 0; i < count; ++i) {
    documents.push_back(random_document(draws));
    expected += reader_accepts(documents.back()) ? '1' : '0';
  }
  const auto accepted = std::count(expected.begin(), expected.end(), '1');
  CHECK(accepted > 400);  // about a quarter is left unchanged, so that both verdicts are tested
  CHECK(accepted < 1600);
  const std::string verdicts = jsonschema_verdicts(schema_of<TreeOptions>(), documents);
  REQUIRE(verdicts.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    INFO(documents[i].dump());
    REQUIRE(verdicts[i] == expected[i]);
  }
}

TEST_CASE("the schema accepts what the writer writes") {
  TreeOptions options;
  options.agents = 1;
  const Json written = write_fields(options);
  CHECK(reader_accepts(written));
  CHECK(jsonschema_verdicts(schema_of<TreeOptions>(), Json::array({written})) == "1");
}

TEST_CASE("a schema says types, limits, defaults and descriptions") {
  CHECK(schema_of<PartOptions>().dump() ==
        R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,)"
        R"("properties":{"share":{"type":"number","exclusiveMinimum":0,"default":0.5,"description":"of the whole"},)"
        R"("count":{"type":["integer","null"],"minimum":1,"maximum":9,"default":null,"description":"of pieces"}}})");
  const Json tree = schema_of<TreeOptions>();
  const Json& properties = tree["properties"];
  CHECK(tree["required"] == Json::array({"agents"}));
  CHECK(!properties["agents"].contains("default"));
  CHECK(properties["part"]["properties"]["share"]["default"] == 0.25);  // as the struct around it sets it
  CHECK(properties["backup_mode"]["enum"] == Json::array({"slow", "fast", nullptr}));
  CHECK(properties["seed"]["minimum"] == 0);
  CHECK(properties["thing"]["default"].dump() == R"({"kind":"second","share":0.5,"count":null})");
}

TEST_CASE("fields are described in words") {
  std::string text;
  for (const FieldText& field : describe<TreeOptions>())
    text += field.key + " | " + field.type + " | " + field.default_value + " | " + field.limits + " | " +
            field.description + (field.required ? " | required\n" : "\n");
  CHECK(text == R"(agents | integer |  | at least 1 | number of agents | required
seed | integer | 1 | at least 0 | of all draws
rate | number | 0.5 | above 0 and below 1 | per round
trace | true or false | false |  | on or off
name | string | "x" |  | for people
mode | one of slow, fast | "slow" |  | how
part | object |  |  | of it
part.share | number | 0.25 | above 0 | of the whole
part.count | integer or null | null | from 1 to 9 | of pieces
deadline_s | number or null | null | above 0 | of a round
backup_mode | one of slow, fast or null | null |  | how, next time
backup | object or null | null |  | of it, next time
backup.share | number | 0.5 | above 0 | of the whole
backup.count | integer or null | null | from 1 to 9 | of pieces
speeds | list of number | [1.5] | at least 0.5 | of agents
parts | list of object | [] |  | of it all
parts[].share | number | 0.5 | above 0 | of the whole
parts[].count | integer or null | null | from 1 to 9 | of pieces
extra | any value | {} |  | anything
thing | thing (object by kind: first, second) | {"kind":"second","share":0.5,"count":null} |  | which
other | thing (object by kind: first, second) or null | null |  | which else
amount | amount (number, or object by kind: amount, second) | {"kind":"amount","value":0.0} |  | how much
)");
}

}  // namespace lagnet::schema_test
