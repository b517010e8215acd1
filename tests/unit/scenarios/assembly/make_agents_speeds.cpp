#include "scenarios/assembly/make_agents.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "scenarios/assembly/assemble.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::compute_options_test {

namespace {

/// The compute model that a section "compute" describes, whose paths are as they stand.
ComputeModel made(const std::string& section, AgentId agents, std::uint64_t seed = 1) {
  Diagnostics problems("s.json");
  const Json document = Json::parse(section);
  ComputeOptions options;
  ObjectReader reader(document, "/compute", problems);
  reader.read(options);
  reader.finish();
  problems.throw_if_any();
  return make_compute(options, agents, seed, "s.json");
}

std::string told_of(const std::string& section, AgentId agents) {
  return scenario_problems([&] { made(section, agents); });
}

}  // namespace

TEST_CASE("a speed that is a number or a distribution is drawn for each agent") {
  CHECK(made(R"({"speed_flops_per_s": 2e9})", 3).time(2, 1000).ns() == 500);
  const ComputeModel drawn = made(R"({"speed_flops_per_s": {"kind": "uniform", "low": 1e6, "high": 1e9}})", 3);
  for (AgentId a = 0; a < 3; ++a) {
    const double speed = Draws(1, Purpose{"speed"}, a).uniform(1e6, 1e9);
    CHECK(drawn.time(a, 1'000'000) == Duration::seconds(1e6 / speed));
  }
}

TEST_CASE("a list of speeds has one for each agent") {
  const std::string list = R"({"speed_flops_per_s": {"kind": "list", "values": [1e9, 5e8]}})";
  CHECK(made(list, 2).time(1, 1000).ns() == 2000);
  CHECK(told_of(list, 3) ==
        "s.json: /compute/speed_flops_per_s/values: expected 3 speeds, one for each agent, found 2");
  CHECK(told_of(R"({"speed_flops_per_s": {"kind": "list", "values": [0.5]}})", 1) ==
        "s.json: /compute/speed_flops_per_s/values/0: expected a number at least 1, found 0.5");
}

TEST_CASE("agents are of a class as often as its share says") {
  const std::string classes = R"({"speed_flops_per_s": {"kind": "classes", "classes": [
    {"share": 0.7, "speed_flops_per_s": 1e9}, {"share": 0.3, "speed_flops_per_s": 1e8}]}})";
  constexpr AgentId agents = 2000;
  const ComputeModel model = made(classes, agents), fewer = made(classes, 10);
  int slow = 0;
  for (AgentId a = 0; a < agents; ++a) {
    const auto ns = model.time(a, 1000).ns();
    REQUIRE((ns == 1000 || ns == 10'000));
    slow += ns == 10'000;
    if (a < 10) CHECK(fewer.time(a, 1000).ns() == ns);
  }
  CHECK(std::abs(slow - 0.3 * agents) < 5 * std::sqrt(0.3 * 0.7 * agents));  // five standard deviations
}

TEST_CASE("classes are refused if shares do not add up, and if one may be too slow") {
  CHECK(told_of(R"({"speed_flops_per_s": {"kind": "classes", "classes": [
          {"share": 0.5, "speed_flops_per_s": 1e9}, {"share": 0.25, "speed_flops_per_s": 1e8}]}})",
                2) == "s.json: /compute/speed_flops_per_s/classes: expected shares that add up to 1, found 0.75");
  CHECK(told_of(R"({"speed_flops_per_s": {"kind": "classes", "classes": [{"speed_flops_per_s": 1e9}]}})", 2) ==
        "s.json: /compute/speed_flops_per_s/classes/0: expected key \"share\" (probability that an agent is of this "
        "class: 0.7)");
  CHECK(told_of(R"({"speed_flops_per_s": {"kind": "classes", "classes": [
          {"share": 1, "speed_flops_per_s": {"kind": "uniform", "low": 0.25, "high": 2}}]}})",
                2) ==
        "s.json: /compute/speed_flops_per_s/classes/0/speed_flops_per_s: expected numbers at least 1, found 0.25");
}

TEST_CASE("a trace gives each agent its speeds from their times on") {
  const TestFolder folder;
  folder.write("t.csv", "agent,from_s,speed_flops_per_s\r\n1,0,1e9\n0,0,2e9\n1,1e-6,0\n1,2e-6,4e9\n");
  const std::string path = (folder.path() / "t.csv").string();
  const ComputeModel model = made(R"({"speed_flops_per_s": {"kind": "trace", "path": ")" + path + "\"}}", 2);
  CHECK(model.time(0, 0, Time(), 1000).ns() == 500);
  CHECK(model.time(1, 0, Time(), 1400).ns() == 2100);  // 1000 flops in 1000 ns, 1000 ns of standing still, 400 in 100
  CHECK(model.time(1, 0, Time::nanoseconds(5000), 1000).ns() == 250);
}

TEST_CASE("every problem of a trace is reported with its line") {
  const TestFolder folder;
  const std::string path = (folder.path() / "t.csv").string();
  const std::string section = R"({"speed_flops_per_s": {"kind": "trace", "path": ")" + path + "\"}}";
  const auto line = [&](const std::string& place, const std::string& problem) {
    return "s.json: /compute/speed_flops_per_s: " + path + place + ": " + problem;
  };
  folder.write("t.csv",
               "agent,from_s,speed_flops_per_s\n"
               "0,0,1e9\n0,0,1e9\n4,0,1\nx,0,1\n1,1,1e9\n2,0,0.5\n2,-1,1\n2,2\n3,0,0\n");
  CHECK(told_of(section, 4) == line(":3", "expected a time after the last one of agent 0, 0 s, found \"0\"\n") +
                                   line(":4", "expected an agent below 4, found \"4\"\n") +
                                   line(":5", "expected an agent below 4, found \"x\"\n") +
                                   line(":6", "expected 0 s in the first line of agent 1, found \"1\"\n") +
                                   line(":7", "expected a speed of 0 or at least 1, found \"0.5\"\n") +
                                   line(":8", "expected from_s from 0 to 9000000000, found \"-1\"\n") +
                                   line(":9", "expected 3 fields, found 2\n") +
                                   line(":10", "expected a last speed of agent 3 above 0, found 0"));
  folder.write("t.csv", "agent,from_s,speed_flops_per_s\n0,0,1e9\n2,0,1e9\n");
  CHECK(told_of(section, 3) == line("", "expected a line for agent 1 from 0 s on, found none"));
  folder.write("t.csv", "agent,speed\n");
  CHECK(told_of(section, 1) == line(":1", "expected the header agent,from_s,speed_flops_per_s, found \"agent,speed\""));
  folder.write("t.csv", "");
  CHECK(told_of(section, 1) == line("", "expected the header agent,from_s,speed_flops_per_s, found an empty file"));
}

TEST_CASE("memory bandwidth and stragglers reach the model") {
  const ComputeModel model =
      made(R"({"memory_bandwidth_bytes_per_s": 1e9, "straggler": {"probability": 1, "factor": 3}})", 1);
  CHECK(model.time(0, 4, Time(), Cost(100, 200)).ns() == 600);
  CHECK(model.time(0, 4, Time(), Cost(500, 200)).ns() == 1500);
  const ComputeModel lasting = made(R"({"straggler": {"probability": 0.2, "factor": 3, "mean_rounds": null}})", 20);
  int slow = 0;
  for (AgentId a = 0; a < 20; ++a) {
    for (Round t = 1; t < 100; ++t) CHECK((lasting.is_slow(a, t) || !lasting.is_slow(a, t - 1)));
    slow += lasting.is_slow(a, 99);
  }
  CHECK(slow == 20);  // 0.8^100 = 2e-10 is the chance of each not to be
  const ComputeModel alike = made(R"({"straggler": {"probability": 0.2, "factor": 2, "mean_rounds": null}})", 20);
  for (AgentId a = 0; a < 20; ++a) CHECK(alike.is_slow(a, 2) == lasting.is_slow(a, 2));
}

TEST_CASE("invalid numbers of a straggler are refused at their keys") {
  CHECK(told_of(R"({"straggler": {"probability": 2, "factor": 0.5, "mean_rounds": 0.5}})", 1) ==
        "s.json: /compute/straggler/probability: expected a number from 0 to 1, found 2\n"
        "s.json: /compute/straggler/factor: expected a number from 1 to 1000000, found 0.5\n"
        "s.json: /compute/straggler/mean_rounds: expected a number at least 1, found 0.5");
  CHECK(told_of(R"({"memory_bandwidth_bytes_per_s": {"kind": "uniform", "low": 0, "high": 1},
                        "speed_flops_per_s": 0.5})",
                1) ==
        "s.json: /compute/speed_flops_per_s: expected numbers at least 1, found 0.5\n"
        "s.json: /compute/memory_bandwidth_bytes_per_s: expected numbers at least 1, found 0.0");
}

TEST_CASE("encryption costs the measured times of Paillier unless a scenario sets others, which are written back") {
  const auto costs = [](const std::string& changes) {
    const ScenarioFile file = small_scenario(changes);
    ExperimentCache cache;
    const Experiment made = assemble(read_scenario(file), file.shown, cache);
    const Json written = write_scenario(made.scenario, "/nowhere");
    CHECK(write_scenario(read_scenario({"again.json", "/nowhere", written}), "/nowhere") == written);
    const CipherCosts& found = made.model.ciphers;
    return std::vector<std::int64_t>{found.encrypt.ns(), found.decrypt.ns(), found.add.ns(), found.cores};
  };
  CHECK(costs("{}") == std::vector<std::int64_t>{18'882'000, 18'865'000, 54'000, 1});
  CHECK(costs(R"({"compute": {"encryption": {"decrypt_ms": 2.5, "add_ms": 0, "cores": 4}}})") ==
        std::vector<std::int64_t>{18'882'000, 2'500'000, 0, 4});
  const CipherCosts plain;
  CHECK(make_cipher_costs({}).encrypt == plain.encrypt);
  CHECK(make_cipher_costs({}).decrypt == plain.decrypt);
  CHECK(make_cipher_costs({}).add == plain.add);
}

TEST_CASE("invalid costs of encryption are refused at their keys") {
  CHECK(told_of(R"({"encryption": {"encrypt_ms": -1, "add_ms": 1e6, "cores": 0}})", 1) ==
        "s.json: /compute/encryption/encrypt_ms: expected a number from 0 to 100000, found -1\n"
        "s.json: /compute/encryption/add_ms: expected a number from 0 to 100000, found 1000000.0\n"
        "s.json: /compute/encryption/cores: expected an integer from 1 to 1000000, found 0");
}

TEST_CASE("updates of asynchronous peers take time or begin by a clock") {
  const auto told = [](const char* method, const char* update_ms, const char* clock) {
    return scenario_problems([&] {
      ComputeOptions options;
      options.update_ms = Json::parse(update_ms);
      if (std::string_view(clock) == "periodic") options.clock = Choice<ClockFamily>(PeriodicClockOptions{});
      make_compute(options, 2, 1, "s.json", AlgorithmTraits{.updates_need_time = std::string_view(method) == "peers"});
    });
  };
  const std::string refused =
      "s.json: /compute/update_ms: expected times above 0, or a clock: an agent begins its next update as soon as the "
      "last one ends, found ";
  CHECK(told("peers", "0", "free") == refused + "0");
  CHECK(told("peers", "[1, [2, 0]]", "free") == refused + "[1,[2,0]]");
  CHECK(told("peers", "[1, 2]", "free").empty());
  CHECK(told("peers", "0", "periodic").empty());
  CHECK(told("others", "0", "free").empty());
}

}  // namespace lagnet::compute_options_test
