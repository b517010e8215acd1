#include "scenarios/deploy/told_run.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::told_run_test {

namespace {

namespace fs = std::filesystem;

Experiment two_agents() {
  const ScenarioFile file{.shown = "test", .folder = ".", .document = Json::parse(R"({"lagnet": 1, "name": "two",
    "data": {"source": "gaussian_regression", "samples": 8, "features": 2}, "record": {"optimum": false},
    "topology": {"kind": "complete", "agents": 2}, "algorithm": {"kind": "dgd", "step": 0.1},
    "stop": {"rounds": 3}})")};
  ExperimentCache cache;
  return assemble(read_scenario(file), "test", cache);
}

SimEvent event(std::int64_t ns, EventKind what, AgentId agent, AgentId peer, LinkId link) {
  SimEvent event;
  event.at = Time::nanoseconds(ns);
  event.what = what;
  event.agent = agent;
  event.peer = peer;
  event.link = link;
  event.amount = 8;
  return event;
}

struct Told : Listener {
  void on_event(const SimEvent& what) override { all.push_back(what); }
  std::vector<SimEvent> all;
};

fs::path write_log(const TestFolder& place, const std::string& name, const LogStart& start,
                   const std::vector<SimEvent>& events, bool ends = true) {
  EventLog log(place.path() / name);
  log.start(start);
  for (const SimEvent& one : events) log.on_event(one);
  if (ends) log.end(Time::nanoseconds(1000), {});
  return place.path() / name;
}

std::vector<std::pair<EventKind, std::int64_t>> told(const Experiment& experiment, const std::vector<fs::path>& logs) {
  ToldRun run(experiment, logs);
  Told listener;
  run.listen(listener);
  run.run();
  std::vector<std::pair<EventKind, std::int64_t>> all;
  for (const SimEvent& one : listener.all) all.emplace_back(one.what, one.at.ns());
  return all;
}

}  // namespace

TEST_CASE("records of processes on one computer are replayed in the order of their common clock") {
  const Experiment experiment = two_agents();
  const TestFolder place;
  const LinkId there = experiment.network->find(0, 1);
  // The second one began 100 ns later, by the clock that both have; their wall clocks do not count.
  const auto first =
      write_log(place, "0", {.wall_ns = 900, .steady_ns = 1000, .boot = "a"},
                {event(50, EventKind::sent, 0, 1, there), event(400, EventKind::computed, 0, 0, no_link)});
  const auto second = write_log(place, "1", {.wall_ns = 0, .steady_ns = 1100, .boot = "a"},
                                {event(20, EventKind::delivered, 1, 0, there)});
  CHECK(told(experiment, {first, second}) ==
        std::vector<std::pair<EventKind, std::int64_t>>{
            {EventKind::sent, 50}, {EventKind::delivered, 120}, {EventKind::computed, 400}});
}

TEST_CASE("with different wall clocks a message is replayed as sent before it arrives") {
  const Experiment experiment = two_agents();
  const TestFolder place;
  const LinkId there = experiment.network->find(0, 1);
  const auto first =
      write_log(place, "0", {.wall_ns = 5000, .steady_ns = 1, .boot = "a"}, {event(50, EventKind::sent, 0, 1, there)});
  const auto second = write_log(place, "1", {.wall_ns = 4000, .steady_ns = 2, .boot = "b"},
                                {event(20, EventKind::delivered, 1, 0, there)});
  CHECK(told(experiment, {first, second}) ==
        std::vector<std::pair<EventKind, std::int64_t>>{{EventKind::sent, 1050}, {EventKind::delivered, 1050}});
}

TEST_CASE("messages lost with a killed process are not confused with messages of its restart") {
  const Experiment experiment = two_agents();
  const TestFolder place;
  const LinkId there = experiment.network->find(0, 1);
  const auto sent = [&](std::int64_t at, std::uint64_t life = 0) {
    SimEvent one = event(at, EventKind::sent, 0, 1, there);
    one.serial = life + static_cast<std::uint64_t>(at);
    return one;
  };
  const auto came = [&](std::int64_t at, std::uint64_t serial) {
    SimEvent one = event(at, EventKind::delivered, 1, 0, there);
    one.serial = serial;
    return one;
  };
  const LogStart now{.wall_ns = 0, .steady_ns = 1000, .boot = "a"}, later{.wall_ns = 0, .steady_ns = 1500, .boot = "a"};
  const auto killed = write_log(place, "0", now, {sent(1), sent(50), sent(60)}, false);
  const auto anew = write_log(place, "0b", later, {sent(1, 400), sent(50, 400)});  // by its own time 0
  const auto receiver = write_log(place, "1", now, {came(70, 1), came(700, 401), came(710, 450)});
  ToldRun run(experiment, {killed, anew, receiver});
  Told listener;
  run.listen(listener);
  run.run();
  std::vector<std::tuple<std::int64_t, std::uint64_t, std::int64_t>> all;
  for (const SimEvent& one : listener.all)
    if (one.what == EventKind::delivered) all.emplace_back(one.at.ns(), one.serial, one.duration.ns());
  CHECK(all ==
        std::vector<std::tuple<std::int64_t, std::uint64_t, std::int64_t>>{{70, 1, 69}, {700, 4, 199}, {710, 5, 160}});
}

TEST_CASE("two starts of a process send before their receiver begins, and both messages are in the run") {
  const Experiment experiment = two_agents();
  const TestFolder place;
  const LinkId there = experiment.network->find(0, 1);
  const auto message = [&](EventKind what, std::int64_t at, std::uint64_t serial) {
    SimEvent one = what == EventKind::sent ? event(at, what, 0, 1, there) : event(at, what, 1, 0, there);
    one.serial = serial;
    return one;
  };
  const auto killed = write_log(place, "0", {.steady_ns = 100, .boot = "a"}, {message(EventKind::sent, 0, 7)}, false);
  const auto anew = write_log(place, "0b", {.steady_ns = 200, .boot = "a"}, {message(EventKind::sent, 0, 50)});
  const auto receiver = write_log(place, "1", {.steady_ns = 300, .boot = "a"},
                                  {message(EventKind::delivered, 1, 7), message(EventKind::delivered, 2, 50)});
  CHECK(told(experiment, {killed, anew, receiver}) ==
        std::vector<std::pair<EventKind, std::int64_t>>{
            {EventKind::sent, 0}, {EventKind::sent, 100}, {EventKind::delivered, 201}, {EventKind::delivered, 202}});
}

TEST_CASE("waits of messages and lengths of computations are replayed with them, although known later") {
  const Experiment experiment = two_agents();
  const TestFolder place;
  const LinkId there = experiment.network->find(0, 1);
  const LogStart start{.wall_ns = 0, .steady_ns = 1000, .boot = "a"};
  SimEvent computed = event(10, EventKind::computed, 0, 0, no_link), sent = event(40, EventKind::sent, 0, 1, there);
  sent.serial = 40;
  {
    EventLog log(place.path() / "0");
    log.start(start);
    log.on_event(computed);
    log.on_event(computed);  // at the same moment, by one that takes no time
    log.worked({.agent = 0, .number = 2, .duration = Duration::nanoseconds(30)});
    log.on_event(sent);
    log.queued({.link = there, .serial = sent.serial, .duration = Duration::nanoseconds(25)});
    log.end(Time::nanoseconds(1000), {});
  }
  SimEvent came = event(90, EventKind::delivered, 1, 0, there);
  came.serial = 40;
  const auto receiver = write_log(place, "1", start, {came});
  ToldRun run(experiment, {place.path() / "0", receiver});
  Told listener;
  run.listen(listener);
  run.run();
  REQUIRE(listener.all.size() == 4);
  CHECK(listener.all[0].duration == Duration());
  CHECK(listener.all[1].duration == Duration::nanoseconds(30));
  CHECK(listener.all[2].queued == Duration());
  CHECK(listener.all[3].duration == Duration::nanoseconds(50));
  CHECK(listener.all[3].queued == Duration::nanoseconds(25));
}

TEST_CASE("records that end early are remarked, and those of other agents refused") {
  const Experiment experiment = two_agents();
  const TestFolder place;
  const auto whole = write_log(place, "0", {}, {}), killed = write_log(place, "1", {}, {}, false);
  ToldRun run(experiment, {whole, killed});
  run.run();
  REQUIRE(run.remarks().size() == 1);
  CHECK(run.remarks().front().text == "1 record without an end: its process was killed, and unsent messages are lost");
  const LinkId there = experiment.network->find(0, 1);
  const auto receiver = write_log(place, "3", {}, {event(1, EventKind::delivered, 1, 0, there)});
  CHECK_THROWS_WITH(told(experiment, {receiver}),
                    "a message arrived that no record shows as sent; expected the records of all processes of one run");
  const auto other = write_log(place, "2", {}, {event(1, EventKind::computed, 2, 2, no_link)});
  SimEvent counted = event(1, EventKind::counted, 0, 1, no_link);
  counted.amount = 2;  // answers of agents 1 and 2
  const auto beyond = write_log(place, "4", {}, {counted});
  for (const auto& file : {other, beyond})
    CHECK_THROWS_WITH(told(experiment, {file}), "a record has agents or links that the plan does not have");
}

}  // namespace lagnet::told_run_test
