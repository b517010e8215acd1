#include "sim/realtime/realtime_world.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/realtime/addresses.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::realtime_test {

using namespace lagnet::test;

namespace {

using Iterates = std::map<AgentId, std::vector<Vector>>;

/// What agents send. A ledger takes the events of all processes together.
struct SentCounts : Listener {
  void on_event(const SimEvent& what) override {
    ++messages[what.agent];
    bytes[what.agent] += what.amount;
  }
  bool wants(EventKind what) const override { return what == EventKind::sent; }
  std::map<AgentId, std::int64_t> messages, bytes;
};

struct Reports : Recorder {
  void reported(AgentId agent, Round, std::span<const VectorView> parts) override {
    all[agent].emplace_back(parts.front());
  }
  Iterates all;
};

/// What the processes of a run have recorded together.
struct Together {
  Iterates iterates;
  std::map<AgentId, std::int64_t> messages, bytes;  // that each agent has sent
  std::vector<std::string> errors;
};

/// Runs each process on a thread of its own, which is as far apart as the payloads of worlds are.
Together run_processes(const std::vector<LinkSpec>& links, const std::vector<std::uint32_t>& process_of,
                       const std::function<void(Host&)>& spawn,
                       const std::function<void(std::uint32_t, RealtimeOptions&)>& change = {}) {
  const std::uint32_t processes = *std::ranges::max_element(process_of) + 1;
  const auto agents = static_cast<AgentId>(process_of.size());
  LoopbackListeners listeners(processes);
  Together together;
  std::mutex writing;
  std::vector<std::thread> threads;
  for (std::uint32_t process = 0; process < processes; ++process) {
    RealtimeOptions options;
    options.process_of = process_of;
    options.peers.process = process;
    options.peers.addresses = listeners.addresses();
    options.peers.listener = listeners.take(process);
    if (change) change(process, options);
    threads.emplace_back([&, options]() mutable {
      try {
        RealtimeWorld world(Network(agents, links), ComputeModel(std::vector<double>(agents, infinite)), options);
        SentCounts sent;
        Reports reports;
        world.listen(sent);
        world.record(reports);
        spawn(world);
        world.run();
        const std::lock_guard lock(writing);
        for (auto& [agent, iterates] : reports.all) together.iterates[agent] = std::move(iterates);
        together.messages.merge(sent.messages);
        together.bytes.merge(sent.bytes);
      } catch (const std::exception& error) {
        const std::lock_guard lock(writing);
        together.errors.emplace_back(error.what());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return together;
}

/// The same agents in a simulation.
Together simulated(const std::vector<LinkSpec>& links, AgentId agents, const std::function<void(Host&)>& spawn) {
  World world(agents, links);
  SentCounts sent;
  Reports reports;
  world.sim.listen(sent);
  world.sim.record(reports);
  spawn(world.sim);
  world.sim.run();
  return {.iterates = std::move(reports.all), .messages = sent.messages, .bytes = sent.bytes};
}

void check_same(const Together& real, const Together& simulated) {
  CHECK(real.errors == std::vector<std::string>{});
  CHECK(real.iterates == simulated.iterates);
  CHECK(real.messages == simulated.messages);
  CHECK(real.bytes == simulated.bytes);
}

constexpr Round rounds = 20;

/// Moves its numbers half-way to the mean of its neighbors'.
Task<> average(Agent& me) {
  Vector x = Vector::LinSpaced(50, me.id(), 1.0 / (1 + me.id()));
  for (Round round = 1; round <= rounds; ++round) {
    const StateVector sum = co_await me.neighbor_sum(x);
    auto step = [&] { x = 0.5 * x + 0.5 / static_cast<double>(me.degree()) * sum; };
    const Cost work(200);
    co_await me.compute(work, step);
    me.report(round, x);
  }
}

/// A server that asks its clients, and clients that answer with their number and the question's.
Task<> ask(Agent& me) {
  Vector total = Vector::Zero(1);
  for (Round round = 1; round <= rounds; ++round) {
    me.broadcast(round, total);
    std::vector<AgentId> all(me.neighbors().begin(), me.neighbors().end());
    const auto answers = co_await me.collect(round, std::move(all));
    for (const Message& answer : answers) total += answer.body.view();
    me.report(round, total);
  }
}
Task<> answer(Agent& me) {
  for (Round round = 1; round <= rounds; ++round) {
    const Message question = co_await me.receive();
    me.answer(question, scalar(me.id() + question.body.view()[0] / 8));
  }
}

/// Sends with a receipt, and waits until all have come.
Task<> send_all(Agent& me) {
  for (Round round = 1; round <= rounds; ++round) {
    me.send_with_receipt(1, round, scalar(static_cast<double>(round)));
    if (round % 5 == 0) co_await me.arrivals();
  }
  me.report(rounds, scalar(1));
}
Task<> take_all(Agent& me) {
  Vector sum = Vector::Zero(1);
  for (Round round = 1; round <= rounds; ++round) {
    const Message message = co_await me.receive();
    sum += message.body.view();
  }
  me.report(rounds, sum);
}

}  // namespace

TEST_CASE("Agents in processes of their own exchange the simulated run's bits over TCP", "[threads]") {
  const auto links = ring({10, 10, 10, 10, 10});
  const auto spawn = [](Host& host) {
    for (AgentId id = 0; id < 5; ++id) host.spawn(id, average);
  };
  check_same(run_processes(links, {0, 1, 2, 3, 4}, spawn), simulated(links, 5, spawn));
}

TEST_CASE("Agents that share processes exchange the simulated run's bits", "[threads]") {
  const auto links = ring({10, 10, 10, 10, 10, 10});
  const auto spawn = [](Host& host) {
    for (AgentId id = 0; id < 6; ++id) host.spawn(id, average);
  };
  check_same(run_processes(links, {0, 0, 1, 1, 0, 2}, spawn), simulated(links, 6, spawn));
}

TEST_CASE("A server in a process of its own collects its clients' answers", "[threads]") {
  const auto links = star({10, 10, 10});
  const auto spawn = [](Host& host) {
    host.spawn(0, ask);
    for (AgentId id = 1; id <= 3; ++id) host.spawn(id, answer);
  };
  check_same(run_processes(links, {0, 1, 2, 3}, spawn), simulated(links, 4, spawn));
}

TEST_CASE("Daemons end when those that they serve have left", "[threads]") {
  const auto spawn = [](Host& host) {
    host.spawn(0, ask);
    for (AgentId id = 1; id <= 2; ++id) host.spawn(id, answer, Host::Role::daemon);
  };
  const auto links = star({10, 10});
  check_same(run_processes(links, {0, 1, 1}, spawn), simulated(links, 3, spawn));
}

TEST_CASE("A receipt comes back from another process", "[threads]") {
  const auto spawn = [](Host& host) {
    host.spawn(0, send_all);
    host.spawn(1, take_all);
  };
  check_same(run_processes(line({10}), {0, 1}, spawn), simulated(line({10}), 2, spawn));
}

TEST_CASE("A process of another scenario or build is refused by name", "[threads]") {
  const auto spawn = [](Host& host) {
    host.spawn(0, send_all);
    host.spawn(1, take_all);
  };
  const auto run_with = [&](const std::function<void(RealtimeOptions&)>& change) {
    return run_processes(line({10}), {0, 1}, spawn, [&](std::uint32_t process, RealtimeOptions& options) {
      options.patience = std::chrono::milliseconds(300);
      if (process == 1) change(options);
    });
  };
  const auto other_scenario = run_with([](RealtimeOptions& options) { options.peers.scenario.fill(std::byte{1}); });
  REQUIRE(other_scenario.errors.size() == 2);
  CHECK_THAT(other_scenario.errors[0] + other_scenario.errors[1], Catch::Contains("runs another scenario"));
  const auto other_build = run_with([](RealtimeOptions& options) { options.peers.build = "b"; });
  REQUIRE(other_build.errors.size() == 2);
  CHECK_THAT(other_build.errors[0] + other_build.errors[1], Catch::Contains("is of build , and this one of b"));
  CHECK(other_build.iterates.empty());
}

TEST_CASE("Missing processes are named when patience ends", "[threads]") {
  LoopbackListeners listeners(1);
  RealtimeOptions options;
  options.process_of = {0, 1};
  options.peers.addresses = {listeners.addresses()[0], {"127.0.0.1", 1}};
  options.peers.listener = listeners.take(0);
  options.patience = std::chrono::milliseconds(50);
  RealtimeWorld world(Network(2, line({10})), ComputeModel({infinite, infinite}), options);
  world.spawn(0, send_all);
  CHECK_THROWS_WITH(world.run(), "no connection to process 1 for 0.05 s");
}

namespace {

/// The reports of an agent that is alone in the world; `work`: takes the times that its events report.
double reported_alone(Host::Program program, double speed, std::vector<WorkTime>* work = nullptr) {
  LoopbackListeners listeners(1);
  RealtimeOptions options;
  options.process_of = {0};
  options.peers.addresses = listeners.addresses();
  options.peers.listener = listeners.take(0);
  RealtimeWorld world(Network(1, {}), ComputeModel({speed}), options);
  Reports reports;
  world.record(reports);
  SentCounts sent;
  world.listen(sent);  // else no event is reported
  if (work) world.tell_times_to({}, [work](const WorkTime& one) { work->push_back(one); });
  world.spawn(0, std::move(program));
  CHECK(world.run() == RealtimeEnd::finished);
  return reports.all.at(0).front()[0];
}

}  // namespace

TEST_CASE("A timer lasts as long as it says, and a computation as the model has it", "[threads]") {
  const auto sleeps = [](Agent& me) -> Task<> {
    const Time before = me.now();
    co_await me.sleep(Duration::milliseconds(20));
    auto nothing = [] {};
    const Cost work(30'000'000);  // at 10^9 flops/s
    co_await me.compute(work, nothing);
    me.report(1, scalar((me.now() - before).in_seconds()));
  };
  CHECK(reported_alone(sleeps, 1e9) >= 0.050);
}

TEST_CASE("A computation lasts as long as its kernel where that is longer than the model has it", "[threads]") {
  const auto computes = [](Agent& me) -> Task<> {
    auto slow = [] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); };
    const Cost work(1);
    for (int k = 0; k < 2; ++k) co_await me.compute(work, slow);
    me.report(1, scalar(me.now().in_seconds()));
  };
  std::vector<WorkTime> work;
  CHECK(reported_alone(computes, infinite, &work) >= 0.060);
  REQUIRE(work.size() == 2);
  CHECK((work[0].number == 1 && work[1].number == 2));
  for (const WorkTime& one : work) CHECK(one.duration >= Duration::milliseconds(30));
}

TEST_CASE("The wait of a message behind a large one to the same process is reported", "[threads]") {
  constexpr Index large = 1 << 20;  // 8 MB
  const auto sends = [](Agent& me) -> Task<> {
    me.send(1, 1, Vector(Vector::Ones(large)));
    me.send(1, 2, scalar(2));
    co_return;
  };
  const auto takes = [](Agent& me) -> Task<> {
    for (Round round = 1; round <= 2; ++round) co_await me.receive();
    me.report(2, scalar(me.now().in_seconds()));
  };
  std::vector<QueueWait> waits;
  const Together together = run_processes(
      line({10}), {0, 1},
      [&](Host& host) {
        auto& world = dynamic_cast<RealtimeWorld&>(host);
        if (world.is_here(0)) world.tell_times_to([&](const QueueWait& wait) { waits.push_back(wait); }, {});
        world.spawn(0, sends);
        world.spawn(1, takes);
      },
      [](std::uint32_t, RealtimeOptions& options) { options.peers.limits.largest_body = std::size_t{1} << 24; });
  CHECK(together.errors == std::vector<std::string>{});
  REQUIRE((waits.size() == 1 || waits.size() == 2));  // the first may wait for a heartbeat
  CHECK(waits.back().link == 0);
  CHECK(waits.back().serial > 1);
  CHECK(waits.back().duration > Duration());
}

TEST_CASE("Agents begin at time 0, which shows that they were not restarted") {
  const auto tells = [](Agent& me) -> Task<> {
    me.report(1, scalar(me.now().in_seconds()));
    co_return;
  };
  CHECK(reported_alone(tells, infinite) == 0);
}

TEST_CASE("Messages that two starts of a process send have different serials") {
  struct Serials : Listener {
    void on_event(const SimEvent& what) override { all.push_back(what.serial); }
    bool wants(EventKind what) const override { return what == EventKind::sent || what == EventKind::delivered; }
    std::vector<std::uint64_t> all;
  };
  for (const std::uint64_t start : {std::uint64_t{1} << 60, std::uint64_t{2} << 60}) {
    std::array<Serials, 2> serials;
    const Together together = run_processes(
        line({10}), {0, 1},
        [&](Host& host) {
          auto& world = dynamic_cast<RealtimeWorld&>(host);
          world.listen(serials[world.is_here(0) ? 0 : 1]);
          world.spawn(0, [](Agent& me) -> Task<> {
            me.send(1, 1, scalar(1));  // at time 0 of each start
            co_return;
          });
          world.spawn(1, [](Agent& me) -> Task<> {
            co_await me.receive();
            me.report(1, scalar(1));
          });
        },
        [start](std::uint32_t process, RealtimeOptions& options) {
          options.peers.incarnation = process == 0 ? start : 1;
        });
    CHECK(together.errors == std::vector<std::string>{});
    CHECK(serials[0].all == std::vector<std::uint64_t>{start + 1});
    CHECK(serials[1].all == serials[0].all);
  }
}

}  // namespace lagnet::realtime_test
