#include "scenarios/format/series_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <set>
#include <utility>

#include "scenarios/format/kinds/python_class.hpp"

namespace lagnet {

namespace {

/// Pointers at which not all scenarios have the same, a label first, then kinds: they say most.
std::vector<std::string> pointers_that_differ(const std::vector<Json>& flat) {
  std::set<std::string> seen;
  std::vector<std::string> pointers;
  for (const Json& scenario : flat)
    for (const auto& [pointer, value] : scenario.items()) {
      if (!seen.insert(pointer).second) continue;
      const auto same = [&, &at = pointer, &wanted = value](const Json& other) {
        const auto found = other.find(at);
        return found != other.end() && *found == wanted;
      };
      if (!std::ranges::all_of(flat, same)) pointers.push_back(pointer);
    }
  const auto rank = [](const std::string& pointer) {
    if (pointer == label_pointer) return 0;
    return pointer == "/algorithm/kind" ? 1 : pointer.ends_with("/kind") ? 2 : 3;
  };
  std::ranges::stable_sort(pointers, {}, rank);
  return pointers;
}

/// The shortest names that distinguish scenarios: it adds differing members as long as some names are equal.
std::vector<std::string> told_apart(const std::vector<Json>& flat) {
  if (flat.size() == 1) {
    const Json kind = flat[0].value("/algorithm/kind", Json());  // null where it is what runs are compared by
    return {flat[0].value(label_pointer, kind.is_string() ? kind.get<std::string>() : "runs")};
  }
  std::vector<std::string> keys(flat.size());
  std::vector<std::vector<std::string>> parts(flat.size());
  // A label that all scenarios share distinguishes nothing, but it is still their name.
  const Json label = flat.empty() ? Json() : flat[0].value(label_pointer, Json());
  const auto has_it = [&](const Json& one) { return one.value(label_pointer, Json()) == label; };
  if (!label.is_null() && std::ranges::all_of(flat, has_it))
    for (auto& part : parts) part.push_back(label.get<std::string>());
  for (const std::string& pointer : pointers_that_differ(flat)) {
    std::set<std::string> before(keys.begin(), keys.end());
    std::vector<std::string> longer = keys;
    for (std::size_t i = 0; i < flat.size(); ++i) longer[i] += flat[i].value(pointer, Json()).dump() + "\n";
    if (std::set<std::string>(longer.begin(), longer.end()).size() == before.size()) continue;
    keys = longer;
    for (std::size_t i = 0; i < flat.size(); ++i)
      if (const auto value = flat[i].find(pointer); value != flat[i].end())
        parts[i].push_back(named_value(pointer, *value));
  }
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(boost::join(part, " "));
  return names;
}

/// Lists of faults, links and interfaces distinguish scenarios as a whole: "partitions", and not "from_s=5".
void join_lists(Json& section) {
  for (Json& list : section)
    if (list.is_array() && (list.empty() || (list.front().is_object() && !list.front().contains("kind"))))
      list = list.dump();
}

}  // namespace

Json as_called(Json section) {
  if (!section.is_object() || section.value("kind", Json()) != python_kind) return section;
  const Json its_class = section.value("class", Json());
  if (!its_class.is_string()) return section;
  section["kind"] = class_called(its_class.get<std::string>());
  for (const char* key : {"class", "roles", "asynchronous", "keeps_constraint", "smooth_by", "source_sha256"})
    section.erase(key);
  return section;
}

std::string value_text(const Json& value) {
  if (value.is_object() && value.contains("kind") && value["kind"].is_string())
    return as_called(value)["kind"].get<std::string>();
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : shown(value);
}

std::string named_value(std::string pointer, const Json& value) {
  const std::string text = value.is_object() ? shown(value) : value_text(value);
  if (pointer.ends_with("/kind") || pointer == label_pointer) return text;
  if (text.starts_with("[{")) return pointer.substr(pointer.rfind('/') + 1);
  if (pointer.ends_with("/value")) pointer.resize(pointer.rfind('/'));
  return pointer.substr(pointer.rfind('/') + 1) + "=" + text;
}

std::vector<std::string> series_names(const std::vector<Json>& scenarios) {
  // Whether a scenario has a label changes no other's name.
  std::vector<Json> flat, labeled;
  for (Json scenario : scenarios) {
    const std::string label = label_of(scenario);
    scenario.erase("label");
    for (const char* at : {"/algorithm", "/problem/loss", "/problem/regularizer"})
      if (const Json::json_pointer part(at); scenario.contains(part)) scenario[part] = as_called(scenario[part]);
    if (scenario.contains("network")) join_lists(scenario["network"]);
    flat.push_back(scenario.flatten());
    if (label.empty()) continue;
    labeled.push_back(flat.back());
    labeled.back()[label_pointer] = label;
  }
  std::vector<std::string> names = told_apart(flat);
  const std::vector<std::string> of_labeled = told_apart(labeled);
  for (std::size_t i = 0, k = 0; i < scenarios.size(); ++i)
    if (!label_of(scenarios[i]).empty()) names[i] = of_labeled[k++];
  for (std::size_t i = 0; i < names.size(); ++i) {
    // Members of other names may have the same text.
    if (names[i].empty())
      names[i] = fmt::format("({})", i + 1);
    else if (std::ranges::count(names, names[i]) > 1)
      names[i] += fmt::format(" ({})", i + 1);
  }
  return names;
}

std::string label_of(const Json& scenario) {
  const auto found = scenario.is_object() ? scenario.find("label") : scenario.end();
  return found != scenario.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace lagnet
