#include "sim/world/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

std::tuple<AgentId, AgentId> ends(const LinkSpec& link) { return {link.from, link.to}; }

bool has_opposite(const LinkSpec& link, const std::vector<LinkSpec>& links) {
  return std::ranges::binary_search(links, std::tuple(link.to, link.from), {}, ends);
}

/// Every fault of the links, which are sorted by their ends, and of the interfaces.
std::vector<Diagnostic> faults(AgentId agents, const std::vector<LinkSpec>& links,
                               const std::vector<Interface>& interfaces, LinkDirections directions) {
  std::vector<Diagnostic> all;
  const auto complain = [&](const LinkSpec& link, const char* fault) {
    all.push_back({fmt::format("link {} -> {}", link.from, link.to), "", fault});
  };
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkSpec& link = links[i];
    if (link.from >= agents || link.to >= agents) complain(link, "an end that is no agent");
    if (link.from == link.to) complain(link, "joins an agent to itself");
    if (i > 0 && ends(links[i - 1]) == ends(link)) complain(link, "given twice");
    if (link.latency < Duration()) complain(link, "a negative latency");
    if (!(link.bandwidth_bytes_per_s > 0)) complain(link, "a bandwidth that is not above 0");
    if (directions == LinkDirections::both && !has_opposite(link, links)) complain(link, "no link the other way");
  }
  if (!interfaces.empty() && interfaces.size() != agents) {
    all.push_back({"", "", fmt::format("{} interfaces for {} agents", interfaces.size(), agents)});
    return all;
  }
  for (std::size_t agent = 0; agent < interfaces.size(); ++agent)
    if (!(interfaces[agent].up_bytes_per_s > 0) || !(interfaces[agent].down_bytes_per_s > 0))
      all.push_back({fmt::format("interface of agent {}", agent), "", "a bandwidth that is not above 0"});
  return all;
}

}  // namespace

Network::Network(AgentId agents, std::vector<LinkSpec> links, std::vector<Interface> interfaces,
                 LinkDirections directions, const Underlay& underlay)
    : agents_(agents), interfaces_(std::move(interfaces)) {
  if (!std::ranges::is_sorted(links, {}, ends)) std::ranges::stable_sort(links, {}, ends);
  if (auto found = faults(agents, links, interfaces_, directions); !found.empty()) throw Diagnosed(std::move(found));
  const auto storage = std::make_shared<Storage>();
  auto& first = storage->first;
  auto& made = storage->links;
  auto& neighbors = storage->neighbors;
  first.assign(agents + 1, 0);
  for (const LinkSpec& link : links) ++first[link.from + 1];
  for (AgentId a = 0; a < agents; ++a) first[a + 1] += first[a];
  const bool has_inner = !underlay.routes.empty() || !underlay.media.empty();
  made.reserve(links.size());
  neighbors.reserve(links.size());
  for (const LinkSpec& link : links) {
    const double narrowest = std::min(
        {link.bandwidth_bytes_per_s, interface(link.from).up_bytes_per_s, interface(link.to).down_bytes_per_s});
    made.push_back({link.to, 0, link.latency, narrowest});
    neighbors.push_back(link.to);
    if (!interfaces_.empty() || has_inner) storage->bandwidths.push_back(link.bandwidth_bytes_per_s);
  }
  const auto is_one_way = [&](const LinkSpec& link) { return !has_opposite(link, links); };
  const bool is_directed = directions == LinkDirections::any && std::ranges::any_of(links, is_one_way);
  if (is_directed) list_in_neighbors(*storage);
  first_ = first.data();
  links_ = made.data();
  neighbors_ = neighbors.data();
  in_first_ = is_directed ? storage->in_first.data() : first_;
  in_neighbors_ = is_directed ? storage->in_neighbors.data() : neighbors_;
  if (!storage->bandwidths.empty()) bandwidths_ = storage->bandwidths.data();
  for (AgentId a = 0; a < agents && !is_directed; ++a)
    for (LinkId id = first[a]; id < first[a + 1]; ++id)
      made[id].slot_at_receiver = find(made[id].to, a) - first[made[id].to];
  storage_ = storage;
  if (has_inner) lay_under(*storage, links, underlay);
  if (has_inner) path_begins_ = storage->path_begins.data();
  first_medium_ = medium(0);
  has_detours_ = !storage->detours.empty();
  set_schedules(*storage, links, underlay);
  has_schedules_ = !storage->rates.empty();
}

/// Adds the path of a link over this route; null: of no place.
void Network::lay_path(Storage& storage, const LinkSpec& link, LinkId id,
                       const std::vector<std::uint32_t>* route) const {
  storage.path_begins.push_back(storage.paths.size());
  if (!route) return;
  const std::uint32_t first = storage.medium_of[link.from], last = storage.medium_of[link.to];
  storage.paths.push_back(up(link.from));
  if (first != no_medium) storage.paths.push_back(medium(first));
  for (const std::uint32_t one : *route) storage.paths.push_back(inner(one));
  storage.paths.push_back(over(id));
  if (last != no_medium && (last != first || storage.media[last].relays)) storage.paths.push_back(medium(last));
  storage.paths.push_back(down(link.to));
}

/// The path of each link, and what it adds to the link.
void Network::lay_under(Storage& storage, const std::vector<LinkSpec>& links, const Underlay& underlay) const {
  storage.inner = underlay.links;
  storage.media = underlay.media;
  storage.medium_of.assign(agents_, no_medium);
  for (std::uint32_t k = 0; k < underlay.media.size(); ++k)
    for (const AgentId member : underlay.media[k].agents) storage.medium_of[member] = k;
  const std::vector<std::uint32_t> none;
  for (LinkId id = 0; id < links.size(); ++id) {
    storage.latencies.push_back(links[id].latency);
    lay_path(storage, links[id], id, underlay.routes.empty() ? &none : &underlay.routes[links[id].route]);
    Link& made = storage.links[id];
    const std::span path(storage.paths.data() + storage.path_begins.back(),
                         storage.paths.size() - storage.path_begins.back());
    for (const ResourceId one : path) {
      if (one < inner(0)) continue;
      double rate = 0;
      if (one >= medium(0)) {
        rate =
            radio_bytes_per_s(storage.media[one - medium(0)], id) / static_cast<double>(std::ranges::count(path, one));
      } else {
        rate = storage.inner[one - inner(0)].bandwidth_bytes_per_s;
        made.latency += storage.inner[one - inner(0)].latency;
      }
      made.narrowest_bytes_per_s = std::min(made.narrowest_bytes_per_s, rate);
    }
  }
  lay_detours(storage, links, underlay);
  storage.path_begins.push_back(storage.paths.size());
}

/// The paths that links have at other times. Each is there once, and so is a list of them.
void Network::lay_detours(Storage& storage, const std::vector<LinkSpec>& links, const Underlay& underlay) const {
  std::map<std::pair<LinkId, std::uint32_t>, LinkId> laid;  // by link and route
  std::map<std::vector<std::uint32_t>, std::size_t> lists;  // by routes
  for (const Underlay::Detours& detours : underlay.detours) {
    storage.detour_begins.push_back(detours.from);
    const auto [list, is_other] = lists.try_emplace(detours.routes, storage.detours.size());
    storage.detours_from.push_back(list->second);
    if (!is_other) continue;
    std::vector<LinkId>& paths = storage.detours.emplace_back();
    for (LinkId id = 0; id < links.size(); ++id) {
      const std::uint32_t route = detours.routes[links[id].route];
      const auto next = static_cast<LinkId>(storage.path_begins.size());
      const auto [known, is_new] = laid.try_emplace({id, route}, route == links[id].route ? id : next);
      if (is_new && known->second == next)
        lay_path(storage, links[id], id, route == Underlay::no_route ? nullptr : &underlay.routes[route]);
      paths.push_back(known->second);
    }
  }
}

LinkId Network::detour(LinkId link, Time departure) const {
  const auto& begins = storage_->detour_begins;
  const auto after = std::ranges::upper_bound(begins, departure) - begins.begin();
  return after == 0 ? link : storage_->detours[storage_->detours_from[static_cast<std::size_t>(after - 1)]][link];
}

void Network::set_schedules(Storage& storage, const std::vector<LinkSpec>& links, const Underlay& underlay) const {
  const auto set = [&](auto& of, ResourceId id, const std::shared_ptr<const Schedule>& schedule) {
    if (!schedule) return;
    storage.rates.resize(resources());
    storage.latency_schedules.resize(resources());
    of[id] = schedule;
  };
  for (AgentId a = 0; a < interfaces_.size(); ++a) {
    set(storage.rates, up(a), interfaces_[a].up);
    set(storage.rates, down(a), interfaces_[a].down);
  }
  for (LinkId id = 0; id < links.size(); ++id) {
    set(storage.rates, over(id), links[id].bandwidth);
    set(storage.latency_schedules, over(id), links[id].latency_ns);
  }
  for (std::uint32_t k = 0; k < underlay.links.size(); ++k) {
    set(storage.rates, inner(k), underlay.links[k].bandwidth);
    set(storage.latency_schedules, inner(k), underlay.links[k].latency_ns);
  }
  const auto limit = [&](ResourceId id, const std::shared_ptr<const QueueLimit>& queue) {
    if (queue) storage.queues[id] = queue;
  };
  for (AgentId a = 0; a < interfaces_.size(); ++a) {
    limit(up(a), interfaces_[a].up_queue);
    limit(down(a), interfaces_[a].down_queue);
  }
  for (LinkId id = 0; id < links.size(); ++id) limit(over(id), links[id].queue);
  for (std::uint32_t k = 0; k < underlay.links.size(); ++k) limit(inner(k), underlay.links[k].queue);
  const auto lose = [&](ResourceId id, const LinkLoss& loss) {
    if (loss.schedule || loss.probability > 0 || !loss.off.empty()) storage.losses[id] = loss;
  };
  for (LinkId id = 0; id < links.size(); ++id) lose(over(id), links[id].loss);
  for (std::uint32_t k = 0; k < underlay.links.size(); ++k) lose(inner(k), underlay.links[k].loss);
}

const Underlay::Medium* Network::medium_of_agent(AgentId agent) const {
  for (const Underlay::Medium& medium : storage_->media)
    if (std::ranges::find(medium.agents, agent) != medium.agents.end()) return &medium;
  return nullptr;
}

bool Network::passes_medium(LinkId link) const {
  return has_media() && std::ranges::any_of(listed_path(link), [this](ResourceId id) { return is_medium(id); });
}

double Network::alone_bytes_per_s(ResourceId medium, LinkId link) const {
  return radio_bytes_per_s(medium_of(medium), link) /
         static_cast<double>(std::ranges::count(listed_path(link), medium));
}

double Network::rate(ResourceId id) const {
  if (id < agents_) return interface(id).up_bytes_per_s;
  if (id < over(0)) return interface(id - agents_).down_bytes_per_s;
  if (id < inner(0)) return bandwidth_bytes_per_s(id - over(0));
  return is_medium(id) ? medium_of(id).bandwidth_bytes_per_s : storage_->inner[id - inner(0)].bandwidth_bytes_per_s;
}

double Network::rate(ResourceId id, LinkId link) const {
  if (is_medium(id)) return radio_bytes_per_s(medium_of(id), link);
  return id == over(link) && passes_medium(link) ? std::numeric_limits<double>::infinity() : rate(id);
}

bool Network::has_effect(ResourceId id) const {
  if (std::isfinite(rate(id)) || schedule(id)) return true;
  if (!is_link(id)) return false;
  return id >= inner(0) || loss(id) || queue(id) || latency(id, Time()) > Duration() || latency_changes(id);
}

Duration Network::latency_by_lists(ResourceId id, Time at) const {
  if (has_schedules_ && storage_->latency_schedules[id])
    return Duration::nanoseconds(static_cast<std::int64_t>(storage_->latency_schedules[id]->at(at)));
  if (id >= inner(0)) return storage_->inner[id - inner(0)].latency;
  const LinkId link = id - over(0);
  return storage_->latencies.empty() ? links_[link].latency : storage_->latencies[link];
}

double Network::inner_joules_per_byte(LinkId link) const {
  double joules = 0;
  if (is_flat()) return joules;
  for (std::size_t place = 0; place < path_length(link); ++place)
    if (const ResourceId id = on_path(0, link, place); id >= inner(0) && !is_medium(id))
      joules += storage_->inner[id - inner(0)].joules_per_byte;
  return joules;
}

Network::PathNow Network::path_at(LinkId link, LinkId path_taken, Time now, std::size_t places) const {
  const Link& to = links_[link];
  if (!has_schedules() && path_taken == link && places == path_length(link))
    return {to.latency, to.narrowest_bytes_per_s};
  PathNow path{{}, std::numeric_limits<double>::infinity()};
  const AgentId from = sender(link);
  for (std::size_t place = 0; place < places; ++place) {
    const ResourceId id = on_path(from, path_taken, place);
    double bytes_per_s = is_medium(id) ? alone_bytes_per_s(id, link) : rate(id);
    if (const Schedule* const of = schedule(id))
      for (Time at = now; (bytes_per_s = of->at(at)) == 0; at = of->next_change(at)) continue;
    path.bytes_per_s = std::min(path.bytes_per_s, bytes_per_s);
    if (is_link(id)) path.latency += latency(id, now);
  }
  return path;
}

Time Network::through_alone(LinkId link, LinkId path_taken, std::size_t places, Time begin, Bytes bytes,
                            Time latest) const {
  const AgentId from = sender(link);
  auto left = static_cast<double>(bytes);
  for (Time at = begin; at < latest;) {
    double bytes_per_s = std::numeric_limits<double>::infinity();
    Time until = Time::never();
    for (std::size_t place = 0; place < places; ++place) {
      const ResourceId id = on_path(from, path_taken, place);
      const Schedule* const of = schedule(id);
      bytes_per_s = std::min(bytes_per_s, of ? of->at(at) : is_medium(id) ? alone_bytes_per_s(id, link) : rate(id));
      if (of) until = std::min(until, of->next_change(at));
    }
    if (bytes_per_s > 0) {
      const Time through = saturated(at, Duration::seconds(left / bytes_per_s));
      if (through <= until) return std::min(through, latest);
    }
    left -= bytes_per_s * (until - at).in_seconds();
    at = until;
  }
  return latest;
}

/// Those of every agent, and each link's place among them: links come by ascending sender.
void Network::list_in_neighbors(Storage& storage) {
  auto& first = storage.first;
  auto& links = storage.links;
  auto& in_first = storage.in_first;
  auto& in_neighbors = storage.in_neighbors;
  const std::size_t agents = first.size() - 1;
  in_first.assign(first.size(), 0);
  for (const Link& link : links) ++in_first[link.to + 1];
  for (std::size_t a = 0; a < agents; ++a) in_first[a + 1] += in_first[a];
  std::vector<std::uint32_t> known(agents, 0);
  in_neighbors.resize(links.size());
  for (AgentId from = 0; from < agents; ++from)
    for (LinkId id = first[from]; id < first[from + 1]; ++id) {
      Link& link = links[id];
      link.slot_at_receiver = known[link.to]++;
      in_neighbors[in_first[link.to] + link.slot_at_receiver] = from;
    }
}

AgentId Network::sender(LinkId id) const {
  return static_cast<AgentId>(std::upper_bound(first_, first_ + agents_ + 1, id) - first_ - 1);
}

}  // namespace lagnet
