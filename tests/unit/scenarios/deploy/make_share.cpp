#include "scenarios/deploy/make_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checkout_paths.hpp"
#include "scenarios/assembly/assemble.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/deploy/deployable.hpp"
#include "scenarios/deploy/share_file.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/sweep/plan.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::make_share_test {

namespace {

namespace fs = std::filesystem;

/// Of processes with these agents.
DeployPlan plan_of(const std::vector<std::vector<AgentId>>& processes) {
  DeployPlan plan;
  plan.scenario = Json{{"name", "test"}};
  for (const auto& agents : processes)
    plan.processes.push_back({.host = "127.0.0.1", .port = 1, .agents = {agents.begin(), agents.end()}});
  return plan;
}

/// Gives some of the agents to a world, as a process does.
class SomeAgents : public Host {
 public:
  SomeAgents(Host& world, const std::vector<AgentId>& agents) : world_(world), agents_(agents.begin(), agents.end()) {}
  void spawn(AgentId id, Program program, Role role) override {
    if (agents_.contains(id)) world_.spawn(id, std::move(program), role);
  }
  std::uint64_t seed() const override { return world_.seed(); }
  bool timing_only() const override { return world_.timing_only(); }
  std::span<const AgentId> neighbors(AgentId id) const override { return world_.neighbors(id); }
  const WorldModel& model() const override { return world_.model(); }

 private:
  Host& world_;
  std::set<AgentId> agents_;
};

struct Reports : Recorder {
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    for (const VectorView& part : parts) all[{agent, round}].emplace_back(part);
  }
  std::map<std::pair<AgentId, Round>, std::vector<Vector>> all;
};

Reports run(Simulation& world) {
  Reports reports;
  world.record(reports);
  world.run();
  return reports;
}

/// The agents of each process, as they are spread.
std::vector<std::vector<AgentId>> agents_of(AgentId agents, std::uint32_t processes) {
  std::vector<std::vector<AgentId>> all(processes);
  const auto process_of = spread(agents, processes);
  for (AgentId id = 0; id < agents; ++id) all[process_of[id]].push_back(id);
  return all;
}

/// The same run with agents whose processes have their share of the data alone, each read from its file.
Reports run_by_shares(const Experiment& experiment, const fs::path& folder) {
  const AgentId agents = experiment.network->agents();
  std::vector<Experiment> parts;
  Simulation world(*experiment.network, *experiment.compute, experiment.simulation_options(1, false));
  const auto processes = agents_of(agents, std::min<std::uint32_t>(agents, 3));
  const DeployPlan plan = plan_of(processes);
  for (std::uint32_t k = 0; k < processes.size(); ++k) {
    write_file(folder / "share", share_text(share_of(experiment, processes[k]), plan.digest(), k));
    const DataShare share = read_share(folder / "share", plan, k);
    ExperimentCache cache;
    parts.push_back(assemble(experiment.scenario, "share", cache, &share));
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    SomeAgents some(world, processes[k]);
    parts[k].algorithm->spawn(some);
  }
  return run(world);
}

/// A few rounds tell.
void shorten(Json& scenario) {
  Json& stop = scenario["stop"];
  if (stop.contains("rounds")) stop["rounds"] = 3;
  if (stop.contains("updates")) stop["updates"] = 40;
  if (stop.contains("simulated_s") && !stop.contains("rounds") && !stop.contains("updates"))
    stop["simulated_s"] = 0.05 * stop["simulated_s"].get<double>();
  scenario.erase("expect");
}

}  // namespace

TEST_CASE("agents with their share of the data compute the bits of those with all of them") {
  const TestFolder place;
  std::set<std::string> kinds, undivided;
  for (const auto& entry : fs::directory_iterator(fs::path(LAGNET_SOURCE_DIR) / "scenarios/golden")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".json") || name.ends_with(".golden.json")) continue;
    ScenarioFile file = read_scenario_file(entry.path());
    shorten(file.document);
    Plan plan(file);
    std::set<std::string> met;  // one point of each method
    for (std::size_t i = 0; i < plan.names.size(); ++i) {
      const Experiment experiment = plan.take(i);
      const std::string kind(experiment.scenario.algorithm.kind());
      if (!met.insert(kind).second || !why_not_deployed(experiment).empty()) continue;
      INFO(name << ", " << kind);
      if (experiment.traits.partition_by == PartitionBy::cells) {
        CHECK_THROWS_WITH(share_of(experiment, {0}), Catch::Contains("hold cells of them"));
        undivided.insert(kind);
        continue;
      }
      if (experiment.problem.loss->kind() == "limited_squares") {
        CHECK_THROWS_WITH(share_of(experiment, {0}),
                          Catch::Contains("of variables with limits, refers to all of them"));
        undivided.insert(kind);
        continue;
      }
      const auto whole = experiment.simulation(1);
      const Reports want = run(*whole), found = run_by_shares(experiment, place.path());
      CHECK_FALSE(want.all.empty());
      CHECK(found.all == want.all);
      kinds.insert(kind);
    }
  }
  CHECK(kinds.size() >= 40);
  CHECK(undivided.size() >= 1);
}

TEST_CASE("a share has the rows of its agents, and of others their number") {
  ExperimentCache cache;
  const Scenario scenario = read_scenario(small_scenario(
      R"({"algorithm": {"kind": "dgd", "step": 0.1}, "problem": {"regularizer": {"kind": "none", "weight": null}}})"));
  const Experiment experiment = assemble(scenario, "small", cache);
  const DataShare share = share_of(experiment, {1, 3});
  CHECK(share.held == std::vector<Index>{4, 5, 6, 7, 12, 13, 14, 15});
  const DataSet data = data_of(share);
  const Matrix X = data.X.dense(), all = experiment.problem.X->dense();
  REQUIRE((X.rows() == 20 && X.cols() == 7));
  for (Index row = 0; row < 20; ++row) {
    const bool is_held = std::ranges::binary_search(share.held, row);
    CHECK(X.row(row) == (is_held ? Matrix(all.row(row)) : Matrix(Matrix::Zero(1, 7))));
    CHECK(data.y[row] == (is_held ? experiment.problem.y[row] : experiment.problem.y.minCoeff()));
  }
}

TEST_CASE("a share has an optimum and norms only if the method's constants need them") {
  ExperimentCache cache;
  const auto share = [&](const std::string& changes) {
    return share_of(assemble(read_scenario(small_scenario(changes)), "small", cache), {0});
  };
  const DataShare theory = share("{}"), steps = share(R"({"algorithm": {"sigma": 1, "tau": 0.01, "chi": 5}})");
  CHECK((theory.norm && theory.optimum && theory.spectra.norms.empty()));
  CHECK_FALSE((steps.norm || steps.optimum));
  const DataShare smooth = share(R"({"algorithm": {"kind": "gradient_tracking"}, "problem": {"regularizer": null}})");
  CHECK((!smooth.optimum && smooth.spectra.norms.size() == 5));
}

TEST_CASE("a damaged share, or one of another process or plan, is refused by name") {
  const TestFolder place;
  ExperimentCache cache;
  const Scenario scenario = read_scenario(small_scenario(
      R"({"algorithm": {"kind": "dgd", "step": 0.1}, "problem": {"regularizer": {"kind": "none", "weight": null}}})"));
  const DeployPlan plan = plan_of({{0}, {2, 4}, {1, 3}});
  const std::string whole = share_text(share_of(assemble(scenario, "small", cache), {1, 3}), plan.digest(), 2);
  const fs::path file = place.path() / "s.cbor";
  const auto refused_as = [&](int process, const std::string& found) {
    return fmt::format("{}: expected the data of process {} of this plan, found {}; `lagnet deploy shares` makes them",
                       file.string(), process, found);
  };
  write_file(file, whole);
  CHECK_THROWS_WITH(read_share(file, plan, 1), refused_as(1, "those of process 2"));
  CHECK_THROWS_WITH(read_share(file, plan_of({{0}, {1}, {3, 4}}), 2), refused_as(2, "those of agents 1, 3"));
  DeployPlan other = plan;
  other.scenario["name"] = "other";
  CHECK_THROWS_WITH(read_share(file, other, 2), refused_as(2, "those of another plan"));
  write_file(file, "{}");
  CHECK_THROWS_WITH(read_share(file, plan, 2), refused_as(2, "something else"));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x15);
    write_file(file, changed);
    try {
      const DataShare share = read_share(file, plan, 2);
      CHECK(data_of(share).X.rows() == share.rows);
    } catch (const RunError&) {
      ++refused;
    }
    write_file(file, whole.substr(0, at));
    CHECK_THROWS_AS(read_share(file, plan, 2), RunError);
  }
  CHECK(refused == whole.size());
}

}  // namespace lagnet::make_share_test
