#include "scenarios/explain/faster_worlds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>

#include "scenarios/results/critical_path_csv.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

/// "20 Mbit/s", "200 Mflop/s".
std::string scaled(double number, const char* unit) {
  constexpr std::array<const char*, 5> prefixes{"", "k", "M", "G", "T"};
  std::size_t k = 0;
  for (; number >= 1000 && k + 1 < prefixes.size(); ++k) number /= 1000;
  return fmt::format("{} {}{}", short_number(number), prefixes[k], unit);
}

/// What can be twice as fast: one thing, or all of a kind together. `none`: nothing on a path that can.
enum class Faster { none, speed, ciphers, interface, link, inner_link, medium, latency };
using Thing = std::pair<Faster, std::uint32_t>;  // an agent or a resource

/// The keys of a scenario that make things twice as fast.
class Doubling {
 public:
  Doubling(const Experiment& experiment, const Json& scenario)
      : experiment_(experiment), network_(*experiment.network), scenario_(scenario) {}

  Thing thing(const PathPieces::Content& part) const;
  std::string name(Thing thing) const;
  bool is_possible(Thing thing) const;
  /// Of things of one kind, each of which is possible.
  std::vector<std::pair<std::string, Json>> keys(const std::vector<Thing>& things) const;
  /// All of that kind that are possible.
  std::vector<Thing> all(Faster kind) const;
  /// Where bandwidths of links differ.
  std::optional<Thing> slowest_link() const;

 private:
  Json at(const char* pointer) const { return scenario_.value(Json::json_pointer(pointer), Json()); }
  bool has_update_times() const { return !at("/compute/update_ms").is_null(); }
  Json list_at(const char* pointer) const { return at(pointer).is_array() ? at(pointer) : Json::array(); }
  Json ends(LinkId link) const {
    return Json::array({Json::array({Json(network_.sender(link)), Json(network_.link(link).to)})});
  }
  LinkId back(LinkId link) const { return network_.find(network_.link(link).to, network_.sender(link)); }
  bool is_inner(ResourceId id) const { return id >= network_.inner(0) && !network_.is_medium(id); }
  struct Inner {
    std::size_t place = 0;  // in underlay.links
    ResourceId first = 0;   // of its directions
  };
  Inner inner(ResourceId id) const;
  double half_ms(ResourceId id) const { return network_.latency(id, Time()).in_seconds() * 1e3 / 2; }
  Json speeds(const std::vector<Thing>& things) const;
  Json update_times(const std::vector<Thing>& things) const;
  Json interfaces(const std::vector<Thing>& things) const;

  const Experiment& experiment_;
  const Network& network_;
  const Json& scenario_;
};

/// A link has the latencies of both directions, and an inner link their bandwidths, too.
Thing Doubling::thing(const PathPieces::Content& part) const {
  const auto [kind, of, time] = part;
  if (kind == PathKind::computing) return {Faster::speed, of};
  if (kind == PathKind::encrypting) return {Faster::ciphers, 0};
  if (kind == PathKind::latency) {
    if (is_inner(of)) return {Faster::latency, inner(of).first};
    const LinkId opposite = back(of - network_.over(0));
    return {Faster::latency, opposite == no_link ? of : std::min(of, network_.over(opposite))};
  }
  if (kind != PathKind::queueing && kind != PathKind::transfer) return {Faster::none, 0};
  if (of < network_.over(0)) return {Faster::interface, of};
  if (network_.is_medium(of)) return {Faster::medium, of};
  if (is_inner(of)) return {Faster::inner_link, inner(of).first};
  return {Faster::link, of};
}

std::string Doubling::name(Thing thing) const {
  const auto [faster, of] = thing;
  if (faster == Faster::ciphers)
    return fmt::format("encryption on {} cores", 2 * experiment_.scenario.compute.encryption.cores);
  const auto agent = [&](AgentId id) { return in_sentence(experiment_, PathKind::computing, id); };
  if (faster == Faster::speed && has_update_times()) return agent(of) + " in half the time";
  if (faster == Faster::speed)
    return fmt::format("{} to {}", agent(of), scaled(2 * experiment_.compute->speed_flops_per_s(of), "flop/s"));
  std::string resource = in_sentence(experiment_, PathKind::transfer, of);
  if (is_inner(of)) {
    const InnerLinkOptions& link = experiment_.scenario.network.underlay->links[inner(of).place];
    resource = link.name.empty() ? fmt::format("inner link {} - {}", link.ends[0], link.ends[1]) : link.name;
  }
  if (faster != Faster::latency) return fmt::format("{} to {}", resource, scaled(2 * 8 * network_.rate(of), "bit/s"));
  const std::string time = short_number(half_ms(of)) + " ms";
  if (is_inner(of)) return fmt::format("the latency of {} to {}", resource, time);
  const LinkId link = of - network_.over(0);
  return fmt::format("latency between {} and {} to {}", agent(network_.sender(link)), agent(network_.link(link).to),
                     time);
}

bool Doubling::is_possible(Thing thing) const {
  const auto [faster, of] = thing;
  const bool is_of_resource = faster == Faster::inner_link || faster == Faster::latency;
  if (is_of_resource && is_inner(of) && inner(of).place == experiment_.scenario.network.underlay->links.size())
    return false;  // the scenario does not list it
  switch (faster) {
    case Faster::none:
      return false;
    case Faster::ciphers:
      return true;
    case Faster::speed: {
      const bool is_server = experiment_.traits.server && of == 0;
      if (has_update_times()) return !is_server;
      return experiment_.scenario.compute.speed_flops_per_s.kind() != SpeedTraceOptions::kind &&
             std::isfinite(experiment_.compute->speed_flops_per_s(of));
    }
    case Faster::latency:
      return !network_.has_schedules() && half_ms(of) > 0;
    case Faster::interface: {
      const Interface& own = network_.interface(of % network_.agents());
      if (own.up || own.down || own.up_queue || own.down_queue) return false;
      break;
    }
    default:
      break;
  }
  return std::isfinite(network_.rate(of)) && !network_.schedule(of) && !network_.queue(of);
}

/// The entry of underlay.links that has this resource.
Doubling::Inner Doubling::inner(ResourceId id) const {
  Inner found{0, network_.inner(0)};
  for (const InnerLinkOptions& link : experiment_.scenario.network.underlay->links) {
    const ResourceId end = found.first + (link.both_ways && link.duplex == Duplex::full ? 2 : 1);
    if (id < end) break;
    found = {found.place + 1, end};
  }
  return found;
}

Json Doubling::speeds(const std::vector<Thing>& things) const {
  std::vector<double> values;
  for (AgentId k = 0; k < network_.agents(); ++k) values.push_back(experiment_.compute->speed_flops_per_s(k));
  for (const auto& [faster, agent] : things) values[agent] *= 2;
  return {{"kind", "list"}, {"values", values}};
}

Json Doubling::update_times(const std::vector<Thing>& things) const {
  const AgentId servers = experiment_.traits.server ? 1 : 0;
  const Json given = at("/compute/update_ms");
  Json times = given.is_array() ? given : Json(std::vector<Json>(network_.agents() - servers, given));
  for (const auto& [faster, agent] : things) {
    Json& own = times[agent - servers];
    if (own.is_number()) own = own.get<double>() / 2;
    if (own.is_array())
      for (Json& one : own) one = one.get<double>() / 2;
  }
  return times;
}

Json Doubling::interfaces(const std::vector<Thing>& things) const {
  std::map<AgentId, Interface> changed;
  for (const auto& [faster, of] : things) {
    const AgentId agent = of % network_.agents();
    Interface& own = changed.try_emplace(agent, network_.interface(agent)).first->second;
    (of < network_.down(0) ? own.up_bytes_per_s : own.down_bytes_per_s) *= 2;
  }
  Json list = list_at("/network/interfaces");
  for (const auto& [agent, own] : changed) {
    Json entry{{"agents", Json::array({Json(agent)})}};
    if (std::isfinite(own.up_bytes_per_s)) entry["up_bytes_per_s"] = own.up_bytes_per_s;
    if (std::isfinite(own.down_bytes_per_s)) entry["down_bytes_per_s"] = own.down_bytes_per_s;
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<std::pair<std::string, Json>> Doubling::keys(const std::vector<Thing>& things) const {
  const Faster kind = things.front().first;
  if (kind == Faster::ciphers)
    return {{"/compute/encryption/cores", 2 * experiment_.scenario.compute.encryption.cores}};
  if (kind == Faster::interface) return {{"/network/interfaces", interfaces(things)}};
  if (kind == Faster::speed && has_update_times()) return {{"/compute/update_ms", update_times(things)}};
  if (kind == Faster::speed) return {{"/compute/speed_flops_per_s", speeds(things)}};
  std::vector<std::pair<std::string, Json>> keys;
  Json links = list_at("/network/links");
  const auto change = [&](ResourceId of, const char* key, double value) {
    if (network_.is_medium(of))
      keys.emplace_back(fmt::format("/network/media/{}/{}", of - network_.medium(0), key), value);
    else if (is_inner(of))
      keys.emplace_back(fmt::format("/network/underlay/links/{}/{}", inner(of).place, key), value);
    else
      links.push_back({{"links", ends(of - network_.over(0))}, {key, value}, {"both_ways", false}});
  };
  for (const auto& [faster, of] : things) {
    if (faster != Faster::latency) {
      change(of, "bandwidth_bytes_per_s", 2 * network_.rate(of));
      continue;
    }
    change(of, "latency_ms", half_ms(of));
    const LinkId opposite = is_inner(of) ? no_link : back(of - network_.over(0));
    if (opposite != no_link) change(network_.over(opposite), "latency_ms", half_ms(network_.over(opposite)));
  }
  if (links.size() > list_at("/network/links").size()) keys.emplace_back("/network/links", std::move(links));
  return keys;
}

std::vector<Thing> Doubling::all(Faster kind) const {
  std::set<Thing> found;
  const auto add = [&](PathKind path_kind, std::uint32_t of) {
    const Thing one = thing({path_kind, of, {}});
    if (one.first == kind && is_possible(one)) found.insert(one);
  };
  for (AgentId agent = 0; agent < network_.agents(); ++agent) add(PathKind::computing, agent);
  for (ResourceId id = 0; id < network_.resources(); ++id) {
    add(PathKind::transfer, id);
    if (network_.is_link(id)) add(PathKind::latency, id);
  }
  return {found.begin(), found.end()};
}

std::optional<Thing> Doubling::slowest_link() const {
  const auto rate = [this](ResourceId id) { return network_.rate(id); };
  const auto links = std::views::iota(network_.over(0), network_.medium(0));
  if (links.empty()) return std::nullopt;
  const auto [least, most] = std::ranges::minmax_element(links, {}, rate);
  if (rate(*least) == rate(*most)) return std::nullopt;
  return thing({PathKind::transfer, *least, {}});
}

const char* name_of_all(Faster kind) {
  switch (kind) {
    case Faster::speed:
      return "all agents";
    case Faster::interface:
      return "all up-links and down-links";
    case Faster::link:
      return "all links";
    case Faster::inner_link:
      return "all inner links";
    case Faster::latency:
      return "all latencies to the half";
    default:
      return "";
  }
}

}  // namespace

std::vector<FasterWorld> faster_worlds(const Experiment& experiment, const Json& scenario, const PathSums& path) {
  const Doubling doubling(experiment, scenario);
  std::map<Thing, Duration> times;
  std::map<Faster, Duration> times_of_kinds, longest;
  for (const PathPieces::Content& part : path.parts) {
    const Thing thing = doubling.thing(part);
    const Duration time = times[thing] += part.time;
    times_of_kinds[thing.first] += part.time;
    longest[thing.first] = std::max(longest[thing.first], time);
  }
  std::vector<std::pair<Thing, Duration>> things(times.begin(), times.end());
  std::ranges::stable_sort(things, std::greater{}, &std::pair<Thing, Duration>::second);

  std::vector<FasterWorld> worlds;
  constexpr std::size_t most = 5, most_together = 20'000;  // of which each has an entry in the scenario
  for (const auto& [thing, time] : things)
    if (worlds.size() < most && share_on_path(path, time) >= smallest_share && doubling.is_possible(thing))
      worlds.push_back({doubling.name(thing), doubling.keys({thing})});
  for (const auto& [kind, time] : times_of_kinds) {
    if (time == longest[kind] || share_on_path(path, time) < smallest_share || *name_of_all(kind) == '\0') continue;
    const std::vector<Thing> together = doubling.all(kind);
    if (together.size() > 1 && together.size() <= most_together)
      worlds.push_back({name_of_all(kind), doubling.keys(together)});
  }
  const std::optional<Thing> slowest = doubling.slowest_link();
  if (slowest && !times.contains(*slowest) && doubling.is_possible(*slowest))
    worlds.push_back({"the slowest link, " + doubling.name(*slowest), doubling.keys({*slowest})});
  return worlds;
}

}  // namespace lagnet
