#include "scenarios/report/report_presentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <map>

#include "scenarios/compare/claim_verdict.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// The place of the scenario of a run.
fs::path home_of(const RecordedRun& run) { return run.point.empty() ? run.folder : run.folder.parent_path(); }

/// With its verdict, which runs that are a part of the sweep may leave open.
Json as_claim(const Choice<ClaimFamily>& claim, const std::vector<const RecordedRun*>& runs) {
  const ClaimCommon& common = claim.common();
  Json told{{"statement", common.statement},
            {"source", common.source},
            {"quote", common.quote},
            {"paper", common.paper},
            {"place", common.place},
            {"weaker", common.weaker},
            {"measured", nullptr},
            {"allowed", nullptr},
            {"holds", nullptr},
            {"verdict", nullptr},
            {"known_to_fail", common.known_to_fail}};
  try {
    const Verdict verdict = verdict_on(claim, runs);
    told.update({{"measured", verdict.measured()},
                 {"allowed", verdict.draws.front().finding.tolerance},
                 {"holds", verdict.holds()},
                 {"verdict", verdict.word()},
                 {"draws", verdict.draws.size()},
                 {"holding", verdict.holding()}});
  } catch (const OutputError& error) {
    told["measured"] = error.what();
  }
  return told;
}

/// "star agents=64": the values that distinguish a curve from the others; without values, the name of its series.
std::string curve_label(const RecordedRun& run, const std::vector<std::string>& pointers) {
  if (pointers.empty()) return run.series;
  std::vector<std::string> parts;
  for (const std::string& pointer : pointers)
    if (const Json& value = Document(run.scenario).at(pointer); !value.is_null())
      parts.push_back(named_value(pointer, value));
  return parts.empty() ? run.label : boost::join(parts, " ");
}

Json as_panel(const PanelOptions& panel, const std::vector<const RecordedRun*>& of_sweep,
              const std::map<const RecordedRun*, std::size_t>& places) {
  Json curves = Json::array();
  for (const RecordedRun* run : matching(of_sweep, panel.where)) {
    const std::string label = curve_label(*run, panel.curves);
    auto curve = std::ranges::find_if(curves, [&](const Json& known) { return known["label"] == label; });
    if (curve == curves.end()) {
      curves.push_back({{"label", label}, {"runs", Json::array()}});
      curve = curves.end() - 1;
    }
    (*curve)["runs"].push_back(places.at(run));
  }
  return {{"title", panel.title}, {"x", panel.x},         {"y", panel.y},
          {"log_x", panel.log_x}, {"log_y", panel.log_y}, {"curves", std::move(curves)}};
}

/// What the runs have at a pointer, ascending if they are numbers.
Json sorted_values(const std::vector<const RecordedRun*>& runs, const std::string& pointer) {
  Json values = Json::array();
  for (const RecordedRun* run : runs)
    if (const Json& value = Document(run->scenario).at(pointer); std::ranges::find(values, value) == values.end())
      values.push_back(value);
  if (std::ranges::all_of(values, [](const Json& value) { return value.is_number(); }))
    std::sort(values.begin(), values.end(),
              [](const Json& a, const Json& b) { return a.get<double>() < b.get<double>(); });
  return values;
}

Json as_map(const MapOptions& map, const std::vector<const RecordedRun*>& of_sweep,
            const std::map<const RecordedRun*, std::size_t>& places) {
  const std::vector<const RecordedRun*> runs = matching(of_sweep, map.where);
  Json told{{"title", map.title}, {"x", map.x}, {"y", map.y}, {"to", map.to}, {"curves", Json::array()}};
  for (const auto& [key, pointer] : {std::pair("across", &map.across), std::pair("down", &map.down)}) {
    Json values = sorted_values(runs, *pointer);
    told[key] = {{"pointer", *pointer}, {"values", std::move(values)}};
  }
  const auto place = [&](const RecordedRun& run, const char* key, const std::string& pointer) {
    const Json& values = told[key]["values"];
    return std::ranges::find(values, Document(run.scenario).at(pointer)) - values.begin();
  };
  for (const RecordedRun* run : runs) {
    const Json cell{{"label", curve_label(*run, map.curves)},
                    {"column", place(*run, "across", map.across)},
                    {"row", place(*run, "down", map.down)}};
    const auto is_there = [&](const Json& known) {
      return known["label"] == cell["label"] && known["column"] == cell["column"] && known["row"] == cell["row"];
    };
    Json& curves = told["curves"];
    auto curve = std::ranges::find_if(curves, is_there);
    if (curve == curves.end()) {
      curves.push_back(cell);
      curve = curves.end() - 1;
      (*curve)["runs"] = Json::array();
    }
    (*curve)["runs"].push_back(places.at(run));
  }
  return told;
}

}  // namespace

ReportPresentation report_presentation(const std::vector<RecordedRun>& runs) {
  std::map<const RecordedRun*, std::size_t> places;
  std::vector<fs::path> homes;
  for (const RecordedRun& run : runs) {
    places[&run] = places.size();
    if (std::ranges::find(homes, home_of(run)) == homes.end()) homes.push_back(home_of(run));
  }
  ReportPresentation found;
  for (const fs::path& home : homes) {
    const PresentationOptions said = read_presentation(read_scenario_file(home / "scenario.json"));
    std::vector<const RecordedRun*> own_places;
    for (const RecordedRun& run : runs)
      if (home_of(run) == home) own_places.push_back(&run);
    for (const auto& claim : said.expect) found.claims.push_back(as_claim(claim, own_places));
    for (const PanelOptions& panel : said.figure) found.panels.push_back(as_panel(panel, own_places, places));
    for (const MapOptions& map : said.maps) found.maps.push_back(as_map(map, own_places, places));
  }
  return found;
}

}  // namespace lagnet
