#include "scenarios/results/recorded_runs.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/scenarios/results/recorded_folder.hpp"

namespace lagnet::recorded_runs_test {

namespace fs = std::filesystem;

namespace {

/// What reading one folder says; "" if it can be read.
std::string refused(const TestFolder& place, const std::string& name) {
  return refusal(place, [&] { read_recorded_runs({place.path() / name}); });
}

/// A sweep over two kinds of topology, of which the last point ended by an error.
fs::path write_sweep_folder(const TestFolder& place, const std::string& name) {
  write_recorded(place, name + "/000", {.changes = R"({"topology": {"kind": "ring"}})"});
  write_recorded(place, name + "/001", {.changes = R"({"topology": {"kind": "star"}})"});
  fs::create_directory(place.path() / name / "002");
  place.write(name + "/002/error.txt", "agent 0: it broke\n");
  const std::string scenario = R"({"sweep": {"/topology/kind": ["ring", "star", "complete"], "/none": [1]}})";
  place.write(name + "/scenario.json", scenario);
  place.write(name + "/sweep.json", Json{{"scenario_crc32", checksum(scenario)}}.dump());
  place.write(name + "/sweep.csv",
              "point,folder,topology,none,stop\n000,./000,ring,1,rounds\n001,./001,star,1,rounds\n"
              "002,./002,complete,1,error\n");
  return place.path() / name;
}

}  // namespace

TEST_CASE("a run folder is read back with its columns, and empty cells are not numbers") {
  const TestFolder place;
  const fs::path folder =
      write_recorded(place, "r", {.progress = "round,simulated_s,relative_error\n0,0,\n1,1e-3,inf\n", .last_round = 1});
  const RecordedRuns read = read_recorded_runs({folder});
  REQUIRE(read.runs.size() == 1);
  const RecordedRun& run = read.runs[0];
  CHECK(run.label == "r");
  CHECK(run.folder == folder);
  CHECK(run.seed() == 1);
  CHECK(run.point.empty());
  CHECK(run.progress.rows() == 2);
  CHECK(*run.progress.find("simulated_s") == std::vector<double>{0, 1e-3});
  CHECK(std::isnan(recorded_column(run, "relative_error")[0]));
  CHECK(std::isinf(recorded_column(run, "relative_error")[1]));
  CHECK(run.progress.find("bytes") == nullptr);
  CHECK(refusal(place, [&] { recorded_column(run, "simulated"); }) ==
        "r/progress.csv: expected one of the columns round, simulated_s, relative_error, found simulated; did you mean "
        "simulated_s?");
}

TEST_CASE("a sweep's points are read with their values, and those that broke are named") {
  const TestFolder place;
  const RecordedRuns read = read_recorded_runs({write_sweep_folder(place, "s")});
  REQUIRE(read.runs.size() == 2);
  CHECK(read.runs[0].label == "ring");
  CHECK(read.runs[1].label == "star");
  CHECK(read.runs[0].point[0].second == "ring");
  CHECK(read.runs[1].point == std::vector<std::pair<std::string, Json>>{{"/topology/kind", "star"}, {"/none", Json()}});
  REQUIRE(read.broken.size() == 1);
  CHECK(read.broken[0] == (place.path() / "s/002").string() + ": agent 0: it broke");
}

TEST_CASE("runs are called as their series, with the seed where there are several, and all labels are distinct") {
  const TestFolder seeds;
  const auto of_seeds =
      read_recorded_runs({write_recorded(seeds, "a", {.changes = R"({"label": "mine"})"}),
                          write_recorded(seeds, "b", {.changes = R"({"label": "mine", "seed": 2})"}),
                          write_recorded(seeds, "c", {.changes = R"({"algorithm": {"kind": "nids"}})"})});
  CHECK(of_seeds.runs[0].label == "mine seed=1");
  CHECK(of_seeds.runs[1].label == "mine seed=2");
  CHECK(of_seeds.runs[1].series == "mine");
  CHECK(of_seeds.runs[2].label == "nids");

  const TestFolder place;
  const RecordedRuns read = read_recorded_runs(
      {write_sweep_folder(place, "s"), write_recorded(place, "a", {}) / "", write_recorded(place, "b", {})});
  std::vector<std::string> labels;
  for (const RecordedRun& run : read.runs) labels.push_back(run.label);
  // Two of them are the same run, and the sweep has data of its own.
  const auto in = [&](const char* path) { return (place.path() / path).string(); };
  CHECK(labels ==
        std::vector<std::string>{"ring path=" + in("s/a.txt"), "star path=" + in("s/a.txt"), in("a/"), in("b")});
  CHECK(read.runs[2].series == "ring path=" + in("a.txt"));
  const RecordedRuns namesakes =
      read_recorded_runs({write_recorded(place, "x/r", {}), write_recorded(place, "y/r", {})});
  CHECK(namesakes.runs[0].label == "path=" + in("x/a.txt"));
  CHECK(namesakes.runs[1].label == "path=" + in("y/a.txt"));
}

TEST_CASE("an incomplete result folder is refused with one line") {
  const TestFolder place;
  const std::string expected = ": expected the folder of a run or a sweep, found ";
  CHECK(refused(place, "absent") == "absent" + expected + "nothing");
  fs::create_directory(place.path() / "empty");
  CHECK(refused(place, "empty") == "empty" + expected + "an empty folder");
  place.write("file", "text");
  CHECK(refused(place, "file") == "file" + expected + "a file");
  fs::create_directory(place.path() / "other");
  place.write("other/text", "text");
  CHECK(refused(place, "other") == "other" + expected + "something else");
  write_recorded(place, "r.partial", {});
  CHECK(refused(place, "r.partial") == "r.partial" + expected + "one that is not finished");
  CHECK(refused(place, "r") == "r" + expected + "only r.partial, which is not finished");
  write_recorded(place, "same", {});
  CHECK(refusal(place, [&] {
          read_recorded_runs({place.path() / "same", place.path() / "same/"});
        }) == "same/: given twice");
}

TEST_CASE("a folder that lacks a file, or whose files do not belong together, is refused") {
  const TestFolder place;
  for (const std::string name : {"scenario.json", "summary.json", "progress.csv"}) {
    fs::remove(write_recorded(place, "r", {}) / name);
    CHECK(refused(place, "r") == "r/" + name + ": missing");
  }
  write_recorded(place, "r", {});
  place.write("r/scenario.json", "{}");
  CHECK_THAT(refused(place, "r"),
             Catch::StartsWith("r/scenario.json: is not the scenario of these results: its CRC-32"));
  write_recorded(place, "r", {.last_round = 7});
  CHECK(refused(place, "r") == "r/progress.csv: expected the last row to be of round 7, as summary.json says, found 1");
  write_recorded(place, "r", {.progress = "round,simulated_s\n0,0\n1"});
  CHECK(refused(place, "r") == "r/progress.csv:3: expected 2 cells, as in the header, found 1");
  write_recorded(place, "r", {.progress = "round,simulated_s\n0,0\n1,soon\n"});
  CHECK(refused(place, "r") == "r/progress.csv:3: expected a number or nothing in simulated_s, found \"soon\"");
  write_recorded(place, "r", {.progress = ""});
  CHECK(refused(place, "r") == "r/progress.csv: expected a header, found nothing");
  fs::remove(write_sweep_folder(place, "s") / "sweep.csv");
  CHECK(refused(place, "s") == "s/sweep.csv: missing");
  write_sweep_folder(place, "s");
  place.write("s/sweep.csv", "point,folder\n000,./000\n001\n");
  CHECK(refused(place, "s") == "s/sweep.csv:3: expected 2 cells, as in the header, found 1");
  fs::remove(write_sweep_folder(place, "s") / "001/progress.csv");
  CHECK(refused(place, "s") == "s/001/progress.csv: missing");
}

TEST_CASE("a scenario's paths are the same from wherever its folder is") {
  const TestFolder place;
  const RecordedRuns read =
      read_recorded_runs({write_recorded(place, "r", {}),
                          write_recorded(place, "deep/er", {.changes = R"({"data": {"path": "../../a.txt"}})"})});
  CHECK(read.runs[0].scenario != read.runs[1].scenario);
  const Json rooted = rooted_scenario(read.runs[0]);
  CHECK(rooted == rooted_scenario(read.runs[1]));
  CHECK(rooted["data"]["path"] == (fs::canonical(place.path()) / "a.txt").string());
}

}  // namespace lagnet::recorded_runs_test
