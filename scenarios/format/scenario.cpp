#include "scenarios/format/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "algorithms/objectives/losses/losses.hpp"
#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/scenario_checks.hpp"
#include "scenarios/format/settings.hpp"
#include "scenarios/json/fields.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

template <>
const FieldType& field_type<Scenario>() {
  return default_of<StructOf<Scenario>>();
}

namespace {

namespace fs = std::filesystem;

/// Puts settings, an object of pointers to values, into a scenario. Those that lead nowhere are not put in.
void set_all(Json& document, const Json& settings) {
  Diagnostics ignored("");
  for (const auto& [pointer, value] : settings.items()) set_member(document, pointer, value, "", ignored);
}

/// Changes the file names in settings: their places in the scenario show which texts are file names.
void change_set_paths(Json& settings, const Json& document, const PathChange& change) {
  const auto may_hold_paths = [](const Json& value) { return value.is_string() || value.is_structured(); };
  if (!settings.is_object() || std::none_of(settings.begin(), settings.end(), may_hold_paths)) return;
  Json changed = document;
  set_all(changed, settings);
  field_type<Scenario>().change_paths(changed, change);
  for (auto& [pointer, value] : settings.items()) {
    if (!is_pointer(pointer)) continue;
    const Json::json_pointer place(pointer);
    if (changed.contains(place)) value = changed.at(place);
  }
}

/// Changes every file name of a scenario, and of what its sweep and its full size put into it.
void change_all_paths(Json& document, const PathChange& change) {
  const bool has_settings = document.is_object() && (document.contains("full") || document.contains("sweep"));
  Json before = has_settings ? document : Json();
  field_type<Scenario>().change_paths(document, change);
  if (!has_settings) return;
  if (document.contains("full")) change_set_paths(document["full"], before, change);
  if (!document.contains("sweep") || !document["sweep"].is_object()) return;
  for (const auto& [key, values] : document["sweep"].items()) {  // a setting may complete one of another pointer
    if (!values.is_array() || values.empty()) continue;
    set_all(before, key == "points" && values[0].is_object() ? values[0] : Json{{key, values[0]}});
  }
  for (auto& [key, values] : document["sweep"].items()) {
    if (!values.is_array()) continue;
    for (Json& value : values) {
      if (key == "points") {
        change_set_paths(value, before, change);
        continue;
      }
      Json setting{{key, value}};
      change_set_paths(setting, before, change);
      value = setting[key];
    }
  }
}

constexpr std::int64_t default_rounds = 100, default_updates = 1000;  // if no criterion is given

/// If there are other problems, it reports with them those that are otherwise found only when everything is built.
/// Sections that could not be read hold defaults, which are not reported.
void check_links_and_speeds(const Scenario& scenario, Diagnostics& diagnostics) {
  const auto is_read = [&](const std::string& section) {
    return std::ranges::none_of(diagnostics.list(), [&](const Diagnostic& one) {
      return one.where == section || one.where.starts_with(section + "/");
    });
  };
  const bool links = is_read("/network"), speeds = is_read("/compute");
  if (links) check_network(scenario.network, diagnostics);
  if (speeds) check_compute(scenario.compute, diagnostics);
}

}  // namespace

namespace {

/// Reports texts with control characters, which would spoil terminals, tables and figures. Sentences for people may
/// have several lines; a path is what it is.
void check_texts(const Json& value, const std::string& pointer, const std::string& key, Diagnostics& diagnostics) {
  static const std::set<std::string> sentences{"description", "source", "statement", "quote",
                                               "paper",       "place",  "weaker",    "known_to_fail"};
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    if (key.ends_with("path")) return;
    if (sentences.contains(key)) std::erase_if(text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; });
    if (has_control(text)) diagnostics.add(pointer, "a text without control characters", shown(value));
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (value[i].is_string() || value[i].is_structured())
        check_texts(value[i], child_pointer(pointer, std::to_string(i)), key, diagnostics);
  } else if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      if (has_control(name)) diagnostics.add(pointer, "keys without control characters", shown(Json(name)));
      check_texts(member, child_pointer(pointer, name), name, diagnostics);
    }
  }
}

/// Tells what to do with a scenario of another format, and lets the rest be read as far as it goes.
void check_format(Json& document, Diagnostics& diagnostics) {
  if (!document.is_object() || !document.contains("lagnet")) return;
  Json& format = document["lagnet"];
  if (!format.is_number_integer() || format == scenario_format) return;
  const std::string advice = fmt::format("write {} and correct what `lagnet validate` then reports", scenario_format);
  diagnostics.add("/lagnet", fmt::format("{}, the format that lagnet {} reads", scenario_format, version()),
                  format > scenario_format ? fmt::format("{}, which a newer lagnet reads; or {}", shown(format), advice)
                                           : fmt::format("{}, which no lagnet has read; {}", shown(format), advice));
  format = scenario_format;
}

/// What a scenario expects is said of its own data and problem: of others it is not, and the description says so.
void drop_foreign_claims(const Json& as_written, Json& document) {
  if (!document.is_object() || document.value("expect", Json::array()).empty()) return;
  const auto differs = [&](const char* key) { return document.value(key, Json()) != as_written.value(key, Json()); };
  if (!differs("data") && !differs("problem")) return;
  document.erase("expect");
  const Json said = document.value("description", Json());
  if (!said.is_null() && !said.is_string()) return;
  const std::string remark = "what the scenario expects is said of other data and left out";
  document["description"] =
      said.is_string() && said != "" ? fmt::format("{}; {}", said.get<std::string>(), remark) : remark;
}

}  // namespace

bool Scenario::offers_timing() const {
  const AlgorithmTraits traits = algorithm.make().traits;
  return traits.timing_only && (!traits.timing_needs_squared || problem.loss.options_as<SquaredOptions>());
}

ScenarioFile read_scenario_file(const fs::path& path, const std::vector<std::string>& settings) {
  Diagnostics diagnostics(path.string());
  ScenarioFile file{path.string(), canonical_path(path).parent_path(), read_json_file(path, diagnostics)};
  const Json as_written = file.document;
  apply_settings(file.document, settings, diagnostics);
  diagnostics.throw_if_any();
  drop_foreign_claims(as_written, file.document);
  return file;
}

Scenario read_scenario(const ScenarioFile& file) {
  Diagnostics diagnostics(file.shown);
  Json document = file.document;
  check_format(document, diagnostics);
  check_texts(document, "", "", diagnostics);
  change_all_paths(document, [&](const fs::path& path) {
    std::string whole = (file.folder / path).lexically_normal().string();
    if (!is_utf8(whole)) diagnostics.add("", "files with names in UTF-8, which results can hold", shown(whole));
    return whole;
  });
  Scenario scenario;
  ObjectReader reader(document, "", diagnostics, "an object (the scenario)");
  if (reader.is_object()) {
    reader.read(scenario);
    reader.finish();
    check_sizes(scenario, diagnostics);
    if (diagnostics.empty())
      check_idle_keys(scenario, diagnostics);
    else
      check_links_and_speeds(scenario, diagnostics);
  }
  diagnostics.throw_if_any();
  const AlgorithmTraits traits = scenario.algorithm.make().traits;
  if (!scenario.stop.any()) {
    if (traits.has_rounds())
      scenario.stop.rounds = default_rounds;
    else
      scenario.stop.updates = default_updates;
  }
  if (!document.contains("partition")) scenario.partition = default_partition(traits);
  return scenario;
}

PresentationOptions read_presentation(const ScenarioFile& file) {
  Diagnostics diagnostics(file.shown);
  Json document = Json::object();
  for (const char* key : presentation_keys)
    if (file.document.is_object() && file.document.contains(key)) document[key] = file.document[key];
  check_texts(document, "", "", diagnostics);
  PresentationOptions presentation;
  read_value(document, presentation, {}, "", diagnostics);
  diagnostics.throw_if_any();
  return presentation;
}

ScenarioFile at_full_size(const ScenarioFile& file) {
  Diagnostics diagnostics(file.shown);
  ScenarioFile full = file;
  const PresentationOptions presentation = read_presentation(file);
  for (const auto& [pointer, value] : presentation.full.items())
    set_member(full.document, pointer, value, child_pointer("/full", pointer), diagnostics);
  diagnostics.throw_if_any();
  return full;
}

Json write_scenario(const Scenario& scenario, const fs::path& folder) {
  Json document = write_fields(scenario);
  std::optional<fs::path> from;  // not looked up for the many scenarios that name no file
  change_all_paths(document, [&](const fs::path& path) {
    if (!from) from = canonical_path(folder);
    return path.lexically_relative(*from).generic_string();
  });
  return document;
}

Json circumstances(Json scenario) {
  for (const char* key : {"name", "label", "description", "source", "seed", "sweep", "tune"}) scenario.erase(key);
  for (const char* key : presentation_keys) scenario.erase(key);
  for (const char* key : {"trace", "timeline", "timeline_window_s", "file_budget_mb", "critical_path"})
    scenario["record"].erase(key);
  return scenario;
}

Json relocated(const ScenarioFile& file, const fs::path& folder) {
  Json document = rooted(file);
  const fs::path from = canonical_path(folder);
  change_all_paths(document, [&](const fs::path& path) { return path.lexically_relative(from).generic_string(); });
  return document;
}

Json rooted(const ScenarioFile& file) {
  Json document = file.document;
  change_all_paths(document,
                   [&](const fs::path& path) { return (file.folder / path).lexically_normal().generic_string(); });
  return document;
}

}  // namespace lagnet
