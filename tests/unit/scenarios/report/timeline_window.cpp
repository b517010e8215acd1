#include "scenarios/report/timeline_window.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::timeline_window_test {

/// In a folder of its own: tests run side by side.
struct TimelineFile {
  explicit TimelineFile(const std::string& text) { folder.write("timeline.json", text); }
  TestFolder folder;
  std::filesystem::path path = folder.path() / "timeline.json";
};

/// Two agents that compute and send to each other, with every line as a run writes it.
std::string two_agents() {
  return R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"agent 0"}},
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":2000,"dur":0,"name":"send"},
{"ph":"b","cat":"message","pid":2,"tid":1,"ts":2000,"id":1,"name":"0 → 1, round 1","args":{"bytes":64}},
{"ph":"b","cat":"message","pid":2,"tid":1,"ts":3000,"id":2,"name":"1 → 0, round 1","args":{"bytes":64}},
{"ph":"e","cat":"message","pid":2,"tid":1,"ts":5000,"id":1,"name":"0 → 1, round 1","args":{"queued_us":0}},
{"ph":"X","cat":"agent","pid":1,"tid":2,"ts":3000,"dur":2000,"name":"wait","args":{"round":1}},
{"ph":"e","cat":"message","pid":2,"tid":1,"ts":7000,"id":2,"name":"1 → 0, round 1","args":{"lost":"loss"}},
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":0,"dur":2000,"name":"compute","args":{"round":1,"flops":9}},
{"ph":"X","cat":"agent","pid":1,"tid":2,"ts":5000,"dur":4000,"name":"compute","args":{"round":2,"flops":9}}
]}
)";
}

Json slices(const TimelineWindow& window) {
  const TimelineFile file(two_agents());
  return read_timeline_window(file.path, 2, window)["slices"];
}

TEST_CASE("a window has activities and messages by their start") {
  CHECK(slices({.agents_max = 9, .slices_max = 9}) == Json::parse(R"([
    [0, "compute", 0, 0.002, 1], [1, "transfer", 0.002, 0.005, 1, 0], [1, "wait", 0.003, 0.005, 1],
    [0, "lost", 0.003, 0.007, 1, 1, "loss"], [1, "compute", 0.005, 0.009, 2]])"));
}

TEST_CASE("activities that reach over an end of the window are cut there, and messages keep their times") {
  CHECK(slices({.from_s = 0.004, .to_s = 0.006, .agents_max = 9, .slices_max = 9}) == Json::parse(R"([
    [1, "transfer", 0.002, 0.005, 1, 0], [1, "wait", 0.004, 0.005, 1], [0, "lost", 0.003, 0.007, 1, 1, "loss"],
    [1, "compute", 0.005, 0.006, 2]])"));
  CHECK(slices({.from_s = 0.01, .agents_max = 9, .slices_max = 9}).empty());
}

TEST_CASE("a wait written after the messages received meanwhile is in the window") {
  const TimelineFile file(R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":0,"dur":1000,"name":"compute","args":{"round":1}},
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":6000,"dur":0,"name":"receive"},
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":1000,"dur":8000,"name":"wait","args":{"round":1}},
{"ph":"X","cat":"agent","pid":1,"tid":1,"ts":9000,"dur":1000,"name":"compute","args":{"round":2}}
]}
)");
  CHECK(read_timeline_window(file.path, 1, {.to_s = 0.005, .agents_max = 1, .slices_max = 9})["slices"] ==
        Json::parse(R"([[0, "compute", 0, 0.001, 1], [0, "wait", 0.001, 0.005, 1]])"));
}

TEST_CASE("too many agents or slices are left out, and the window says so") {
  const TimelineFile file(two_agents());
  const Json one = read_timeline_window(file.path, 2, {.agents_max = 1, .slices_max = 9});
  CHECK(one["slices"] == Json::parse(R"([[0, "compute", 0, 0.002, 1], [0, "lost", 0.003, 0.007, 1, 1, "loss"]])"));
  CHECK(one["agents"] == Json::parse("[0]"));
  CHECK(one["remark"] == "The first 1 of 2 agents are drawn.");
  const Json two = read_timeline_window(file.path, 2, {.agents_max = 2, .slices_max = 2});
  CHECK(two["slices"] == Json::parse(R"([[0, "compute", 0, 0.002, 1], [1, "transfer", 0.002, 0.005, 1, 0]])"));
  CHECK(two["to_s"] == 0.003);
  CHECK(two["remark"] == "More than 2 slices are not drawn: the window ends here.");
}

TEST_CASE("a message that the end of the run left on its way says so") {
  const TimelineFile file(R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"b","cat":"message","pid":2,"tid":1,"ts":2000,"id":1,"name":"0 → 1, round 1","args":{"bytes":64}},
{"ph":"e","cat":"message","pid":2,"tid":1,"ts":9000,"id":1,"name":"0 → 1, round 1","args":{"arrived":false}}
]}
)");
  CHECK(read_timeline_window(file.path, 2, {.agents_max = 2, .slices_max = 9})["slices"] ==
        Json::parse(R"([[1, "transfer", 0.002, 0.009, 1, 0, "unfinished"]])"));
}

TEST_CASE("an invalid line of a timeline is refused by its number") {
  const TimelineFile file("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"X\",\"ts\":5,\n");
  CHECK_THROWS_WITH(read_timeline_window(file.path, 2, {.agents_max = 2, .slices_max = 2}),
                    file.path.string() + ":2: expected an event of a timeline, found something else");
}

}  // namespace lagnet::timeline_window_test
