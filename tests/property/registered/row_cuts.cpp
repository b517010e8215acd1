#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "sim/base/draws.hpp"
#include "tests/property/registered/scenarios_of_algorithms.hpp"

namespace lagnet::row_cuts_test {

namespace {

/// What has happened up to an instant, counted from the events themselves.
struct Counted {
  std::int64_t sent = 0, delivered = 0, lost = 0, bytes_sent = 0, bytes_delivered = 0, bytes_lost = 0;
  std::int64_t retransmitted = 0, late = 0, superseded = 0, duplicates = 0, dropped = 0, stale = 0, flops = 0;

  void add(const SimEvent& what) {
    switch (what.what) {
      case EventKind::sent:
        ++sent;
        bytes_sent += what.amount;
        if (what.cause == Cause::retransmission) ++retransmitted;
        return;
      case EventKind::delivered:
        ++delivered;
        bytes_delivered += what.amount;
        return;
      case EventKind::lost:
        ++lost;
        bytes_lost += what.amount;
        return;
      case EventKind::late:
        late += what.amount;
        return;
      case EventKind::superseded:
        superseded += what.amount;
        return;
      case EventKind::duplicate:
        duplicates += what.amount;
        return;
      case EventKind::dropped:
        dropped += what.amount;
        return;
      case EventKind::stale:
        ++stale;
        return;
      case EventKind::computed:
        flops += what.amount;
        return;
      default:
        return;
    }
  }
  std::vector<std::int64_t> all() const {
    return {sent, delivered,  lost,       bytes_sent, bytes_delivered, bytes_lost, retransmitted,
            late, superseded, duplicates, dropped,    stale,           flops};
  }
};

std::vector<std::int64_t> all_of(const AgentAccount& a) {
  return {a.messages_sent,  a.messages_received, a.messages_lost, a.bytes_sent,
          a.bytes_received, a.bytes_lost,        a.retransmitted, a.late,
          a.superseded,     a.duplicates,        a.dropped,       a.stale,
          a.flops};
}

/// Losses, repetitions, partitions, churn and queues, each in some worlds; what an algorithm refuses is drawn again.
Json drawn_world(Json document, const AlgorithmTraits& traits, Draws& draws) {
  const auto number = [&draws](double low, double high) { return draws.uniform(low, high); };
  Json network{{"latency_ms", {{"kind", "uniform"}, {"low", 0}, {"high", number(0, 20)}}},
               {"sharing", Json::array({"none", "fifo", "fair"})[draws.below(3)]},
               {"bandwidth_bytes_per_s", number(1e4, 1e6)}};
  if (draws.bernoulli(0.3))
    network = {{"latency_ms", Json::array({0, 0, 5})[draws.below(3)]}};  // events at one instant
  if (draws.bernoulli(0.3)) network["jitter_ms"] = number(0, 10);
  if (draws.bernoulli(0.3)) network["up_bytes_per_s"] = number(1e4, 1e6);
  if (draws.bernoulli(0.3)) network["duplicate_probability"] = 0.1;
  if (draws.bernoulli(0.5)) network["loss_probability"] = number(0, 0.3);
  if (draws.bernoulli(0.6)) network["retransmit"] = {{"timeout_ms", number(1, 60)}};
  if (draws.bernoulli(0.2)) {
    const double from = number(0, 0.1);
    network["partitions"] = {{{"from_s", from}, {"until_s", from + number(0.01, 0.2)}, {"groups", {{1, 2}}}}};
  }
  document["network"] = std::move(network);
  if (draws.bernoulli(0.2)) document["compute"] = {{"speed_flops_per_s", 1e7}};  // equal speeds: ties
  Json participation = Json::object();
  if (draws.bernoulli(0.3))
    participation["availability"] = {{{"kind", "on_off"}, {"mean_up_s", number(0.02, 0.3)}, {"mean_down_s", 0.03}}};
  if (traits.server && draws.bernoulli(0.4)) participation["deadline_ms"] = number(5, 60);
  if (traits.server && draws.bernoulli(0.3)) participation["enough"] = 5;
  if (!traits.server && draws.bernoulli(0.4))
    participation["missing_neighbor"] = {{"kind", Json::array({"skip", "reuse_last"})[draws.below(2)]},
                                         {"deadline_ms", number(5, 60)}};
  if (!participation.empty()) document["participation"] = std::move(participation);
  document["stop"] = traits.has_rounds() ? Json{{"rounds", 1 + draws.below(9)}} : Json{{"updates", 60}};
  document["stop"]["simulated_s"] = 2;
  const std::uint64_t rows = draws.below(3);
  document["record"] = {{"optimum", false}};
  if (rows == 0 && traits.has_rounds()) document["record"]["every"] = 1 + draws.below(4);
  if (rows == 1) document["record"]["every_s"] = number(0.005, 0.2);
  if (rows == 2) document["record"]["every_updates"] = 1 + draws.below(20);
  document["numerics"] = traits.timing_only ? "off" : "on";
  document["seed"] = draws.below(1000);
  return document;
}

/// Whether the world was accepted. Each row of its run must count what the events before its instant say, and perhaps
/// some of that instant; no more may have ended than begun; and no agent may have spent more time than has passed.
bool check_rows(const Json& document) {
  std::optional<Experiment> experiment;
  ExperimentCache cache;
  try {
    experiment.emplace(assemble(read_scenario({"rows.json", "/nowhere", document}), "rows.json", cache));
  } catch (const Diagnosed&) {
    return false;
  }
  std::map<Time, Counted> up_to{{Time(), Counted()}};
  RunOptions options;
  for (std::size_t kind = 0; kind < event_kinds; ++kind)
    options.enough.push_back({.event_kind = static_cast<EventKind>(kind), .ends_with_event = [&](const SimEvent& what) {
                                up_to.emplace(what.at, up_to.rbegin()->second).first->second.add(what);
                                return false;
                              }});
  const Outcome outcome = run(*experiment, options);
  AgentAccount last;
  for (const Row& row : outcome.rows) {
    CAPTURE(row.round, row.at.ns());
    const auto after = std::prev(up_to.upper_bound(row.at));
    const auto before = after->first < row.at || after == up_to.begin() ? after : std::prev(after);
    const bool starts = row.at == Time();
    const std::vector<std::int64_t> least = starts ? Counted().all() : before->second.all();
    const std::vector<std::int64_t> most = after->second.all(), found = all_of(row.total), earlier = all_of(last);
    for (std::size_t k = 0; k < found.size(); ++k) {
      CAPTURE(k);
      REQUIRE(least[k] <= found[k]);
      REQUIRE(found[k] <= most[k]);
      REQUIRE(earlier[k] <= found[k]);
    }
    const AgentAccount& all = row.total;
    REQUIRE(all.messages_received + all.messages_lost <= all.messages_sent);
    REQUIRE(all.bytes_received + all.bytes_lost <= all.bytes_sent);
    const Duration spent = all.computing + all.encrypting + all.idle + all.sleeping + all.away;
    REQUIRE(spent.ns() <= (row.at - Time()).ns() * outcome.ledger.agents());
    last = row.total;
  }
  return true;
}

/// Checks this number of worlds. Gives how many were accepted.
int check_worlds(int count) {
  std::vector<std::pair<Json, AlgorithmTraits>> algorithms;
  for (const auto& entry : AlgorithmFamily::catalogue().entries()) {
    const AlgorithmTraits traits = test::traits_of_registered(*entry);
    const Json small = test::scenario_with(*entry, traits);
    if (!test::is_of_one_agent(small)) algorithms.emplace_back(small, traits);
  }
  int accepted = 0;
  for (int k = 0; k < count; ++k) {
    Draws draws(static_cast<std::uint64_t>(k), Purpose{"test"});
    const auto& [small, traits] = algorithms[draws.below(algorithms.size())];
    CAPTURE(k, small["algorithm"]["kind"].dump());
    for (int attempt = 0; attempt < 8; ++attempt) {
      const Json document = drawn_world(small, traits, draws);
      CAPTURE(attempt, document.dump());
      if (!check_rows(document)) continue;
      ++accepted;
      break;
    }
  }
  return accepted;
}

}  // namespace

TEST_CASE("Each row is one cut of time and conserves messages and bytes in 10000 random worlds") {
  CHECK(check_worlds(11'000) >= 10'000);
}

}  // namespace lagnet::row_cuts_test
