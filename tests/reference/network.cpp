#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "scenarios/assembly/make_network.hpp"
#include "scenarios/assembly/make_sites.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/accounts/costs.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/reference/reference_file.hpp"
#include "topologies/topology.hpp"

/// Cases of the network alone: messages of given sizes set out at given times over the links of a complete graph.
namespace lagnet::reference {

namespace {

struct Sent {
  AgentId to = 0;
  Bytes bytes = 0;
  Time ready;
  std::size_t place = 0;       // in the case
  std::int64_t broadcast = 0;  // 0: none
};

/// Its place in the case; of a broadcast another number.
Round round_of(const Sent& one) {
  constexpr Round broadcasts = 1'000'000;
  return one.broadcast == 0 ? static_cast<Round>(one.place) : broadcasts + one.broadcast;
}

/// Delays that the case states in place of draws, by the message's round, which is its place in the case.
class StatedDelays final : public FaultRule {
 public:
  explicit StatedDelays(std::vector<Duration> delays) : delays_(std::move(delays)) {}
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.round < std::ssize(delays_)) fate.delay += delays_[static_cast<std::size_t>(what.round)];
  }
  bool loses() const override { return false; }

 private:
  std::vector<Duration> delays_;
};

/// A payload of exactly this size.
Payload of_bytes(Bytes bytes) { return Payload::as_encoding(Payload(Vector(Vector::Zero(2))), bytes); }

Task<> send_and_receive(Agent& me, std::vector<Sent> messages, std::size_t received) {
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const Sent& one = messages[k];
    if (one.ready > me.now()) co_await me.sleep(one.ready - me.now());
    if (one.broadcast == 0) {
      me.send(one.to, round_of(one), of_bytes(one.bytes));
      continue;
    }
    while (k + 1 < messages.size() && messages[k + 1].broadcast == one.broadcast) ++k;
    me.broadcast(round_of(one), of_bytes(one.bytes));
  }
  for (std::size_t k = 0; k < received; ++k) co_await me.receive();
}

/// What became of each message, by its place in the case. A broadcast may reach others than the case names.
class Ends final : public Listener {
 public:
  using Key = std::tuple<AgentId, AgentId, Round>;  // sender, receiver
  explicit Ends(const std::map<Key, std::size_t>& places) : of(places.size()), places_(places) {}
  void on_event(const SimEvent& what) override {
    if (what.what != EventKind::delivered && what.what != EventKind::lost) return;
    const bool arrives = what.what == EventKind::delivered;
    const auto found =
        places_.find(arrives ? Key(what.peer, what.agent, what.round) : Key(what.agent, what.peer, what.round));
    if (found != places_.end()) of[found->second] = what;
  }
  std::vector<std::optional<SimEvent>> of;

 private:
  const std::map<Key, std::size_t>& places_;
};

Topology complete(AgentId agents) {
  std::vector<Edge> edges;
  for (AgentId a = 0; a < agents; ++a)
    for (AgentId b = a + 1; b < agents; ++b) edges.push_back({a, b});
  return Topology(agents, std::move(edges));
}

/// The links over which a case sends: one transmission reaches all neighbors, and they are to be those of the case.
std::set<std::pair<AgentId, AgentId>> used_links(const Json& item) {
  std::set<std::pair<AgentId, AgentId>> used;
  for (const Json& one : list_at(item, "messages"))
    used.emplace(one.at("from").get<AgentId>(), one.at("to").get<AgentId>());
  return used;
}

Topology of_links(AgentId agents, const std::set<std::pair<AgentId, AgentId>>& used) {
  std::vector<Edge> arcs;
  for (const auto& [from, to] : used) arcs.push_back({from, to});
  return Topology::of_arcs(agents, std::move(arcs));
}

/// Leaves out what the section says of others.
void keep_used(lagnet::Json& section, const std::set<std::pair<AgentId, AgentId>>& used) {
  if (!section.contains("links")) return;
  lagnet::Json kept = lagnet::Json::array();
  for (lagnet::Json some : section["links"]) {
    lagnet::Json links = lagnet::Json::array();
    for (const auto& one : some["links"]) {
      const auto from = one.at(0).get<AgentId>(), to = one.at(1).get<AgentId>();
      if (used.contains({from, to}))
        links.push_back(one);
      else if (used.contains({to, from}))
        links.push_back({to, from});
    }
    some["links"] = links;
    if (!links.empty()) kept.push_back(some);
  }
  section["links"] = kept;
}

template <class Section>
bool broadcasts_once(const Section& network) {
  return std::ranges::any_of(network.value("media", Section::array()),
                             [](const auto& medium) { return medium.value("broadcast_once", false); });
}

NetworkOptions read_options(const lagnet::Json& section, Diagnostics& diagnostics) {
  NetworkOptions options;
  ObjectReader reader(section, "/network", diagnostics);
  reader.read(options);
  reader.finish();
  diagnostics.throw_if_any();
  return options;
}

/// The section, whose files are written into a folder of the case.
NetworkOptions options_of(const Json& item, Diagnostics& diagnostics) {
  lagnet::Json section = lagnet::Json::parse(item.at("network").dump());
  if (item.contains("files")) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("lagnet-network-{}", ::getpid());
    std::filesystem::create_directories(folder);
    for (const auto& [name, text] : item["files"].items()) std::ofstream(folder / name) << text.get<std::string>();
    struct_type<NetworkOptions>().change_paths(
        section, [&](const std::filesystem::path& path) { return (folder / path).string(); });
  }
  if (broadcasts_once(section)) keep_used(section, used_links(item));
  return read_options(section, diagnostics);
}

/// The counts of a case, as a ledger has them.
Ledger ledger_of(const Json& accounts, const Network& network) {
  Ledger ledger(network.agents(), network.links());
  for (const Json& one : list_at(accounts, "sent")) {
    check_keys(one, "sent", {"from", "to", "bytes", "delivered_bytes"});
    const auto from = one.at("from").get<AgentId>(), to = one.at("to").get<AgentId>();
    const LinkId link = network.find(from, to);
    if (link == no_link) throw std::runtime_error("not understood: " + one.dump());
    const auto sent = one.at("bytes").get<Bytes>(), came = one.value("delivered_bytes", sent);
    const auto note = [&](EventKind what, AgentId agent, AgentId peer, Bytes bytes) {
      ledger.on_event({.what = what, .agent = agent, .peer = peer, .link = link, .amount = bytes});
    };
    note(EventKind::sent, from, to, came);
    note(EventKind::delivered, to, from, came);
    if (came == sent) continue;
    note(EventKind::sent, from, to, sent - came);
    note(EventKind::lost, from, to, sent - came);
  }
  for (AgentId id = 0; id < network.agents(); ++id) {
    const auto seconds = [&](const char* key) {
      return accounts.contains(key) ? Duration::seconds(accounts[key].at(id).get<double>()) : Duration();
    };
    ledger.on_event({.what = EventKind::computed,
                     .agent = id,
                     .amount = accounts.at("flops").at(id).get<Flops>(),
                     .duration = seconds("computing_s")});
    ledger.on_event({.what = EventKind::away, .agent = id, .duration = seconds("away_s")});
  }
  return ledger;
}

/// A quantity that no site states must be absent in both.
void compare_costs(const std::string& what, const Costs& got, const Json& want, Tolerance exact, Verdict& verdict) {
  for (const auto& [key, cost] :
       {std::pair("price", got.price), std::pair("joules", got.joules), std::pair("grams", got.grams)}) {
    const bool is_wanted = want.contains(key) && !want[key].is_null();
    if (is_wanted != cost.has_value())
      verdict.fail(fmt::format("{} {}: {}", what, key, is_wanted ? "not stated here" : "stated here alone"));
    else if (cost)
      verdict.compare(fmt::format("{} {}", what, key), {*cost}, {want[key].get<double>()}, exact);
  }
}

}  // namespace

bool is_accounts(const Json& item) { return item.contains("accounts"); }

Verdict check_accounts(const Json& item) {
  check_keys(item, "case", {"name", "accounts", "expected", "tolerance"});
  const Json& accounts = item.at("accounts");
  check_keys(accounts, "accounts",
             {"sites", "server_site", "currency", "sent", "flops", "computing_s", "away_s", "duration_s"});
  // As the file states: 1e-9 of each number.
  const Tolerance exact =
      item.contains("tolerance") ? tolerance_of(item) : Tolerance{.absolute = 1e-15, .relative = 1e-9, .floor = 0};
  Verdict verdict(exact);
  Diagnostics diagnostics(case_name(item));
  lagnet::Json section;
  for (const char* key : {"sites", "server_site", "currency"})
    if (accounts.contains(key)) section[key] = lagnet::Json::parse(accounts[key].dump());
  const NetworkOptions options = read_options(section, diagnostics);
  const Network network =
      make_network(complete(static_cast<AgentId>(list_at(accounts, "flops").size())), options, 1, case_name(item));
  const CostModel costs = make_costs(options, network);
  const Ledger ledger = ledger_of(accounts, network);
  const Time end = Time() + Duration::seconds(accounts.at("duration_s").get<double>());

  const Json& expected = item.at("expected");
  check_keys(expected, "expected", {"agents", "sites", "run"});
  Costs run;
  std::map<std::string, Costs> sites;
  for (AgentId id = 0; id < network.agents(); ++id) {
    const Costs of_agent = costs.of(id, ledger, network, end);
    run += of_agent;
    sites[costs.site_name(id)] += of_agent;
    if (!expected.contains("agents")) continue;
    const Json& want = expected["agents"].at(id);
    check_keys(want, "agent", {"site", "price", "joules", "grams"});
    if (want.value("site", costs.site_name(id)) != costs.site_name(id))
      verdict.fail(fmt::format("agent {} is at {}", id, costs.site_name(id)));
    compare_costs(fmt::format("agent {}", id), of_agent, want, exact, verdict);
  }
  for (const auto& [key, want] : expected.value("sites", Json()).items()) {
    const std::string name = want.contains("site") ? want["site"].get<std::string>() : want.value("name", key);
    check_keys(want, "site", {"site", "name", "agents", "price", "joules", "grams"});
    compare_costs(name, sites[name], want, exact, verdict);
  }
  if (expected.contains("run")) compare_costs("run", run, expected["run"], exact, verdict);
  return verdict;
}

bool is_network(const Json& item) { return item.contains("network") && item.contains("messages"); }

Verdict check_network_case(const Json& item) {
  check_keys(item, "case", {"name", "agents", "network", "messages", "expected", "files"});
  Verdict verdict(tolerance_of(item));
  Diagnostics diagnostics(case_name(item));
  const auto agents = static_cast<AgentId>(size_at(item, "agents"));
  const bool once = broadcasts_once(item["network"]);
  const Topology topology = once ? of_links(agents, used_links(item)) : complete(agents);
  const NetworkOptions options = options_of(item, diagnostics);
  const Network network = make_network(topology, options, 1, case_name(item));
  SimulationOptions settings;
  settings.model = make_network_model(options, network, AgentNames(topology), diagnostics);
  diagnostics.throw_if_any();

  const Json& messages = list_at(item, "messages");
  std::vector<std::vector<Sent>> by_sender(agents);
  std::vector<Duration> delays;
  std::map<Ends::Key, std::size_t> places;
  std::vector<std::size_t> received(agents, 0);
  const Json& expected = list_at(item, "expected");
  for (std::size_t place = 0; place < messages.size(); ++place) {
    const Json& one = messages[place];
    check_keys(one, "message", {"from", "to", "bytes", "ready_ns", "jitter_ns", "broadcast"});
    const Sent sent{one.at("to").get<AgentId>(), one.at("bytes").get<Bytes>(),
                    Time::nanoseconds(one.at("ready_ns").get<std::int64_t>()), place,
                    once ? one.value("broadcast", std::int64_t{0}) : 0};  // else a message to each, as they are listed
    const auto from = one.at("from").get<AgentId>();
    by_sender.at(from).push_back(sent);
    places[{from, sent.to, round_of(sent)}] = place;
    delays.push_back(Duration::nanoseconds(one.value("jitter_ns", std::int64_t{0})));
    if (!expected.at(place).contains("lost")) ++received.at(sent.to);
  }
  if (std::ranges::any_of(delays, [](Duration delay) { return delay != Duration(); }))
    settings.model.faults.push_back(std::make_shared<StatedDelays>(delays));

  Simulation world(network, ComputeModel(std::vector<double>(agents, 1e9)), std::move(settings));
  Ends ends(places);
  world.listen(ends);
  for (AgentId a = 0; a < agents; ++a) {
    std::ranges::stable_sort(by_sender[a], {}, &Sent::ready);
    world.spawn(a, send_and_receive(world.agent(a), by_sender[a], received[a]));
  }
  world.run();
  // As the file states: 1 ns under fifo, 2 ns under fair.
  const Tolerance exact{.absolute = options.sharing == Sharing::fair ? 2.0 : 1.0, .relative = 0, .floor = 1};
  for (std::size_t place = 0; place < messages.size(); ++place) {
    const Json& want = expected[place];
    check_keys(want, "expected", {"start_ns", "arrival_ns", "queued_ns", "lost", "lost_ns"});
    const std::string what = fmt::format("message {}", place);
    if (!ends.of[place]) {
      verdict.fail(what + " has no end");
      continue;
    }
    const SimEvent& end = *ends.of[place];
    const auto number = [](std::int64_t value) { return std::vector<double>{static_cast<double>(value)}; };
    if (want.contains("lost")) {
      if (end.what != EventKind::lost || name(end.cause) != want["lost"].get<std::string>())
        verdict.fail(what + " is not lost as " + want["lost"].get<std::string>());
      verdict.compare(what + " lost", number(end.at.ns()), number(want["lost_ns"].get<std::int64_t>()), exact);
      continue;
    }
    if (end.what != EventKind::delivered) verdict.fail(what + " is lost");
    verdict.compare(what + " arrival", number(end.at.ns()), number(want["arrival_ns"].get<std::int64_t>()), exact);
    verdict.compare(what + " queued", number(end.queued.ns()), number(want["queued_ns"].get<std::int64_t>()), exact);
  }
  return verdict;
}

}  // namespace lagnet::reference
