#pragma once

#include <filesystem>
#include <string>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet {

/// What a run that was never run left behind, written by hand.
struct FolderText {
  std::string changes = "{}";  // merged into the scenario
  std::string progress = "round,simulated_s,relative_error\n0,0,1\n1,0.5,0.25\n";
  int last_round = 1;
};

inline std::filesystem::path write_recorded(const TestFolder& place, const std::string& name, const FolderText& text) {
  Json scenario = Json::parse(R"({
    "lagnet": 1, "name": "n", "seed": 1, "data": {"source": "libsvm", "path": "../a.txt"},
    "problem": {"loss": {"kind": "squared"}}, "topology": {"kind": "ring", "agents": 5},
    "algorithm": {"kind": "dgd"}, "record": {"every": 1, "trace": false, "timeline": false}
  })");
  scenario.merge_patch(Json::parse(text.changes));
  const Json summary{{"stop", {{"reason", "rounds"}, {"round", text.last_round}}},
                     {"scenario_crc32", checksum(scenario.dump())}};
  std::filesystem::create_directories(place.path() / name);
  place.write(name + "/scenario.json", scenario.dump());
  place.write(name + "/summary.json", summary.dump());
  place.write(name + "/progress.csv", text.progress);
  return place.path() / name;
}

/// What an OutputError says, without the test's folder; "" if there is none.
template <class Action>
std::string refusal(const TestFolder& place, Action action) {
  try {
    action();
  } catch (const OutputError& error) {
    std::string text = error.what();
    const std::string prefix = place.path().string() + "/";
    for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
    return text;
  }
  return "";
}

}  // namespace lagnet
