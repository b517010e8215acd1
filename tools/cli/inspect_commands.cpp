#include "tools/cli/inspect_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scenarios/assembly/make_topology.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/kinds/listings.hpp"
#include "scenarios/json/json_numbers.hpp"
#include "scenarios/json/schema.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "scenarios/tune/tuned_steps.hpp"
#include "tools/cli/reproduce_command.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/topology_picture.hpp"
#include "tools/flags/scenario_keys.hpp"
#include "topologies/gossip.hpp"
#include "topologies/laplacian.hpp"
#include "topologies/spectrum.hpp"
#include "topologies/structure.hpp"

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
  return fmt::format("one of {}; `lagnet list {}` says what they are, `lagnet describe KIND` has the keys of each{}",
                     comma_list(kinds), what,
                     common.empty() ? "" : fmt::format(", `lagnet describe {}` those of all of them", common));
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

void print_fields(const std::vector<FieldText>& fields) {
  for (const FieldText& field : fields) {
    std::string facts = field.type;
    if (!field.limits.empty()) facts += ", " + field.limits;
    if (field.required) facts += ", required";
    if (!field.default_value.empty()) facts += ", default " + field.default_value;
    print_out("  {}\n      {}\n      {}\n", field.key, facts, field.description);
  }
  if (fields.empty()) print_out("  no keys\n");
}

}  // namespace

int validate_command(const std::vector<std::string>& scenarios, const std::vector<std::string>& settings,
                     const Console& console) {
  Json list = Json::array();
  bool wrong = false;
  for (const std::string& scenario : scenarios) {
    Json entry{{"scenario", scenario}, {"valid", true}, {"problems", Json::array()}};
    try {
      const ScenarioFile file = with_theory(read_scenario_file(scenario, settings));
      const std::vector<SweepPoint> points = sweep_points(file);
      check_points(file, points);
      if (read_scenario(points.front().file).tune) check_points(file, Tuning(file).points);
      entry["runs"] = points.size();
      if (!console.json && !console.quiet)
        print_out("{}: valid, {} run{}\n", scenario, points.size(), points.size() == 1 ? "" : "s");
    } catch (const ScenarioError& error) {
      wrong = true;
      entry["valid"] = false;
      for (const Diagnostic& problem : error.diagnostics.list())
        entry["problems"].push_back(
            {{"where", problem.where}, {"expected", problem.expected}, {"found", problem.found}});
      if (!console.json) print_err("{}\n", error.what());
    }
    list.push_back(std::move(entry));
  }
  if (console.json) print_text(indented(list));
  return wrong ? 2 : 0;
}

int list_command(const std::string& what, const Console& console) {
  if (what == "papers") return papers_command(console);
  Json document = Json::object();
  std::vector<std::string> names;
  bool known = what.empty();
  for (const Listing& listing : listings()) {
    names.emplace_back(listing.what);
    if (!what.empty() && what != listing.what) continue;
    known = true;
    if (!console.json) print_out("{}\n", listing.what);
    for (const KindOfOptions* kind : listing.kinds) {
      document[std::string(listing.what)].push_back({{"kind", kind->kind}, {"summary", kind->summary}});
      if (!console.json) print_out("  {:29} {}\n", kind->kind, kind->summary);
    }
  }
  names.emplace_back("papers");
  if (!known)
    throw InputError(
        fmt::format("list: expected one of {}, found {}{}", comma_list(names), what, did_you_mean(what, names)));
  if (console.json) print_text(indented(document));
  return 0;
}

int describe_command(const std::string& name, const Console& console) {
  Json document = Json::array();
  std::vector<std::string> names;
  const auto show = [&](const std::string& title, std::string_view text, const std::vector<FieldText>& fields) {
    document.push_back({{"name", title}, {"summary", text}, {"fields", as_json(fields)}});
    if (console.json) return;
    print_out("{}: {}\n", title, text);
    print_fields(fields);
  };
  for (const Listing& listing : listings())
    for (const KindOfOptions* kind : listing.kinds) {
      names.emplace_back(kind->kind);
      if (kind->kind != name) continue;
      show(fmt::format("{} ({})", name, listing.what), kind->summary, kind->describe());
      if (const std::string_view common = common_section(listing.what); !common.empty() && !console.json)
        print_out("  `lagnet describe {}` has the keys of all {}\n", common, listing.what);
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
    if (!console.json) print_out("{}: {}\n", key, kinds_text(what));
  }
  std::vector<FieldText> keys;  // of sweep, seed, ..
  for (const FieldText& field : describe<Scenario>()) {
    names.push_back(field.key);
    if (field.key == name || field.key.starts_with(name + ".") || field.key.starts_with(name + "["))
      keys.push_back(field);
  }
  if (document.size() == kinds && !keys.empty()) show(name, "key of a scenario", keys);
  if (document.empty())
    for (const FoundKey& found : keys_called(name))
      show(found.field.key, "key of " + comma_list(found.owners), {found.field});
  if (const std::string other = name_for_word(name); document.empty() && !other.empty()) {
    if (!console.json) print_out("{}: see {}\n", name, other);
    return describe_command(other, console);
  }
  if (document.empty())
    throw InputError(
        fmt::format("describe: nothing is called {}{}; see `lagnet list`", name, did_you_mean(name, names)));
  if (console.json) print_text(indented(document));
  return 0;
}

int schema_command(const Console&) {
  print_text(indented(schema_of<Scenario>()));
  return 0;
}

namespace {

Json topology_facts(const std::string& kind, const Topology& topology) {
  const Spectrum eigenvalues = spectrum(topology);
  const Distances lengths = distances(topology);
  Json facts{{"kind", kind}};
  facts.update(graph_facts(topology));
  facts.update({{"diameter", lengths.diameter},
                {"mean_path_length", lengths.mean_path_length},
                {"distances_exact", lengths.exact},
                {"laplacian_max", eigenvalues.laplacian_max},
                {"algebraic_connectivity", number_or_null(eigenvalues.algebraic_connectivity)},
                {"metropolis_spectral_gap", spectral_gap(gossip_matrix(topology))}});
  const WeakPlaces weak = weak_places(topology);
  Json bridges = Json::array();
  for (const Edge& edge : weak.bridges) bridges.push_back({edge.from, edge.to});
  facts.update({{"bridges", std::move(bridges)}, {"articulation_points", weak.articulation_points}});
  facts["betweenness"] = nullptr;
  if (const auto share = betweenness(topology)) facts["betweenness"] = *share;
  facts["middle"] = nullptr;
  if (const auto found = middle(topology))
    facts["middle"] = {{"agent", found->agent}, {"mean_hops", found->mean_hops}, {"radius", found->radius}};
  facts["laplacian_eigenvalues"] = nullptr;
  if (const auto all = laplacian_eigenvalues(topology)) facts["laplacian_eigenvalues"] = *all;
  return facts;
}

/// "0-4 4-8 and 3 more": the first of a list.
std::string first_of(const Json& list) {
  constexpr std::size_t shown_at_most = 8;
  if (list.empty()) return "none";
  std::string text;
  for (std::size_t k = 0; k < std::min(list.size(), shown_at_most); ++k) {
    const std::string one =
        list[k].is_array() ? fmt::format("{}-{}", list[k][0].dump(), list[k][1].dump()) : list[k].dump();
    text += (k > 0 ? " " : "") + one;
  }
  return list.size() > shown_at_most ? fmt::format("{} and {} more", text, list.size() - shown_at_most) : text;
}

/// What people are told in words: lists by their first members, and whom most ways pass.
void tell_structure(const Json& facts) {
  print_out("{:24} {}\n", "bridges", first_of(facts["bridges"]));
  print_out("{:24} {}\n", "articulation_points", first_of(facts["articulation_points"]));
  if (const Json& share = facts["betweenness"]; share.is_array()) {
    const auto most = std::max_element(share.begin(), share.end());
    print_out("{:24} agent {}: {:.3g} of the shortest ways of others\n", "most_between", most - share.begin(),
              most->get<double>());
  }
  if (const Json& found = facts["middle"]; found.is_object())
    print_out("{:24} agent {}: {:.3g} edges to others on average, {} to the farthest\n", "middle",
              found["agent"].dump(), found["mean_hops"].get<double>(), found["radius"].dump());
}

/// For people, who want three digits of what is no count.
std::string fact_text(const Json& value) {
  if (value.is_number_float()) return fmt::format("{:.3g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

int topology_command(const std::string& scenario, const std::vector<std::string>& settings, const std::string& out,
                     const Console& console) {
  Json list = Json::array();
  const std::vector<SweepPoint> points = sweep_points(read_scenario_file(scenario, settings));
  if (!out.empty() && points.size() > 1)
    throw InputError(
        fmt::format("topology: -o: expected one topology to draw, found {} points of a sweep; --set "
                    "'sweep={{}}' leaves the scenario's own",
                    points.size()));
  for (const SweepPoint& point : points) {
    const Scenario read = read_scenario(point.file);
    const Topology topology = make_topology(read, point.file.shown);
    Json facts;
    Diagnostics problems(point.file.shown);
    collect_diagnostics(problems, "/topology",
                        [&] { facts = topology_facts(std::string(read.topology.kind()), topology); });
    problems.throw_if_any();
    if (const auto changes = change_of(read.topology)) facts["changes"] = *changes;
    for (const auto& [pointer, value] : point.values) facts["sweep"][pointer] = value;
    list.push_back(facts);
    if (!out.empty()) replace_file(out, svg_picture(topology));
    if (console.json) continue;
    for (const auto& [key, value] : facts.items())
      if (!value.is_structured() && !value.is_null()) print_out("{:24} {}\n", key, fact_text(value));
    tell_structure(facts);
    if (facts.contains("sweep")) print_out("{:24} {}\n", "sweep", facts["sweep"].dump());
    print_out("\n{}\n", picture(topology));
  }
  if (console.json) print_text(indented(list));
  return 0;
}

}  // namespace lagnet::tools
