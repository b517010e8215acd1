#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "sim/accounts/critical_path.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"
#include "tests/property/registered/troubled_worlds.hpp"

/// The critical path of every method, in worlds with every trouble: it adds up to the time of the last report.
namespace lagnet::critical_paths_test {

namespace {

/// What there is of each kind on the path of a run.
std::map<PathKind, Duration> kinds_on_path(const Json& document) {
  ExperimentCache cache;
  const Experiment experiment = assemble(read_scenario({"path.json", "/nowhere", document}), "path.json", cache);
  const auto world = experiment.simulation(1);
  CriticalPath path(world->network(), world->model());
  world->listen(path);
  const auto last_report = [&]() -> Time {
    try {
      return world->run().last_report;
    } catch (const Deadlock&) {
      return path.sums().until;
    }
  }();
  const PathSums sums = path.sums();
  CHECK(sums.until == last_report);
  std::map<PathKind, Duration> kinds;
  Duration all;
  for (const auto& [kind, of, time] : sums.parts) {
    CHECK(time > Duration());
    kinds[kind] += time;
    all += time;
  }
  CHECK(Time() + all == last_report);
  return kinds;
}

}  // namespace

TEST_CASE("The critical path of every method adds up to the last report's time in worlds with every trouble") {
  std::map<PathKind, Duration> found;
  int runs = 0;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    if (entry->kind == python_kind) continue;  // classes of the user's
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    const Json small = test::scenario_with(*entry, traits);
    auto worlds = traits.server ? test::worlds_of_servers() : test::worlds_of_peers();
    worlds["narrow interfaces"] = R"({"network": {"up_bytes_per_s": 2e4, "down_bytes_per_s": 3e4}})";
    worlds["fair"] = R"({"network": {"up_bytes_per_s": 2e4, "sharing": "fair"}})";
    worlds["store and forward"] = R"({"network": {"up_bytes_per_s": 2e4, "forwarding": "store_and_forward"}})";
    worlds["connections"] = R"({"network": {"up_bytes_per_s": 2e4, "transport": {"kind": "tcp"}}})";
    for (const auto& [world, changes] : worlds) {
      CAPTURE(std::string(entry->kind), world);
      Json document = small;
      document.merge_patch(Json::parse(changes));
      document["stop"]["simulated_s"] = 2;  // asynchronous agents never end
      if (!test::is_accepted(document)) continue;
      for (const auto& [kind, time] : kinds_on_path(document)) found[kind] += time;
      ++runs;
    }
  }
  CHECK(runs > 400);
  CHECK(found.size() >= path_kinds - 2);  // methods may neither encrypt nor sleep there
}

}  // namespace lagnet::critical_paths_test
