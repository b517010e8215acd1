#include "sim/accounts/critical_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

std::string_view name(PathKind kind) {
  switch (kind) {
    case PathKind::computing:
      return "computing";
    case PathKind::encrypting:
      return "encrypting";
    case PathKind::sleeping:
      return "sleeping";
    case PathKind::absence:
      return "absence";
    case PathKind::deadline:
      return "deadline";
    case PathKind::queueing:
      return "queueing";
    case PathKind::transfer:
      return "transfer";
    case PathKind::latency:
      return "latency";
    case PathKind::repair:
      return "repair";
  }
  return "";
}

// The pieces of paths

PathPieces::Piece PathPieces::append(Piece path, PathKind kind, std::uint32_t of, Duration time) {
  if (time == Duration()) return path;
  Linked& last = pieces_[path];
  if (path != 0 && last.users == 1 && last.content.kind == kind && last.content.of == of) {
    last.content.time += time;
    return path;
  }
  Piece added = static_cast<Piece>(pieces_.size());
  if (free_.empty()) {
    pieces_.emplace_back();
  } else {
    added = free_.back();
    free_.pop_back();
  }
  pieces_[added] = {.before = path, .users = 1, .content = {kind, of, time}};
  return added;
}

void PathPieces::drop(Piece path) {
  while (path != 0 && --pieces_[path].users == 0) {
    free_.push_back(path);
    path = pieces_[path].before;
  }
}

// What agents do

CriticalPath::CriticalPath(const Network& network, const WorldModel& model)
    : network_(network), model_(model), agents_(network.agents()) {}

bool CriticalPath::wants(EventKind what) const {
  switch (what) {
    case EventKind::sent:
    case EventKind::delivered:
    case EventKind::lost:
    case EventKind::computed:
    case EventKind::encrypted:
    case EventKind::slept:
    case EventKind::waited:
    case EventKind::away:
    case EventKind::restarted:
    case EventKind::reported:
      return true;
    default:
      return false;
  }
}

void CriticalPath::on_event(const SimEvent& what) {
  switch (what.what) {
    case EventKind::sent:
      return send(what);
    case EventKind::delivered:
      return deliver(what);
    case EventKind::lost:
      return lose(what);
    case EventKind::computed:
      return begin(what, PathKind::computing);
    case EventKind::encrypted:
      return begin(what, PathKind::encrypting);
    case EventKind::slept:
      return begin(what, PathKind::sleeping);
    case EventKind::waited:
      advance(what.agent, what.at + (Duration() - what.duration));  // through what it did before
      return advance(what.agent, what.at, Duration::nanoseconds(what.amount));
    case EventKind::away:
      return be_away(what);
    case EventKind::restarted:
      return restart(what);
    case EventKind::reported:
      return report(what);
    default:
      return;
  }
}

/// Lets the path of an agent that goes on reach this moment: through what it did, or the message that it waited for. An
/// agent that serves others while it computes may do both, and goes on with whichever ends now.
void CriticalPath::advance(AgentId agent, Time to, Duration down) {
  Traced& it = agents_[agent];
  if (it.until >= to) return;
  const auto is_now = [to](const Arrival& message) { return message.is_there && message.event.at == to; };
  if (it.activity.is_there && it.activity.end() == to) {
    pieces_.drop(it.path);
    const Activity done = std::exchange(it.activity, {});
    it.path = pieces_.append(done.path, done.kind, agent, done.lasts);
    it.path = pieces_.append(it.path, PathKind::absence, agent, done.away);
  } else if (is_now(it.came) || is_now(it.went)) {
    pieces_.drop(it.path);
    it.path = after_arrival(is_now(it.came) ? it.came : it.went);
  } else {
    const Duration all = to - it.until, absence = std::min(down, all);
    it.path = pieces_.append(it.path, PathKind::deadline, agent, all - absence);
    it.path = pieces_.append(it.path, PathKind::absence, agent, absence);
  }
  it.until = to;
}

void CriticalPath::end_activity(Traced& agent) {
  if (agent.activity.is_there) pieces_.drop(agent.activity.path);
  agent.activity = {};
}

void CriticalPath::begin(const SimEvent& what, PathKind kind) {
  advance(what.agent, what.at);
  if (what.duration == Duration()) return;  // perhaps while another one is under way
  Traced& agent = agents_[what.agent];
  end_activity(agent);
  agent.activity = {.path = pieces_.share(agent.path),
                    .kind = kind,
                    .began = what.at,
                    .lasts = what.duration,
                    .away = {},
                    .is_there = true};
}

/// Within what the agent has begun at this moment.
void CriticalPath::be_away(const SimEvent& what) {
  Traced& agent = agents_[what.agent];
  if (!agent.activity.is_there || agent.activity.began != what.at) return begin(what, PathKind::absence);
  agent.activity.away = what.duration;
}

/// A crash has cut off what it did.
void CriticalPath::restart(const SimEvent& what) {
  Traced& agent = agents_[what.agent];
  const auto down_since = [&](Time since) {
    return model_.availability ? model_.availability->down_time(what.agent, since, what.at) : Duration();
  };
  if (agent.until < what.at && agent.activity.is_there && agent.activity.end() > agent.until) {
    const Activity cut = std::exchange(agent.activity, {});
    const Duration down = down_since(cut.began);
    pieces_.drop(agent.path);
    agent.path = pieces_.append(cut.path, cut.kind, what.agent, what.at - cut.began - down);
    agent.path = pieces_.append(agent.path, PathKind::absence, what.agent, down);
    agent.until = what.at;
  }
  advance(what.agent, what.at, down_since(agent.until));
  end_activity(agent);
}

void CriticalPath::report(const SimEvent& what) {
  advance(what.agent, what.at);
  pieces_.drop(last_);
  last_ = pieces_.share(agents_[what.agent].path);
  until_ = what.at;
  reporter_ = what.agent;
}

// Messages

void CriticalPath::send(const SimEvent& what) {
  Sent sent{.path = 0, .at = what.at, .attempt = 0, .is_copy = what.cause == Cause::duplication};
  if (what.cause == Cause::retransmission) {
    const auto lost = to_be_resent_.find({what.at, what.link, what.round, what.amount});
    LAGNET_CHECK(lost != to_be_resent_.end(), "a message of link {} is sent again that was not lost", what.link);
    sent.path =
        pieces_.append(lost->second.path, PathKind::repair, network_.over(what.link), what.at - lost->second.at);
    sent.attempt = lost->second.attempt + 1;
    to_be_resent_.erase(lost);
  } else {
    advance(what.agent, what.at);
    sent.path = pieces_.share(agents_[what.agent].path);
  }
  on_the_way_.emplace_hint(on_the_way_.end(), what.serial, sent);
}

void CriticalPath::keep(Arrival& place, Piece path, const SimEvent& what) {
  if (place.is_there) pieces_.drop(place.path);
  place = {.path = path, .event = what, .is_there = true};
}

/// The receiver may have waited for it, or the sender for its arrival.
void CriticalPath::deliver(const SimEvent& what) {
  const auto sent = on_the_way_.find(what.serial);
  LAGNET_CHECK(sent != on_the_way_.end(), "message {} is delivered that was not sent", what.serial);
  keep(agents_[what.peer].went, pieces_.share(sent->second.path), what);
  keep(agents_[what.agent].came, sent->second.path, what);
  on_the_way_.erase(sent);
}

/// It waits for its repetition, when the transport sends it again (Transport::lose).
void CriticalPath::lose(const SimEvent& what) {
  const auto found = on_the_way_.find(what.serial);
  LAGNET_CHECK(found != on_the_way_.end(), "message {} is lost that was not sent", what.serial);
  const Sent sent = found->second;
  on_the_way_.erase(found);
  // A repetition was not needed where a copy had come.
  for (auto first = to_be_resent_.begin(); first != to_be_resent_.end() && std::get<Time>(first->first) < what.at;
       first = to_be_resent_.erase(first))
    pieces_.drop(first->second.path);
  const Repair& repair = model_.repair;
  if (!repair.timeout || sent.attempt >= repair.retries || sent.is_copy) return pieces_.drop(sent.path);
  Time again = std::max(saturated(sent.at, repair.timeout_of(sent.attempt)), what.at);
  if (model_.availability && again != Time::never()) again = model_.availability->next_up(what.agent, again);
  to_be_resent_.emplace(Repetition{again, what.link, what.round, what.amount}, sent);
}

/// Of a message that has arrived: a connection that opens late may have had another one than when it was sent.
LinkId CriticalPath::path_of(LinkId link, Time sent) const {
  const LinkId path = network_.path(link, sent);
  return network_.path_length(path) > 0 ? path : link;
}

/// The place on its path, among the first ones, that carries least.
ResourceId CriticalPath::narrowest(LinkId link, AgentId from, std::size_t places, Time at) const {
  ResourceId found = network_.over(link);
  double least = std::numeric_limits<double>::infinity();
  const LinkId path = path_of(link, at);
  for (std::size_t place = 0; place < places; ++place) {
    const ResourceId id = network_.on_path(from, path, place);
    const Schedule* const schedule = network_.schedule(id);
    const double rate = schedule ? schedule->at(at) : network_.rate(id, link);
    if (rate < least || (network_.is_medium(id) && rate <= least && std::isfinite(rate))) {
      found = id;
      least = rate;
    }
  }
  return found;
}

/// How long bits take to leave resources on a path without others; the longest time where that depends on more.
Duration CriticalPath::transmission(LinkId link, AgentId from, Bytes bytes, Time at) const {
  if (network_.has_schedules() || network_.has_media()) return Duration::longest();
  const LinkId path = path_of(link, at);
  const std::size_t places = network_.path_length(path);
  const auto time_at = [&](ResourceId id) {
    const double rate = network_.rate(id);
    return std::isfinite(rate) ? Network::transmission_time(bytes, rate) : Duration();
  };
  if (model_.sharing != Sharing::fifo || model_.forwarding == Forwarding::cut_through)
    return time_at(narrowest(link, from, places, at));
  Duration sum;
  for (std::size_t place = 0; place < places; ++place) sum += time_at(network_.on_path(from, path, place));
  return sum;
}

/// The path through a message that has arrived. What its way takes beyond transmission and constant latencies, such as
/// jitter, counts as the latency of its link.
CriticalPath::Piece CriticalPath::after_arrival(Arrival& arrival) {
  const SimEvent what = arrival.event;
  Piece path = std::exchange(arrival, {}).path;
  const AgentId from = network_.sender(what.link);
  const Time sent = what.at + (Duration() - what.duration);
  const LinkId taken = path_of(what.link, sent);
  const std::size_t places = network_.path_length(taken);
  const auto on_path = [&](std::size_t place) { return network_.on_path(from, taken, place); };

  path = pieces_.append(path, PathKind::queueing, narrowest(what.link, from, places - 1, sent),
                        what.queued - what.queued_there);
  path = pieces_.append(path, PathKind::queueing, on_path(places - 1), what.queued_there);
  Duration rest = what.duration - what.queued;
  for (std::size_t place = 0; place < places; ++place) {
    if (!network_.is_link(on_path(place))) continue;
    const Duration latency = std::min(network_.latency(on_path(place), sent), rest);
    path = pieces_.append(path, PathKind::latency, on_path(place), latency);
    rest = rest - latency;
  }
  const Duration transfer = std::min(transmission(what.link, from, what.amount, sent), rest);
  path = pieces_.append(path, PathKind::transfer, narrowest(what.link, from, places, sent), transfer);
  return pieces_.append(path, PathKind::latency, network_.over(what.link), rest - transfer);
}

// The result

PathSums CriticalPath::sums() const {
  std::map<std::pair<PathKind, std::uint32_t>, Duration> by_kind;
  Duration all;
  pieces_.for_each(last_, [&](const PathPieces::Content& piece) {
    by_kind[{piece.kind, piece.of}] += piece.time;
    all += piece.time;
  });
  LAGNET_CHECK(Time() + all == until_, "the pieces up to the report at {} ns take {} ns", until_.ns(), all.ns());
  PathSums sums{.until = until_, .reporter = reporter_, .parts = {}};
  for (const auto& [what, time] : by_kind) sums.parts.push_back({what.first, what.second, time});
  std::ranges::stable_sort(sums.parts, std::greater{}, &PathPieces::Content::time);
  return sums;
}

}  // namespace lagnet
