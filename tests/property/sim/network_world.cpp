#include "tests/property/sim/network_world.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "sim/world/availability_processes.hpp"

namespace lagnet::test {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

template <class T, std::size_t n>
T pick(Draws& draws, const std::array<T, n>& values) {
  return values[draws.below(n)];
}

/// Whole microseconds below a bound: ties are wanted.
Duration microseconds(Draws& draws, std::uint64_t bound) {
  return Duration::nanoseconds(1000 * static_cast<std::int64_t>(draws.below(bound)));
}
Duration latency(Draws& draws) {
  return Duration::nanoseconds(pick(draws, std::array<std::int64_t, 5>{0, 0, 1, 5'000, 20'000}));
}
double bandwidth(Draws& draws) { return pick(draws, std::array{unlimited, unlimited, 3e6, 1e7, 1e9, 7e11}); }

Window window(Draws& draws, bool& lasts) {
  Window made{.from = Time() + microseconds(draws, 300)};
  made.until = made.from + microseconds(draws, 200) + Duration::nanoseconds(1);
  if (!draws.bernoulli(0.15)) return made;
  made.until = Time::never();
  lasts = true;
  return made;
}

}  // namespace

RoundLinks::RoundLinks(std::uint64_t seed, const Network& network, double probability)
    : seed_(seed), probability_(probability) {
  for (LinkId id = 0; id < network.links(); ++id)
    ends_.push_back(std::minmax({network.sender(id), network.link(id).to}));
}

bool RoundLinks::active(LinkId link, Round round, std::uint32_t) const {
  const auto& [low, high] = ends_[link];
  return Draws::between(seed_, Purpose{"round links"}, low, high, round, 0).bernoulli(probability_);
}

NetworkWorld::NetworkWorld(std::uint64_t seed, unsigned threads) {
  const auto draws = [seed](const char* what) { return Draws(seed, Purpose{what}); };
  options.seed = seed;
  options.threads = threads;
  Draws first = draws("world");
  style = pick(first, std::array{Style::gossip, Style::rounds, Style::mail, Style::mixed});
  agents = static_cast<AgentId>(2 + first.below(11));
  rounds = static_cast<Round>(4 + first.below(9));
  size = static_cast<Index>(3 + first.below(30));
  exchanges = static_cast<int>(1 + first.below(2));
  options.model.sharing = pick(first, std::array{Sharing::none, Sharing::fifo, Sharing::fair});
  Draws order = draws("order");
  options.model.forwarding = pick(order, std::array{Forwarding::cut_through, Forwarding::store_and_forward});
  options.model.send_order = pick(order, std::array{SendOrder::rotated, SendOrder::ascending});
  options.model.in_order = order.bernoulli(0.5);
  options.wire.header_bytes = pick(first, std::array<Bytes, 3>{0, 0, 40});
  options.wire.bytes_per_scalar = pick(first, std::array<Bytes, 2>{8, 4});
  options.wire.index_bytes = pick(first, std::array<Bytes, 2>{0, 4});
  draw_links(draws("links"));
  if (style == Style::gossip) draw_directions(draws("directions"));
  if (style != Style::rounds && first.bernoulli(0.25))
    options.model.topology = topology = std::make_shared<RoundLinks>(seed, network(), 0.7);
  draw_lossy_links(draws("lossy links"));
  draw_faults(draws("faults"));
  draw_availability(draws("availability"));
  draw_policy(draws("policy"));
  draw_compute(draws("compute"));
}

/// A star for rounds, else a tree with some more edges; each direction on its own.
void NetworkWorld::draw_links(Draws draws) {
  std::set<std::pair<AgentId, AgentId>> joined;
  const auto join = [&](AgentId a, AgentId b) {
    if (a == b || !joined.insert(std::minmax(a, b)).second) return;
    links.push_back({.from = a, .to = b, .latency = latency(draws), .bandwidth_bytes_per_s = bandwidth(draws)});
    links.push_back({.from = b, .to = a, .latency = latency(draws), .bandwidth_bytes_per_s = bandwidth(draws)});
  };
  for (AgentId b = 1; b < agents; ++b) join(style == Style::rounds ? 0 : static_cast<AgentId>(draws.below(b)), b);
  for (AgentId k = 0; k < agents; ++k)
    join(static_cast<AgentId>(draws.below(agents)), static_cast<AgentId>(draws.below(agents)));
  if (draws.bernoulli(0.2)) return;
  for (AgentId a = 0; a < agents; ++a) interfaces.push_back({bandwidth(draws), bandwidth(draws)});
}

/// Of some links beside the tree, by which everybody reaches everybody, one direction is left.
void NetworkWorld::draw_directions(Draws draws) {
  if (draws.bernoulli(0.5)) return;
  std::vector<LinkSpec> left;
  for (std::size_t k = 0; k < links.size(); k += 2) {
    const bool is_of_tree = k < 2 * (std::size_t{agents} - 1);
    const bool goes_one_way = !is_of_tree && draws.bernoulli(0.7);
    const bool is_forth = draws.bernoulli(0.5);
    if (!goes_one_way || is_forth) left.push_back(links[k]);
    if (!goes_one_way || !is_forth) left.push_back(links[k + 1]);
  }
  one_way = left.size() < links.size();
  links = std::move(left);
}

void NetworkWorld::draw_lossy_links(Draws draws) {
  if (draws.bernoulli(0.8)) return;
  for (LinkSpec& link : links)
    if (draws.bernoulli(0.5)) link.loss = {.probability = draws.uniform(0.01, 0.3)};
  loses = true;
}

void NetworkWorld::draw_faults(Draws draws) {
  if (draws.bernoulli(0.15)) return;
  draw_delays(draws);
  draw_losses(draws);
  draw_windows(draws);
  auto& faults = options.model.faults;
  if (draws.bernoulli(0.3)) faults.push_back(std::make_shared<Duplication>(draws.uniform(0.02, 0.3)));
  // In any order: what becomes of a message does not hang on it, but for the cause.
  if (faults.size() > 1) std::ranges::rotate(faults, faults.begin() + static_cast<std::ptrdiff_t>(draws.below(2)));
}

void NetworkWorld::draw_delays(Draws& draws) {
  auto& faults = options.model.faults;
  if (draws.bernoulli(0.3)) {
    delays = true;
    faults.push_back(std::make_shared<Jitter>([](Draws each) { return 0.01 * each.exponential(); }));
  }
  if (draws.bernoulli(0.3)) {
    delays = reorders = true;
    faults.push_back(std::make_shared<Reordering>(0.2, Duration::nanoseconds(15'000)));
  }
}

void NetworkWorld::draw_losses(Draws& draws) {
  auto& faults = options.model.faults;
  const bool by_chance = draws.bernoulli(0.3), in_bursts = draws.bernoulli(0.3);
  if (by_chance) faults.push_back(std::make_shared<IndependentLoss>(draws.uniform(0.01, 0.3)));
  if (in_bursts)
    faults.push_back(std::make_shared<BurstLoss>(
        static_cast<LinkId>(links.size()), BurstLoss::Options{.enter = 0.1, .leave = 0.4, .loss_when_good = 0.02}));
  loses = loses || by_chance || in_bursts;
}

void NetworkWorld::draw_windows(Draws& draws) {
  auto& faults = options.model.faults;
  if (draws.bernoulli(0.25)) {
    std::vector<std::uint32_t> groups(agents);
    for (std::uint32_t& group : groups) group = static_cast<std::uint32_t>(draws.below(2));
    faults.push_back(std::make_shared<Partition>(window(draws, lasts_), std::move(groups)));
    loses = true;
  }
  if (draws.bernoulli(0.25)) {
    std::vector<std::vector<Window>> windows(links.size());
    for (auto& of_link : windows)
      while (draws.bernoulli(0.3)) of_link.push_back(window(draws, lasts_));
    faults.push_back(std::make_shared<LinkOutages>(std::move(windows)));
    loses = true;
  }
}

void NetworkWorld::draw_availability(Draws draws) {
  if (draws.bernoulli(0.6)) return;
  std::vector<std::shared_ptr<const AvailabilityProcess>> processes;
  const auto some = [&] { return Duration::nanoseconds(50'000) + microseconds(draws, 400); };
  if (draws.bernoulli(0.6))
    processes.push_back(
        std::make_shared<OnOff>(options.seed, Purpose{"on off"}, agents, OnOffMeans{.up = some(), .down = some()}));
  while (draws.bernoulli(0.5)) {
    CrashPlan crash{.agent = static_cast<AgentId>(draws.below(agents)), .at = Time() + microseconds(draws, 400)};
    if (draws.bernoulli(0.85)) crash.recovers_after = some();
    crash.loses_state = draws.bernoulli(0.5);
    if (!crash.recovers_after) lasts_ = true;
    forgets = forgets || (crash.loses_state && crash.recovers_after);
    processes.push_back(std::make_shared<Crash>(crash));
  }
  loses = true;
  options.model.availability = std::make_shared<Availability>(agents, std::move(processes));
}

/// What is done about losses: Repair, which mostly helps, and going on without.
void NetworkWorld::draw_policy(Draws draws) {
  WorldModel& model = options.model;
  const bool repair = draws.bernoulli(0.5);
  if (repair) {
    model.repair.timeout = Duration::nanoseconds(20'000) + microseconds(draws, 100);
    model.repair.longest = Duration::nanoseconds(500'000);
    if (draws.bernoulli(0.2)) model.repair.retries = static_cast<std::uint32_t>(1 + draws.below(3));
  }
  const bool enough_retries = repair && model.repair.retries == Repair().retries;
  // A message that its round's topology has no link for is lost again and again.
  const bool off_topology = topology && style != Style::gossip;
  loses_for_good = (loses && (!enough_retries || lasts_)) || off_topology;

  if (draws.bernoulli(loses && !repair ? 1 : 0.5)) {
    model.missing.kind = draws.bernoulli(0.5) ? MissingNeighborKind::skip : MissingNeighborKind::reuse_last;
    model.missing.deadline = Duration::nanoseconds(1000) + microseconds(draws, 120);
  }
  if (draws.bernoulli(loses && !repair ? 0.8 : 0.5))
    model.round_rule.deadline = Duration::nanoseconds(5000) + microseconds(draws, 200);
  if (draws.bernoulli(0.3)) model.round_rule.enough = 1 + draws.below(agents);
  switch (draws.below(4)) {
    case 0:
      model.participation = std::make_shared<RandomSubset>(RandomSubset::of_fraction(options.seed, 0.6));
      break;
    case 1:
      model.participation = std::make_shared<IndependentParticipation>(options.seed, 0.5);
      break;
    case 2:
      model.participation = std::make_shared<CyclicParticipation>(1 + draws.below(3));
      break;
    default:
      break;
  }
}

void NetworkWorld::draw_compute(Draws draws) {
  for (AgentId a = 0; a < agents; ++a)
    compute.speed.push_back({{.from = Time(), .flops_per_s = pick(draws, std::array{1e9, 1e9, 2e8, unlimited})}});
  if (draws.bernoulli(0.4)) compute.straggler = Straggler{.probability = 0.2, .factor = 5, .mean_rounds = 2};
  compute.seed = options.seed;
  options.model.ciphers = {
      .encrypt = Duration::nanoseconds(500), .decrypt = Duration::nanoseconds(400), .add = Duration::nanoseconds(10)};
}

bool NetworkWorld::may_stall() const {
  const bool waits = (gossips() && options.model.missing.kind == MissingNeighborKind::wait) ||
                     (style == Style::rounds && !options.model.round_rule.deadline);
  return waits && (loses_for_good || forgets);
}

}  // namespace lagnet::test
