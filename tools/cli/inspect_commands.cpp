#include "tools/cli/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "scenarios/deploy/deploy_plan.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/column_dictionary.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/listings.hpp"
#include "scenarios/format/profiles.hpp"
#include "scenarios/json/schema.hpp"
#include "scenarios/tune/tune.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"
#include "sim/realtime/frames/frame.hpp"
#include "tools/cli/proofs.hpp"
#include "tools/cli/reproduce_command.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"
#include "tools/flags/method_names.hpp"
#include "tools/flags/scenario_flags.hpp"
#include "tools/flags/scenario_keys.hpp"

namespace lagnet::tools {

namespace {

/// The section with the keys that all of these kinds have.
std::string_view common_section(std::string_view what) {
  return what == "data" ? "preprocessing" : what == "claims" ? "claim" : what == "topologies" ? "topology" : "";
}

/// "one of star, ring; `lagnet list topologies` .."
std::string kinds_text(const std::string& what) {
  std::vector<std::string> kinds;
  for (const Listing& listing : listings())
    if (listing.what == what)
      for (const KindOfOptions* kind : listing.kinds) kinds.emplace_back(kind->kind);
  const std::string_view common = common_section(what);
  return fmt::format("one of {}; `lagnet list {}` explains them, `lagnet describe KIND` lists the keys of each{}",
                     comma_list(kinds), what,
                     common.empty() ? "" : fmt::format(", `lagnet describe {}` the keys of all", common));
}

Json as_json(const std::vector<FieldText>& fields) {
  Json list = Json::array();
  for (const FieldText& field : fields)
    list.push_back({{"key", field.key},
                    {"type", field.type},
                    {"default", field.default_value},
                    {"required", field.required},
                    {"limits", field.limits},
                    {"description", field.description}});
  return list;
}

std::string fields_text(const std::vector<FieldText>& fields, const Look& look) {
  constexpr std::size_t indent = 6;
  std::string text;
  for (const FieldText& field : fields) {
    std::string facts = field.type;
    if (!field.limits.empty()) facts += ", " + field.limits;
    if (field.required) facts += ", required";
    if (!field.default_value.empty()) facts += ", default " + field.default_value;
    text += "  " + inked(field.key, Ink::green, look.is_colored) + "\n";
    for (const std::string& lines : {facts, std::string(field.description)})
      text += set_in(lines, indent, look.columns) + "\n";
  }
  return text.empty() ? "  no keys\n" : text;
}

/// "star (topologies): what it is", of which the name is a heading.
std::string titled(const std::string& title, std::string_view what, const Look& look) {
  const std::string line = fmt::format("{}: {}\n", title, what);
  const std::string text = look.columns == any_columns ? line : wrapped(line, look.columns, 4) + "\n";
  return text.starts_with(title) ? inked(title, Ink::bold, look.is_colored) + text.substr(title.size()) : text;
}

std::vector<std::string> table_names(const ColumnPlaces& places) {
  std::vector<std::string> names;
  for (const TableText* table : places.tables) names.emplace_back(table->name);
  return names;
}

std::string_view page_of(const ColumnPlaces& places) {
  return places.column->page.empty() ? places.tables.front()->page : places.column->page;
}

/// A column as `lagnet describe` has it.
Json column_json(const ColumnPlaces& places) {
  const ColumnText& column = *places.column;
  return {{"name", column.name},    {"summary", column.meaning}, {"fields", Json::array()},
          {"unit", column.unit},    {"formula", column.formula}, {"tables", table_names(places)},
          {"page", page_of(places)}};
}

std::string column_text(const ColumnPlaces& places, const Look& look) {
  constexpr std::size_t indent = 6;
  const ColumnText& column = *places.column;
  std::string text = wrapped(fmt::format("{} ({}): {}", column.name, comma_list(table_names(places)), column.meaning),
                             look.columns, 4);
  text = inked(column.name, Ink::bold, look.is_colored) + text.substr(column.name.size()) + "\n";
  for (const auto& [what, said] :
       {std::pair("unit", column.unit), std::pair("formula", column.formula), std::pair("page", page_of(places))})
    text += fmt::format("  {}\n{}\n", inked(what, Ink::green, look.is_colored),
                        set_in(std::string(said), indent, look.columns));
  return text;
}

/// What `lagnet describe` says about a name.
struct Explanation {
  Json document = Json::array();
  std::string text;
};

/// Adds the profile of this name, if there is one.
void explain_profile(const std::string& name, const Look& look, Explanation& found) {
  const Profile* const profile = find_profile(name);
  if (!profile) return;
  found.document.push_back({{"name", name + " (profiles)"},
                            {"summary", profile->summary},
                            {"fields", Json::array()},
                            {"network", profile->network},
                            {"sources", profile->sources}});
  found.text += titled(name + " (profiles)", profile->summary, look);
  for (const auto& [key, value] : profile->network.items())
    found.text += set_in(fmt::format("{}: {}", key, on_one_line(value)), 2, look.columns) + "\n";
  for (const std::string& source : profile->sources) found.text += set_in("source: " + source, 2, look.columns) + "\n";
}

Explanation explanation_of(const std::string& name, const Look& look) {
  Explanation found;
  Json& document = found.document;
  std::vector<std::string> names;
  const auto show = [&](const std::string& title, std::string_view text, const std::vector<FieldText>& fields) {
    document.push_back({{"name", title}, {"summary", text}, {"fields", as_json(fields)}});
    found.text += titled(title, text, look) + fields_text(fields, look);
  };
  for (const Listing& listing : listings())
    for (const KindOfOptions* kind : listing.kinds) {
      names.emplace_back(kind->kind);
      if (kind->kind != name) continue;
      show(fmt::format("{} ({})", name, listing.what), kind->summary, kind->describe());
      if (listing.what == "algorithms") {
        const auto& algorithm = *AlgorithmFamily::catalogue().find(name);
        const std::string_view way = way_of_l2(algorithm.make(algorithm.defaults().get()).traits);
        document.back()["regularizer"] = way;
        found.text += set_in(std::string(way), 2, look.columns) + "\n";
      }
      if (const std::string_view common = common_section(listing.what); !common.empty())
        found.text += set_in(fmt::format("`lagnet describe {}` lists the keys of all {}", common, listing.what), 2,
                             look.columns) +
                      "\n";
    }
  const std::size_t kinds = document.size();  // a key of a scenario may have the name of a kind, as "full" has
  for (const Section& section : sections()) {
    names.push_back(section.name);
    if (section.name == name) show(name, section.text, section.fields);
  }
  for (const auto& [key, what] : keys_with_kinds()) {
    names.push_back(key);
    if (key != name || !document.empty()) continue;
    document.push_back({{"name", key}, {"summary", kinds_text(what)}, {"fields", Json::array()}});
    found.text += titled(key, kinds_text(what), look);
  }
  std::vector<FieldText> keys;  // of sweep, seed, ..
  for (const FieldText& field : describe<Scenario>()) {
    names.push_back(field.key);
    if (field.key == name || field.key.starts_with(name + ".") || field.key.starts_with(name + "["))
      keys.push_back(field);
  }
  if (document.size() == kinds && !keys.empty()) show(name, "key of a scenario", keys);
  if (document.size() == kinds)  // "accuracy" is a metric, and a key of some algorithms
    for (const FoundKey& key : keys_called(name)) show(key.field.key, "key of " + comma_list(key.owners), {key.field});
  for (const ColumnPlaces& places : all_columns()) {
    names.emplace_back(places.column->name);
    if (!is_called(*places.column, name)) continue;
    document.push_back(column_json(places));
    found.text += column_text(places, look);
  }
  explain_profile(name, look, found);
  std::ranges::copy(names_of_profiles(), std::back_inserter(names));
  if (const std::string other = name_for_word(name); document.empty() && !other.empty()) {
    found = explanation_of(other, look);
    found.text = titled(name, "see " + other, look) + found.text;
    return found;
  }
  if (const MethodName* const method = method_called(name); document.empty() && method) {
    found = explanation_of(std::string(method->kind), look);
    const std::string how = method->how.empty() ? "" : fmt::format(", {}", method->how);
    found.text = titled(name, fmt::format("see {}{}", method->kind, how), look) + found.text;
    return found;
  }
  if (document.empty())
    throw InputError(fmt::format("describe: expected a name that `lagnet list` prints, found {}{}", name,
                                 did_you_mean(name, names)));
  return found;
}

bool is_golden(const std::string& file) { return file.ends_with(".golden.json"); }
constexpr const char* about_goldens = "the golden of a scenario beside it, which `lagnet check FOLDER` compares";

/// `lagnet list columns`: every column of every table. As JSON also the tables, as input of the documentation.
int columns_command(const Console& console) {
  const Look look = look_of(STDOUT_FILENO);
  Json columns = Json::array(), tables = Json::array();
  std::string text = inked("columns", Ink::bold, look.is_colored) + "\n";
  for (const ColumnPlaces& places : all_columns()) {
    const ColumnText& column = *places.column;
    columns.push_back(column_json(places));
    columns.back()["kind"] = column.name;  // as other lists call it
    text += entry_line(column.name, column.meaning, look);
  }
  for (const TableText& table : table_texts()) {
    Json names = Json::array();
    for (const ColumnText& column : table.columns) names.push_back(column.name);
    tables.push_back({{"kind", table.name},
                      {"summary", table.meaning},
                      {"page", table.page},
                      {"columns", std::move(names)},
                      {"with", table.with}});
  }
  print_answer(console, {{"columns", std::move(columns)}, {"tables", std::move(tables)}}, text);
  return 0;
}

}  // namespace

int validate_command(const std::vector<std::string>& scenarios, const std::vector<std::string>& settings,
                     const Console& console) {
  Json list = Json::array();
  bool wrong = false;
  const bool are_all_goldens = std::ranges::all_of(scenarios, is_golden);
  for (const std::string& scenario : scenarios) {
    if (is_golden(scenario) && !are_all_goldens) {
      if (!console.quiet) print_err("{}: left out, since it is not a scenario: {}\n", scenario, about_goldens);
      continue;
    }
    Json entry{{"scenario", scenario}, {"valid", true}, {"problems", Json::array()}};
    try {
      const ScenarioFile file = with_theory(read_scenario_file(scenario, settings));
      const std::vector<SweepPoint> points = sweep_points(file);
      check_points(file, points);
      if (read_scenario(points.front().file).tune) check_points(file, Tuning(file).points);
      entry["runs"] = points.size();
      if (!console.json && !console.quiet) print_out("{}: valid, {}\n", scenario, counted(points.size(), "run"));
    } catch (const Diagnosed& error) {
      wrong = true;
      if (is_golden(scenario))
        throw InputError(fmt::format("{}: expected a scenario, found {}", scenario, about_goldens));
      entry["valid"] = false;
      for (const Diagnostic& problem : error.diagnostics)
        entry["problems"].push_back(
            {{"where", place_of(problem)}, {"expected", problem.expected}, {"found", problem.found}});
      if (!console.json) print_err("{}\n", error.what());
    }
    list.push_back(std::move(entry));
  }
  if (console.json) print_text(indented(list));
  return wrong ? 2 : 0;
}

int list_command(const std::string& what, const Console& console) {
  if (what == "papers") return papers_command(console);
  if (what == "columns") return columns_command(console);
  const Look look = look_of(STDOUT_FILENO);
  Json document = Json::object();
  std::string text;
  std::vector<std::string> names;
  bool known = what.empty();
  for (const Listing& listing : listings()) {
    names.emplace_back(listing.what);
    if (!what.empty() && what != listing.what) continue;
    known = true;
    text += inked(listing.what, Ink::bold, look.is_colored) + "\n";
    for (const KindOfOptions* kind : listing.kinds) {
      document[std::string(listing.what)].push_back({{"kind", kind->kind}, {"summary", kind->summary}});
      text += entry_line(kind->kind, kind->summary, look);
    }
  }
  if (what.empty() || what == "profiles") {
    known = true;
    text += inked("profiles", Ink::bold, look.is_colored) + "\n";
    for (const Profile& profile : profiles()) {
      document["profiles"].push_back({{"kind", profile.name}, {"summary", profile.summary}});
      text += entry_line(profile.name, profile.summary, look);
    }
  }
  names.insert(names.end(), {"profiles", "columns", "papers"});
  if (!known)
    throw InputError(
        fmt::format("list: expected one of {}, found {}{}", comma_list(names), what, did_you_mean(what, names)));
  print_answer(console, document, text);
  return 0;
}

int list_proven_command(const Console& console) {
  const Look look = look_of(STDOUT_FILENO);
  const std::vector<std::string_view>& sentences = proofs().properties;
  Json document = Json::array();
  std::string text = inked("algorithms", Ink::bold, look.is_colored) + "\n";
  for (const Proof& proof : proofs().methods) {
    Json entry{{"kind", proof.kind}};
    std::string counts;
    for (const std::string_view verdict : {"held", "refused", "failed"}) {
      const auto count = std::ranges::count(proof.verdicts, verdict);
      entry[std::string(verdict)] = count;
      counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, verdict);
    }
    entry["properties"] = Json::array();
    for (std::size_t k = 0; k < sentences.size() && k < proof.verdicts.size(); ++k)
      entry["properties"].push_back({{"sentence", sentences[k]}, {"verdict", proof.verdicts[k]}});
    document.push_back(std::move(entry));
    text += entry_line(proof.kind, counts, look);
  }
  text += "`lagnet prove NAME` names the properties, and tests them again.\n";
  print_answer(console, {{"algorithms", std::move(document)}}, text);
  return 0;
}

int describe_command(const std::vector<std::string>& names, const Console& console) {
  Explanation found;
  for (const std::string& name : names) {
    const Explanation one = explanation_of(name, look_of(STDOUT_FILENO));
    found.document.insert(found.document.end(), one.document.begin(), one.document.end());
    found.text += (found.text.empty() ? "" : "\n") + one.text;
  }
  print_answer(console, found.document, found.text);
  return 0;
}

int schema_command(const Console&) {
  print_text(indented(schema_of<Scenario>()));
  return 0;
}

std::string version_text() {
  const std::string build = build_identity().substr(version().size() + 1);
  return fmt::format("lagnet {}\nbuild {}\nformats: scenario {}, results {}, plan {}, messages and records {}",
                     version(), build.empty() ? "unknown" : build, scenario_format, results_format, DeployPlan::format,
                     Hello::protocol_version);
}

}  // namespace lagnet::tools
