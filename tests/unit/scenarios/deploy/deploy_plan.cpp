#include "scenarios/deploy/deploy_plan.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::deploy_plan_test {

namespace {

std::string refusal_of_hosts(const std::string& text, AgentId agents) {
  try {
    read_hosts(text, agents, "hosts");
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_plan(const std::string& text, AgentId agents) {
  const TestFolder place;
  place.write("plan.json", text);
  try {
    check_plan(read_plan(place.path() / "plan.json").plan, agents, "plan");
  } catch (const Diagnosed& error) {
    const std::string told = error.what(), folder = place.path().string() + "/";
    std::string without;
    for (std::size_t at = 0, next; at <= told.size(); at = next + folder.size()) {
      next = told.find(folder, at);
      without += told.substr(at, next == std::string::npos ? next : next - at);
      if (next == std::string::npos) break;
    }
    return without;
  }
  return "";
}

}  // namespace

TEST_CASE("agents are spread over processes in order, at least one on each") {
  CHECK(spread(6, 6) == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5});
  CHECK(spread(5, 2) == std::vector<std::uint32_t>{0, 0, 0, 1, 1});
  CHECK(spread(3, 1) == std::vector<std::uint32_t>{0, 0, 0});
}

TEST_CASE("a list of hosts names processes and, if given, their agents") {
  const auto spread_out = read_hosts("10.0.0.2:7700\n\n# the second\n[::1]:7701  # here\n", 3, "hosts");
  REQUIRE(spread_out.size() == 2);
  CHECK(spread_out[0].host == "10.0.0.2");
  CHECK(spread_out[0].port == 7700);
  CHECK(spread_out[0].agents == std::vector<std::int64_t>{0, 1});
  CHECK(spread_out[1].host == "::1");
  CHECK(spread_out[1].agents == std::vector<std::int64_t>{2});
  const auto named = read_hosts("a:1 2\nb:2 0 1\n", 3, "hosts");
  CHECK(named[0].agents == std::vector<std::int64_t>{2});
  CHECK(named[1].agents == std::vector<std::int64_t>{0, 1});
}

TEST_CASE("all problems of a list of hosts are reported with their lines") {
  CHECK(refusal_of_hosts("a\nb:0\nc:70000 1\nd:1 x 3\n", 3) ==
        "hosts: line 1: expected HOST:PORT, as 10.0.0.2:7700, found a\n"
        "hosts: line 2: expected HOST:PORT, as 10.0.0.2:7700, found b:0\n"
        "hosts: line 3: expected HOST:PORT, as 10.0.0.2:7700, found c:70000\n"
        "hosts: line 4: expected agents from 0 to 2, found x\n"
        "hosts: line 4: expected agents from 0 to 2, found 3");
  CHECK(refusal_of_hosts("# nobody\n", 3) == "hosts: line 1: expected HOST:PORT of a process, found none");
  CHECK(refusal_of_hosts("a:1\nb:1\n", 1) == "hosts: 2 lines: expected at most 1, one for each agent");
}

TEST_CASE("a plan must have each agent once") {
  const std::string head = R"({"lagnet_plan": 1, "scenario": {}, "processes": [{"host": "a", "port": 1, "agents": )";
  CHECK(refusal_of_plan(head + "[0, 1, 2]}]}", 3).empty());
  CHECK(refusal_of_plan(head + "[0, 0, 3]}]}", 3) ==
        "plan: /processes/0/agents/1: expected an agent that no other process runs, found 0\n"
        "plan: /processes/0/agents/2: expected an agent from 0 to 2, found 3\n"
        "plan: /processes: expected one that runs agent 1\n"
        "plan: /processes: expected one that runs agent 2");
  CHECK(refusal_of_plan(R"({"lagnet_plan": 2, "processes": []})", 3) ==
        "plan.json: /lagnet_plan: expected an integer from 1 to 1, found 2\n"
        R"(plan.json: expected key "scenario" (the scenario))");
}

}  // namespace lagnet::deploy_plan_test
