#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/accounts/critical_path.hpp"
#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/errors.hpp"
#include "tests/property/sim/network_programs.hpp"
#include "tests/property/sim/network_watch.hpp"
#include "tests/property/sim/network_world.hpp"

/// Random worlds with shared bandwidth, faults, absences and missing messages: what holds for every run.
namespace lagnet::network_random_runs_test {

using namespace lagnet::test;

namespace {

constexpr std::uint64_t worlds = 600;

struct Result {
  std::uint64_t hash = 0;
  std::int64_t events = 0;
  std::optional<EndReason> ended;  // none by a deadlock
  std::string deadlock;
  Time last_report, last_event;
  std::vector<double> values;
  bool operator==(const Result&) const = default;
};

/// One run of a world, from its own making.
struct Run {
  explicit Run(std::uint64_t seed, unsigned threads = 1)
      : world(seed, threads),
        sim(world.network(), ComputeModel(world.compute), world.options),
        ledger(world.agents, sim.network().links(), world.options.model.availability),
        states(world.agents) {
    sim.listen(ledger);
    sim.listen(trace);
    spawn_programs(world, sim, states);
  }

  Result operator()() {
    Result result;
    try {
      const Ending ending = sim.run();
      result.ended = ending.reason;
      result.last_report = ending.last_report;
      result.last_event = ending.last_event;
    } catch (const Deadlock& deadlock) {
      result.deadlock = deadlock.what();
      result.last_event = deadlock.at;
    }
    result.hash = trace.hash();
    result.events = trace.events();
    for (const ProgramState& state : states) result.values.push_back(state.value);
    return result;
  }

  NetworkWorld world;
  Simulation sim;
  Ledger ledger;
  Trace trace;
  std::vector<ProgramState> states;
};

/// What each agent got is what it took, discarded, or has not looked at; and that is nothing where it takes all.
void check_accounts(const Run& run, const NetworkWatch& watch, bool finished) {
  AgentAccount sum;
  for (AgentId a = 0; a < run.world.agents; ++a) {
    INFO("agent " << a);
    const AgentAccount& own = run.ledger.agent(a);
    const ProgramState& state = run.states[a];
    sum += own;
    REQUIRE_FALSE(state.clock_went_back);
    REQUIRE_FALSE(state.took_one_twice);
    REQUIRE_FALSE(state.miscounted);
    if (run.world.forgets) continue;  // with its state an agent loses its mail
    const std::int64_t exchanged = state.expected - (watch.dropped(a) - state.unanswered);
    const std::int64_t discarded = own.late + own.superseded + own.duplicates;
    const std::int64_t left = own.messages_received - exchanged - state.mail - discarded;
    REQUIRE(left >= 0);
    const bool takes_all =
        (run.world.style == Style::gossip && run.world.strict()) || (run.world.style == Style::rounds && a == 0);
    if (takes_all && finished) REQUIRE(left == 0);
  }
  const AgentAccount& total = run.ledger.total();
  REQUIRE(sum.messages_sent == total.messages_sent);
  REQUIRE(sum.messages_received == total.messages_received);
  REQUIRE(sum.messages_lost == total.messages_lost);
  REQUIRE(sum.bytes_sent == total.bytes_sent);
  REQUIRE(sum.bytes_received == total.bytes_received);
  REQUIRE(sum.bytes_lost == total.bytes_lost);
  REQUIRE(total.messages_sent == total.messages_received + total.messages_lost + watch.on_the_way());
}

/// The account of an agent that still waits at the end of the run has all of its time, with the waits that it cut off.
std::size_t check_waits_under_way(const Run& run, Time end) {
  Ledger ledger = run.ledger;
  const std::vector<SimEvent> waits = run.sim.waits_under_way();
  for (const SimEvent& wait : waits) ledger.on_event(wait);
  ledger.end_at(end);
  for (const SimEvent& wait : waits) {
    INFO("agent " << wait.agent);
    const AgentAccount own = ledger.agent(wait.agent);
    REQUIRE(own.computing + own.encrypting + own.sleeping + own.idle + own.away == end - Time());
  }
  return waits.size();
}

/// The critical path ends with the last report, and its pieces take that time. Of no agent is there more on it than in
/// the agent's account. Gives what there is of each kind.
std::map<PathKind, Duration> check_path(const Run& run, const CriticalPath& path, const Result& result) {
  const PathSums sums = path.sums();
  if (result.ended) REQUIRE(sums.until == result.last_report);
  std::map<PathKind, Duration> kinds;
  Duration all;
  for (const auto& [kind, of, time] : sums.parts) {
    INFO(name(kind) << " " << of);
    REQUIRE(time > Duration());
    kinds[kind] += time;
    all += time;
    if (!is_of_agent(kind)) {
      REQUIRE(of < run.sim.network().resources());
      continue;
    }
    const AgentAccount own = run.ledger.agent(of);
    const std::map<PathKind, Duration> account{{PathKind::computing, own.computing},
                                               {PathKind::encrypting, own.encrypting},
                                               {PathKind::sleeping, own.sleeping},
                                               {PathKind::absence, own.away},
                                               {PathKind::deadline, own.idle}};
    REQUIRE(time <= account.at(kind));
  }
  REQUIRE(Time() + all == sums.until);
  return kinds;
}

/// How often each thing happened, over all worlds.
struct Tally {
  std::map<PathKind, Duration> on_paths;
  NetworkWatch::Counts counts;
  AgentAccount account;
  std::int64_t busy_spans = 0;
  std::int64_t deadlocks = 0;
  std::int64_t may_stall = 0;
  std::int64_t one_way = 0;  // worlds with links that have no opposite
  std::size_t waits_cut_off = 0;
  std::int64_t of(EventKind what, Cause cause = Cause::none) { return counts[{what, cause}]; }
};

Result checked_run(std::uint64_t seed, Tally& tally) {
  Run run(seed);
  NetworkWatch watch(run.world, run.sim.network(), run.ledger);
  run.sim.listen(watch);
  CriticalPath path(run.sim.network(), run.sim.model());
  run.sim.listen(path);
  const Result result = run();
  if (!result.ended) {
    INFO(result.deadlock);
    REQUIRE(run.world.may_stall());
  } else {
    // Where agents crash for good, all of those that have not finished may be gone.
    REQUIRE((result.ended == EndReason::finished ||
             (result.ended == EndReason::gone && run.world.options.model.availability)));
  }
  check_accounts(run, watch, result.ended.has_value());
  watch.check_capacities();
  for (AgentId a = 0; a < run.world.agents; ++a) watch.check_times(a, result.last_event);
  for (const auto& [kind, count] : watch.counts()) tally.counts[kind] += count;
  for (const auto& [kind, time] : check_path(run, path, result)) tally.on_paths[kind] += time;
  tally.waits_cut_off += check_waits_under_way(run, result.last_event);
  tally.account += run.ledger.total();
  tally.busy_spans += watch.busy_spans();
  tally.deadlocks += result.ended ? 0 : 1;
  tally.may_stall += run.world.may_stall() ? 1 : 0;
  tally.one_way += run.world.one_way ? 1 : 0;
  return result;
}

}  // namespace

TEST_CASE(
    "In random worlds with shared bandwidth and faults every message is in an account at every event, none is faster "
    "than its way allows, no capacity is exceeded in any span of time, agents' times are those up and down, and "
    "critical paths add up") {
  Tally tally;
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    INFO("seed " << seed);
    checked_run(seed, tally);
  }
  // The runs do what they are to check: each kind of thing comes often.
  CHECK(tally.of(EventKind::delivered) > 50'000);
  CHECK(tally.of(EventKind::sent, Cause::retransmission) > 5000);
  CHECK(tally.of(EventKind::sent, Cause::duplication) > 1000);
  for (const Cause cause : {Cause::loss, Cause::burst, Cause::link_down, Cause::partition, Cause::receiver_down}) {
    INFO(name(cause));
    CHECK(tally.of(EventKind::lost, cause) > 1000);
  }
  for (const Cause cause : {Cause::deadline, Cause::enough, Cause::moved_on}) {
    INFO(name(cause));
    CHECK(tally.of(EventKind::dropped, cause) > 200);
  }
  for (const EventKind what :
       {EventKind::late, EventKind::superseded, EventKind::duplicate, EventKind::stale, EventKind::collected,
        EventKind::computed, EventKind::encrypted, EventKind::slept, EventKind::reported}) {
    INFO(name(what));
    CHECK(tally.of(what) > 1000);
  }
  CHECK(tally.of(EventKind::restarted) > 50);
  CHECK(tally.of(EventKind::away) > 200);
  CHECK(tally.account.queueing > Duration());
  CHECK(tally.busy_spans > 10'000);
  CHECK(20 * tally.one_way > static_cast<std::int64_t>(worlds));
  CHECK(tally.waits_cut_off > 500);
  CHECK(tally.on_paths.size() == path_kinds);
  // Only worlds in which an agent may wait for a message that never comes end that way, and most of them do.
  CHECK(2 * tally.deadlocks > tally.may_stall);
  CHECK(tally.deadlocks < tally.may_stall);
}

TEST_CASE("Random worlds with shared bandwidth and faults repeat themselves, and are the same on 1 and 4 threads") {
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    INFO("seed " << seed);
    const Result first = Run(seed)();
    REQUIRE(Run(seed)() == first);
    REQUIRE(Run(seed, 4)() == first);
  }
}

}  // namespace lagnet::network_random_runs_test
