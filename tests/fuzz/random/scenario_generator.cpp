#include "tests/fuzz/random/scenario_generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace lagnet::fuzz {

namespace {

/// The largest values of keys that decide how long a run takes.
const std::map<std::string, double, std::less<>> largest_of{
    {"agents", 9},       {"rounds", 12},        {"samples", 40},           {"features", 16},        {"clients", 6},
    {"clusters", 3},     {"cluster_agents", 3}, {"local_steps", 4},        {"clique_agents", 4},    {"path_agents", 3},
    {"rows", 3},         {"columns", 3},        {"candidates", 3},         {"power_iterations", 5}, {"attempts", 1000},
    {"max_samples", 40}, {"test_samples", 5},   {"samples_per_client", 8}, {"tries", 1000}};

/// Of one scenario in so many: agents on both sides of 1,024, and a sample or two for each.
constexpr double large_every = 300;
constexpr std::array<std::uint64_t, 2> large_agents{1000, 1060}, large_samples{1060, 2120};
/// In which their links are not too many.
constexpr std::array<std::string_view, 6> large_topologies{"ring",           "star",          "path",
                                                           "random_regular", "directed_ring", "directed_exponential"};

/// The least: over slow links a run takes hours, and would have rows by the million.
const std::map<std::string, double, std::less<>> least_of{{"every_s", 0.5}};

/// Sections of files that are about more than one run, and texts.
constexpr std::array<std::string_view, 11> left_out{"sweep", "tune",   "expect",      "figure", "maps", "full",
                                                    "label", "lagnet", "description", "source", "name"};

/// Values that stand where they should not, as JSON or as what JSON cannot hold.
constexpr std::array<std::string_view, 36> hostile{"null",
                                                   "true",
                                                   "-1",
                                                   "0",
                                                   "1",
                                                   "2147483647",
                                                   "2147483648",
                                                   "9007199254740993",
                                                   "9223372036854775807",
                                                   "-9223372036854775808",
                                                   "18446744073709551616",
                                                   "1e30",
                                                   "1e-320",
                                                   "1e308",
                                                   "-1e308",
                                                   "1e400",
                                                   "0.5",
                                                   "-0.0",
                                                   "NaN",
                                                   "Infinity",
                                                   R"("")",
                                                   R"("x")",
                                                   R"("\u0000")",
                                                   R"("\u001b[2J")",
                                                   R"("\u202e")",
                                                   R"("\ud800")",
                                                   R"("../..")",
                                                   R"("/dev/null")",
                                                   R"("99999999999999999999999999999999999999999999999999")",
                                                   "[]",
                                                   "[[]]",
                                                   "{}",
                                                   R"({"kind": "x"})",
                                                   "[1, 2, 3]",
                                                   "[null, null, null, null, null, null, null, null]",
                                                   R"({"": 0})"};
/// What most algorithms refuse, and those that do not.
constexpr std::array<std::string_view, 8> one_way_topologies{
    "directed_ring",        "directed_exponential", "random_out", "orient",
    "one_peer_exponential", "hypercube_matchings",  "base_graph", "epidemic"};
constexpr std::array<std::string_view, 4> one_way_algorithms{"push_diging", "push_pull", "subgradient_push",
                                                             "push_sum"};

/// Stands for the hostile value of this index until the document is a text.
std::string marker(std::size_t index) { return "@hostile " + std::to_string(index) + "@"; }

bool holds(const Json& list, std::string_view word) { return std::ranges::find(list, Json(word)) != list.end(); }

/// The values inside a document, objects and lists among them, with the container and the key of each.
struct Place {
  Json* at;
  std::string key;  // of an object
  std::size_t index = 0;
};
void gather(Json& at, std::vector<Place>& places) {
  if (at.is_object())
    for (auto& [key, child] : at.items()) {
      places.push_back({&at, key});
      gather(child, places);
    }
  if (at.is_array())
    for (std::size_t k = 0; k < at.size(); ++k) {
      places.push_back({&at, "", k});
      gather(at[k], places);
    }
}

}  // namespace

ScenarioGenerator::ScenarioGenerator(ScenarioSchema& schema, std::string sets, std::uint64_t seed, std::uint64_t number)
    : schema_(schema),
      sets_(std::move(sets)),
      draws_(seed, Purpose("random scenario"), static_cast<AgentId>(number >> 32), static_cast<Round>(number)),
      is_large_(Draws(seed, Purpose("random size"), static_cast<AgentId>(number >> 32), static_cast<Round>(number))
                    .bernoulli(1 / large_every)) {}

const Json& ScenarioSchema::resolved(const Json& node) {
  if (!node.contains("$ref")) return node;
  const auto found = resolved_.find(&node);
  if (found != resolved_.end()) return found->second;
  const std::string path = node["$ref"];
  Json merged = schema_["$defs"].at(path.substr(path.rfind('/') + 1));
  for (const auto& [key, word] : node.items())
    if (key != "$ref") merged[key] = word;
  return resolved_[&node] = std::move(merged);
}

Json ScenarioGenerator::value(const Json& given, const std::string& key) {
  const Json& node = schema_.resolved(given);
  for (const char* word : {"oneOf", "anyOf"})
    if (node.contains(word)) return value(one_of(node[word]), key);
  if (node.contains("const")) return node["const"];
  if (node.contains("enum")) return one_of(node["enum"]);
  const Json types = node.value("type", Json(node.contains("properties") ? "object" : "null"));
  const std::string type = types.is_array() ? one_of(types) : types;
  if (type == "object") return object(node);
  if (type == "array") {
    Json list = Json::array();
    const std::uint64_t length = node.value("minItems", std::uint64_t{0}) + draws_.below(3);
    for (std::uint64_t k = 0; node.contains("items") && k < length; ++k) list.push_back(value(node["items"], key));
    return list;
  }
  if (type == "integer" || type == "number") return number(node, type == "integer", key);
  if (type == "boolean") return chance(0.5);
  return type == "string" ? Json("x") : Json();
}

Json ScenarioGenerator::number(const Json& node, bool is_integer, const std::string& key) {
  if (is_large_ && (key == "agents" || key == "samples")) {
    const auto [first, last] = key == "agents" ? large_agents : large_samples;
    return first + draws_.below(last - first + 1);
  }
  const auto limit = [&](const char* closed, const char* open, double otherwise) {
    return node.contains(closed) ? node[closed].get<double>() : node.value(open, otherwise);
  };
  const auto least = least_of.find(key);
  const double low = std::max(limit("minimum", "exclusiveMinimum", -2),
                              least == least_of.end() ? std::numeric_limits<double>::lowest() : least->second);
  const auto largest = largest_of.find(key);
  const double high = std::min(limit("maximum", "exclusiveMaximum", low + 12),
                               largest == largest_of.end() ? low + 12 : largest->second);
  if (is_integer) {
    const auto first = static_cast<std::int64_t>(low), last = std::max(first, static_cast<std::int64_t>(high));
    return first + static_cast<std::int64_t>(draws_.below(static_cast<std::uint64_t>(last - first) + 1));
  }
  if (chance(0.3)) {
    std::vector<double> plain;
    for (const double x : {low, high, 0.5, 1.0, 1e-3})
      if (low <= x && x <= high) plain.push_back(x);
    return plain.empty() ? high : plain[draws_.below(plain.size())];
  }
  return low + (high - low) * std::pow(10.0, draws_.uniform(-4, 0));
}

Json ScenarioGenerator::object(const Json& node) {
  Json made = Json::object();
  if (!node.contains("properties")) return made;
  const Json required = node.value("required", Json::array());
  for (const auto& [key, child] : node["properties"].items())
    if (holds(required, key) || schema_.resolved(child).contains("const") || chance(0.25))
      made[key] = value(child, key);
  if (made.value("source", Json()) == "libsvm") {
    constexpr std::array files{"heart_scale", "housing_scale", "breast_cancer_scale"};
    made["path"] = sets_ + "/" + files[draws_.below(files.size())] + ".libsvm";
    made["max_samples"] = 1 + draws_.below(40);  // all of them, without a regularizer, may take a minute to minimize
  }
  return made;
}

Json ScenarioGenerator::scenario() {
  Json made{{"lagnet", 1}, {"name", "random"}};
  for (const auto& [key, node] : schema_.root()["properties"].items())
    if (std::ranges::find(left_out, key) == left_out.end() && (holds(schema_.root()["required"], key) || chance(0.5)))
      made[key] = value(node, key);
  limit_size(made);
  if (made.contains("record")) made["record"].erase("file_budget_mb");
  return made;
}

void ScenarioGenerator::redraw(Json& document, const std::string& pointer) {
  // The value that is named, or the nearest above it that there is.
  Json* at = nullptr;
  Json* here = &document;
  std::string token, last;
  for (std::size_t begin = 1; begin <= pointer.size(); begin += token.size() + 1) {
    token = pointer.substr(begin, pointer.find('/', begin) - begin);
    if (!here->is_object() || !here->contains(token)) break;
    at = here;
    here = &(*here)[token];
    last = token;
  }
  if (!at) {
    document = scenario();
  } else if (chance(0.5) && !holds(schema_.root()["required"], last)) {
    at->erase(last);
  } else {
    const std::string top = pointer.substr(1, pointer.find('/', 1) - 1);
    const Json& sections = schema_.root()["properties"];
    if (sections.contains(top)) document[top] = value(sections[top], top);
  }
}

/// Few rounds; of a large scenario, links that are not too many.
void ScenarioGenerator::limit_size(Json& document) {
  if (!document["stop"].is_object()) document["stop"] = Json::object();
  document["stop"]["rounds"] = 1 + draws_.below(is_large_ ? 3 : 12);
  if (!is_large_) return;
  const auto is_sparse = [&] {
    const std::string kind = document.value("/topology/kind"_json_pointer, "");
    return std::ranges::find(large_topologies, kind) != large_topologies.end();
  };
  while (!is_sparse()) document["topology"] = value(schema_.root()["properties"]["topology"], "topology");
}

/// Draws another topology, or an algorithm that takes it, where links go one way and the algorithm needs them both
/// ways.
void ScenarioGenerator::fit_directions(Json& document) {
  const Json topology = document.value("topology", Json::object()), algorithm = document.value("algorithm", Json());
  if (!topology.is_object() || !algorithm.is_object()) return;
  const bool goes_one_way =
      topology.value("directed", Json()) == true ||
      std::ranges::find(one_way_topologies, topology.value("kind", "")) != one_way_topologies.end();
  const auto takes_it = [](const std::string& kind) {
    return std::ranges::find(one_way_algorithms, kind) != one_way_algorithms.end();
  };
  if (!goes_one_way || takes_it(algorithm.value("kind", ""))) return;
  const Json& sections = schema_.root()["properties"];
  if (chance(0.5)) {
    document["topology"] = value(sections["topology"], "topology");
  } else {
    do document["algorithm"] = value(sections["algorithm"], "algorithm");
    while (!takes_it(document["algorithm"].value("kind", "")));
  }
}

std::optional<Json> ScenarioGenerator::accepted(const Problems& problems) {
  Json document = scenario();
  const bool fits = chance(0.8);
  for (int attempt = 0; attempt < 25; ++attempt) {
    if (fits) fit_directions(document);
    // Without a regularizer there may be no minimizer, which takes the solver of optima a minute to find.
    if (document.value("/problem/loss/kind"_json_pointer, Json()) == "softmax") document["record"]["optimum"] = false;
    const std::vector<Diagnostic> found = problems(document);
    if (found.empty()) return document;
    for (const Diagnostic& problem : found) redraw(document, problem.where);
    limit_size(document);
  }
  return std::nullopt;
}

void ScenarioGenerator::replace_a_place(Json& document) {
  std::vector<Place> places;
  gather(document, places);
  if (places.empty()) return;
  const Place place = places[draws_.below(places.size())];
  Json value = marker(draws_.below(hostile.size()));
  if (place.at->is_array()) {
    (*place.at)[place.index] = std::move(value);
  } else if (chance(0.2)) {
    place.at->erase(place.key);
  } else if (chance(0.1)) {
    Json kept = (*place.at)[place.key];
    place.at->erase(place.key);
    (*place.at)[place.key + (chance(0.5) ? "s" : "_")] = std::move(kept);
  } else {
    (*place.at)[place.key] = std::move(value);
  }
}

void ScenarioGenerator::replace_bytes(std::string& text) {
  const std::uint64_t count = 1 + draws_.below(4);
  for (std::uint64_t k = 0; k < count && !text.empty(); ++k) {
    const std::size_t place = draws_.below(text.size());
    if (chance(0.5))
      text[place] = static_cast<char>(draws_.below(256));
    else
      text.erase(place, 1 + draws_.below(30));
  }
}

std::string ScenarioGenerator::broken(Json document) {
  const std::uint64_t count = 1 + draws_.below(3);
  for (std::uint64_t k = 0; k < count; ++k) replace_a_place(document);
  std::string text = document.dump();
  for (std::size_t k = 0; k < hostile.size(); ++k) {
    const std::string quoted = '"' + marker(k) + '"';
    for (std::size_t at = text.find(quoted); at != std::string::npos; at = text.find(quoted))
      text.replace(at, quoted.size(), hostile[k]);
  }
  if (chance(0.2)) replace_bytes(text);
  return text;
}

}  // namespace lagnet::fuzz
