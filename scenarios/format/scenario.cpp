#include "scenarios/format/scenario.hpp"

#include <algorithm>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/format/size_limits.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

bool names_a_file(std::string_view key) { return key == "path" || key.ends_with("_path"); }

/// Changes the members that name files, at any depth.
template <class Change>
void change_paths(Json& value, const Change& change) {
  if (!value.is_structured()) return;
  for (auto& [key, member] : value.items())
    if (member.is_string() && value.is_object() && names_a_file(key))
      member = change(fs::path(member.template get<std::string>()));
    else
      change_paths(member, change);
}

/// Every file name of a scenario, and what its sweep puts there: its pointers are keys that stand for their last part.
template <class Change>
void for_each_path(Json& document, const Change& change) {
  change_paths(document, change);
  if (!document.is_object() || !document.contains("sweep") || !document["sweep"].is_object()) return;
  const auto change_if_path = [&](const std::string& pointer, Json& value) {
    if (value.is_string() && names_a_file(std::string_view(pointer).substr(pointer.rfind('/') + 1)))
      value = change(fs::path(value.template get<std::string>()));
  };
  for (auto& [key, values] : document["sweep"].items()) {
    if (!values.is_array()) continue;
    for (Json& value : values)
      if (value.is_object() && key == "points")
        for (auto& [pointer, of_point] : value.items()) change_if_path(pointer, of_point);
      else
        change_if_path(key, value);
  }
}

constexpr std::int64_t default_rounds = 100;

/// Where something else is wrong, what is only looked at when all is made is told with it. Sections that could not be
/// read hold defaults, about which nothing is to be said.
void check_links_and_speeds(const Scenario& scenario, Problems& problems) {
  const auto is_read = [&](const std::string& section) {
    return std::ranges::none_of(problems.list(), [&](const Diagnostic& problem) {
      return problem.where == section || problem.where.starts_with(section + "/");
    });
  };
  const bool links = is_read("/network"), speeds = is_read("/compute");
  if (links) check_network(scenario.network, problems);
  if (speeds) check_compute(scenario.compute, problems);
}

}  // namespace

ScenarioFile read_scenario_file(const fs::path& path, const std::vector<std::string>& settings) {
  Problems problems(path.string());
  ScenarioFile file{path.string(), canonical_path(path).parent_path(), read_json_file(path, problems)};
  for (const std::string& setting : settings) apply_setting(file.document, setting, problems);
  problems.throw_if_any();
  return file;
}

Scenario read_scenario(const ScenarioFile& file) {
  Problems problems(file.shown);
  Json document = file.document;
  for_each_path(document, [&](const fs::path& path) {
    std::string whole = (file.folder / path).lexically_normal().string();
    if (!is_utf8(whole)) problems.add("", "files with names in UTF-8, which results can hold", shown(whole));
    return whole;
  });
  Scenario scenario;
  ObjectReader reader(document, "", problems, "an object (the scenario)");
  if (reader.is_object()) {
    reader.read(scenario);
    reader.finish();
    check_sizes(document, problems);
    if (!problems.empty()) check_links_and_speeds(scenario, problems);
  }
  problems.throw_if_any();
  if (!scenario.stop.any()) scenario.stop.rounds = default_rounds;
  if (!document.contains("partition")) scenario.partition = default_partition(scenario.algorithm.make().traits);
  return scenario;
}

PresentationOptions read_presentation(const ScenarioFile& file) {
  Problems problems(file.shown);
  Json document = Json::object();
  for (const char* key : presentation_keys)
    if (file.document.is_object() && file.document.contains(key)) document[key] = file.document[key];
  PresentationOptions presentation;
  read_value(document, presentation, {}, "", problems);
  problems.throw_if_any();
  return presentation;
}

ScenarioFile at_full_size(const ScenarioFile& file) {
  Problems problems(file.shown);
  ScenarioFile full = file;
  const PresentationOptions presentation = read_presentation(file);
  for (const auto& [pointer, value] : presentation.full.items())
    set_member(full.document, pointer, value, child_pointer("/full", pointer), problems);
  problems.throw_if_any();
  return full;
}

Json write_scenario(const Scenario& scenario, const fs::path& folder) {
  Json document = write_fields(scenario);
  const fs::path from = canonical_path(folder);
  for_each_path(document, [&](const fs::path& path) { return path.lexically_relative(from).generic_string(); });
  return document;
}

Json relocated(const ScenarioFile& file, const fs::path& folder) {
  Json document = rooted(file);
  const fs::path from = canonical_path(folder);
  for_each_path(document, [&](const fs::path& path) { return path.lexically_relative(from).generic_string(); });
  return document;
}

Json rooted(const ScenarioFile& file) {
  Json document = file.document;
  for_each_path(document,
                [&](const fs::path& path) { return (file.folder / path).lexically_normal().generic_string(); });
  return document;
}

}  // namespace lagnet
