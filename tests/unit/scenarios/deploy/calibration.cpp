#include "scenarios/deploy/calibration.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::calibration_test {

namespace {

/// Agents 0 and 1 in process 0, agent 2 in process 1, and a path over all of them.
const std::vector<std::uint32_t> process_of{0, 0, 1};
Network path() {
  return Network(3, {{.from = 0, .to = 1}, {.from = 1, .to = 0}, {.from = 1, .to = 2}, {.from = 2, .to = 1}});
}

CalibrationRecord record_of(std::int64_t process, std::int64_t other, double bytes_per_s, double round_trip_s) {
  CalibrationRecord record;
  record.process = process;
  record.scenario = "12ab";
  record.agents = process == 0 ? std::vector<std::int64_t>{0, 1} : std::vector<std::int64_t>{2};
  record.flops_per_s.assign(record.agents.size(), 1e9 * static_cast<double>(1 + process));
  record.ways.push_back(
      {.to = other, .round_trip_s = round_trip_s, .round_trips = 9, .bytes_per_s = bytes_per_s, .bytes = 1000});
  return record;
}

std::string refusal_of(const std::vector<CalibrationRecord>& records) {
  try {
    calibrated_sections(path(), process_of, records);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("simulated messages take as long as measured ones") {
  // A ping has a frame of 100 bytes: at 1e5 and 2e5 bytes per second it takes 1 and 0.5 ms to be sent.
  const Json sections =
      calibrated_sections(path(), process_of, {record_of(0, 1, 1e5, 0.0205), record_of(1, 0, 2e5, 0.0225)});
  const Json& network = sections["network"];
  CHECK(network["header_bytes"] == 92);
  REQUIRE(network["links"].size() == 4);
  const auto latency = Approx(10).epsilon(1e-12);  // (21.5 - 1.5) / 2 ms
  CHECK(network["links"][2]["links"] == Json::array({Json::array({1, 2})}));
  CHECK(network["links"][2]["latency_ms"].get<double>() == latency);
  CHECK(network["links"][2]["bandwidth_bytes_per_s"] == 1e5);
  CHECK(network["links"][3]["latency_ms"].get<double>() == latency);
  CHECK(network["links"][3]["bandwidth_bytes_per_s"] == 2e5);
  CHECK(network["latency_ms"].get<double>() == latency);
  CHECK(network["links"][0]["latency_ms"] == 0);  // within a process
  CHECK(sections["compute"]["speed_flops_per_s"] == Json{{"kind", "list"}, {"values", {1e9, 1e9, 2e9}}});
}

TEST_CASE("a latency is not below zero where a network is so fast that nothing is left") {
  const Json sections =
      calibrated_sections(path(), process_of, {record_of(0, 1, 1e3, 1e-3), record_of(1, 0, 1e3, 1e-3)});
  CHECK(sections["network"]["links"][2]["latency_ms"] == 0);
}

TEST_CASE("records that are missing, strange or there twice are named all at once") {
  const auto first = record_of(0, 1, 1e5, 0.02), second = record_of(1, 0, 1e5, 0.02), strange = record_of(7, 0, 1e5, 1);
  CHECK(refusal_of({first, second}).empty());
  CHECK(refusal_of({first, first, strange}) ==
        "two records of process 0\na record of process 7, which the plan does not have\nno record of process 1");
  CHECK(refusal_of({first, record_of(1, 5, 1e5, 0.02)}) == "process 1 has not measured the path to 0");
  auto speechless = second;
  speechless.agents.clear();
  speechless.flops_per_s.clear();
  CHECK(refusal_of({first, speechless}) == "no record has the speed of agent 2");
}

TEST_CASE("a record is read as it was written, and a wrong one is refused with all problems") {
  const TestFolder place;
  const CalibrationRecord record = record_of(1, 0, 3e5, 0.25);
  place.write("a.calibration", record_text(record));
  CHECK(record_text(read_calibration(place.path() / "a.calibration")) == record_text(record));
  const auto refused = [&](const std::string& text) -> std::string {
    place.write("b.calibration", text);
    try {
      read_calibration(place.path() / "b.calibration");
    } catch (const Diagnosed& error) {
      return error.what();
    }
    return "";
  };
  const std::string told = refused(
      R"({"lagnet_calibration": 2, "process": -1, "scenario": "", "agents": [1], "flops_per_s": [], "ways": [{}]})");
  for (const std::string part : {"/lagnet_calibration", "/process", "/ways/0: expected key \"to\"", "\"round_trip_s\""})
    CHECK(told.find(part) != std::string::npos);
  auto speechless = record;
  speechless.flops_per_s.clear();
  CHECK(refused(record_text(speechless)).find("/flops_per_s: expected one for each agent") != std::string::npos);
}

}  // namespace lagnet::calibration_test
