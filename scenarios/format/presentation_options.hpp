#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/kinds/claim_kinds.hpp"

/// The parts of a scenario about all its runs together: claims, figures, maps.
namespace lagnet {

/// A panel of the figure that a sweep draws.
struct PanelOptions {
  std::string title, x = "round", y = "relative_error";
  Json where = Json::object();
  std::vector<std::string> curves;
  bool log_x = false, log_y = true;
  static void fields(auto& self, auto& field) {
    field("title", self.title, "title of the panel");
    field("x", self.x, "column of progress.csv on the horizontal axis");
    field("y", self.y, "column of progress.csv on the vertical axis");
    field("where", self.where,
          "which runs: JSON pointers into a run's scenario, each to a value, a list of values, or a range");
    field("curves", self.curves, "JSON pointers whose values distinguish the curves; by default those of the sweep");
    field("log_x", self.log_x, "horizontal axis on a log scale");
    field("log_y", self.log_y, "vertical axis on a log scale");
  }
  void check(auto& report) const {
    MeasureOptions::check_where(report, "where", where);
    for (std::size_t i = 0; i < curves.size(); ++i)
      if (!curves[i].starts_with('/')) report("curves/" + std::to_string(i), "a JSON pointer", curves[i]);
  }
};

/// A map of a sweep: a cell for each pair of values of two keys, with the curve that is first to a level.
struct MapOptions {
  std::string title, across, down, x = "simulated_s", y = "relative_error";
  double to = 0;
  Json where = Json::object();
  std::vector<std::string> curves;
  static void fields(auto& self, auto& field) {
    field("title", self.title, "title of the map");
    field("across", self.across, "a JSON pointer whose values are the columns", any_value().required());
    field("down", self.down, "a JSON pointer whose values are the rows", any_value().required());
    field("curves", self.curves, "JSON pointers whose values distinguish who competes in a cell",
          any_value().required());
    field("y", self.y, "column of progress.csv that falls to the level");
    field("to", self.to, "the level", above(0).required());
    field("x", self.x, "column of progress.csv whose smallest value wins, in the first row at or below the level");
    field("where", self.where, "which runs, as in figure");
  }
  void check(auto& report) const {
    MeasureOptions::check_where(report, "where", where);
    for (const auto& [key, pointer] : {std::pair("across", &across), std::pair("down", &down)})
      if (!pointer->starts_with('/')) report(key, "a JSON pointer", *pointer);
    if (curves.empty()) report("curves", "one JSON pointer or more", "none");
    for (std::size_t i = 0; i < curves.size(); ++i)
      if (!curves[i].starts_with('/')) report("curves/" + std::to_string(i), "a JSON pointer", curves[i]);
  }
};

/// The parts of a scenario that concern all its runs together: claims, figures, and changes for the full size. They
/// belong to no single run of a sweep.
struct PresentationOptions {
  std::vector<Choice<ClaimFamily>> expect;
  std::vector<PanelOptions> figure;
  std::vector<MapOptions> maps;
  Json full = Json::object();
  static void fields(auto& self, auto& field) {
    field("expect", self.expect,
          "statements about the results, which `lagnet check` evaluates (`lagnet list claims`): [{\"kind\": \"best\", "
          "\"statement\": \"64 agents end best\", \"over\": \"/topology/agents\", \"value\": 64}]");
    field("figure", self.figure, "panels in which `lagnet report` draws the results");
    field("maps", self.maps, "maps over two swept keys, which show who is first to a level");
    field("full", self.full, "JSON pointers to the values that `lagnet reproduce --full` sets");
  }
  void check(auto& report) const {
    if (!full.is_object()) report("full", "an object of JSON pointers to values", full);
  }
};

inline constexpr std::array presentation_keys{"expect", "figure", "maps", "full"};

}  // namespace lagnet
