#include "tests/property/sim/network_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

namespace lagnet::test {

NetworkWatch::NetworkWatch(const NetworkWorld& world, const Network& network, const Ledger& ledger)
    : world_(world),
      network_(network),
      ledger_(ledger),
      by_sender_(network.agents()),
      by_link_(network.links()),
      latest_(network.links()),
      latest_arrival_(network.links()),
      dropped_(network.agents()),
      up_(network.agents()),
      down_(network.agents()),
      over_(network.links()) {}

/// In place of REQUIRE, whose bookkeeping would take most of the time.
void NetworkWatch::expect(bool holds, std::string_view what, const SimEvent& at) const {
  if (holds) return;
  FAIL(fmt::format("{}: {} of agent {} with {} at {} ns, serial {}, cause {}", what, name(at.what), at.agent, at.peer,
                   at.at.ns(), at.serial, name(at.cause)));
}

void NetworkWatch::on_event(const SimEvent& what) {
  ++counts_[{what.what, what.cause}];
  expect(what.at >= last_, "time does not go back", what);
  last_ = what.at;
  expect(what.duration >= Duration() && what.queued >= Duration() && what.queued <= what.duration,
         "durations are no less than 0", what);
  const auto& availability = world_.options.model.availability;
  if (availability && what.what != EventKind::lost)
    expect(availability->up(what.agent, what.at), "an agent that is down does nothing", what);
  if (what.what == EventKind::dropped) ++dropped_[what.agent];
  if (what.what == EventKind::delivered) ++arrived_[{what.agent, what.peer, what.round}];
  // Its twin came before.
  if (what.what == EventKind::duplicate)
    expect(arrived_[{what.agent, what.peer, what.round}] >= 2, "a duplicate is not the first one", what);
  if (what.what == EventKind::sent) begin(what);
  if (what.what == EventKind::delivered || what.what == EventKind::lost) end(what);
  check_balance(what);
  if (what.what == EventKind::reported) check_times(what.agent, what.at);
}

void NetworkWatch::check_times(AgentId agent, Time now) const {
  const auto& availability = world_.options.model.availability;
  const Duration down = availability ? availability->down_time(agent, Time(), now) : Duration();
  const AgentAccount own = ledger_.agent_at(agent, now);
  const Duration up = own.computing + own.encrypting + own.sleeping + own.idle;
  if (up > now - Time() - down || own.away > down || own.away < Duration())
    FAIL(fmt::format("agent {} was at work or waited {} ns of {} and away {} ns of {}", agent, up.ns(),
                     (now - Time() - down).ns(), own.away.ns(), down.ns()));
}

void NetworkWatch::begin(const SimEvent& sent) {
  expect(sent.serial == ++serial_, "transmissions count up", sent);
  expect(network_.find(sent.agent, sent.peer) == sent.link && sent.link != no_link, "over a link", sent);
  under_way_.emplace(sent.serial, sent);
  total_.add(1, sent.amount);
  by_sender_[sent.agent].add(1, sent.amount);
  by_link_[sent.link].add(1, sent.amount);
}

void NetworkWatch::end(const SimEvent& what) {
  const auto found = under_way_.find(what.serial);
  expect(found != under_way_.end(), "what ends was under way", what);
  const SimEvent sent = found->second;
  under_way_.erase(found);
  const bool delivered = what.what == EventKind::delivered;
  expect(what.link == sent.link && what.amount == sent.amount && what.round == sent.round, "it is the same", what);
  expect((delivered ? what.peer : what.agent) == sent.agent && (delivered ? what.agent : what.peer) == sent.peer,
         "its ends are the same", what);
  expect(what.duration == what.at - sent.at, "its duration is that since it set out", what);
  expect(delivered == (what.cause == Cause::none), "a loss has its cause", what);
  total_.add(-1, -sent.amount);
  by_sender_[sent.agent].add(-1, -sent.amount);
  by_link_[sent.link].add(-1, -sent.amount);
  if (delivered) check_duration(what);
  note_passages(sent, what);
}

/// sent = delivered + lost + under way: in all, and for those whom the event concerns.
void NetworkWatch::check_balance(const SimEvent& what) const {
  const auto same = [](const AgentAccount& of, const Flow& flow) {
    return of.messages_sent == of.messages_received + of.messages_lost + flow.messages &&
           of.bytes_sent == of.bytes_received + of.bytes_lost + flow.bytes;
  };
  expect(same(ledger_.total(), total_), "messages and bytes are conserved", what);
  expect(ledger_.messages_in_flight() == on_the_way(), "the ledger knows what is under way", what);
  if (what.link == no_link) return;
  const LinkAccount& link = ledger_.link(what.link);
  const Flow& flow = by_link_[what.link];
  expect(link.messages_sent == link.messages_delivered + link.messages_lost + flow.messages &&
             link.bytes_sent == link.bytes_delivered + link.bytes_lost + flow.bytes,
         "messages and bytes are conserved on a link", what);
  // Of an agent: what it sent is what its links sent.
  const AgentId sender = network_.sender(what.link);
  AgentAccount account;
  for (LinkId k = 0; k < network_.links_of(sender).size(); ++k) {
    const LinkAccount& out = ledger_.link(network_.first_link(sender) + k);
    account.messages_sent += out.messages_sent;
    account.messages_received += out.messages_delivered;
    account.messages_lost += out.messages_lost;
    account.bytes_sent += out.bytes_sent;
    account.bytes_received += out.bytes_delivered;
    account.bytes_lost += out.bytes_lost;
  }
  expect(same(account, by_sender_[sender]), "messages and bytes are conserved for an agent", what);
  const AgentAccount& own = ledger_.agent(sender);
  expect(own.messages_sent == account.messages_sent && own.messages_lost == account.messages_lost &&
             own.bytes_sent == account.bytes_sent && own.bytes_lost == account.bytes_lost,
         "an agent's account is that of its links", what);
}

void NetworkWatch::check_duration(const SimEvent& delivered) {
  const Duration alone = Network::travel_time(network_.link(delivered.link), delivered.amount);
  const WorldModel& model = world_.options.model;
  const Sharing sharing = model.sharing;
  // Each stage of fifo is rounded to the nearest ns as `alone` is. The end of a fair transfer is the nearest ns to a
  // sum of shares, whose rounding can decide the other way where the exact sum lies between two.
  const Duration slack = Duration::nanoseconds(sharing == Sharing::fair ? 1 : 0);
  expect(delivered.duration + slack >= alone, "nothing is faster than its way allows", delivered);
  if (sharing == Sharing::none && !model.in_order)
    expect(delivered.queued == Duration(), "nobody waits where nothing is shared", delivered);
  const bool can_overtake = !model.in_order && (sharing != Sharing::fifo || world_.delays);
  if (!world_.delays && sharing == Sharing::none) {
    const bool waits = delivered.at == latest_arrival_[delivered.link];  // for the one before
    expect(delivered.duration == alone || (model.in_order && waits), "as if it were alone", delivered);
    latest_arrival_[delivered.link] = delivered.at;
  }
  if (can_overtake || world_.reorders) return;
  expect(delivered.serial > latest_[delivered.link], "first in, first out over a link", delivered);
  latest_[delivered.link] = delivered.serial;
}

/// Bounds of when the bytes passed. Jitter and reordering delay a message between its link and the receiver's
/// interface, or before a fair transfer, so that these bounds hold with them.
void NetworkWatch::note_passages(const SimEvent& sent, const SimEvent& end) {
  const Link& link = network_.link(sent.link);
  const AgentId from = sent.agent, to = sent.peer;
  const auto time = [&](double bytes_per_s) { return Network::transmission_time(sent.amount, bytes_per_s); };
  const auto shifted = [](Time at, Duration back) { return Time() + (at - Time() - back); };
  if (sent.amount == 0 || world_.options.model.sharing == Sharing::none) return;
  const bool lost = end.what == EventKind::lost;
  if (world_.options.model.sharing == Sharing::fair) {
    const Passage all{sent.at + link.latency, end.at, sent.amount};
    for (auto* of : {&up_[from], &over_[sent.link]}) of->push_back(all);
    if (!lost || !network_.has_losses()) down_[to].push_back(all);  // links lose messages before it
    return;
  }
  // Whole messages are in one place at a time; the bits of others may be in several.
  const bool is_whole = world_.options.model.forwarding == Forwarding::store_and_forward;
  const auto one_by_one = [&](double bytes_per_s) { return is_whole ? time(bytes_per_s) : Duration(); };
  const Duration up = one_by_one(network_.interface(from).up_bytes_per_s),
                 over = one_by_one(network_.bandwidth_bytes_per_s(sent.link)),
                 down = one_by_one(network_.interface(to).down_bytes_per_s);
  // A lost message may end before the receiver's interface.
  const Time over_by = shifted(end.at, lost ? link.latency : link.latency + down);
  up_[from].push_back({sent.at, over_by, sent.amount});
  over_[sent.link].push_back({sent.at + up, over_by, sent.amount});
  if (!lost) down_[to].push_back({sent.at + up + over + link.latency, end.at, sent.amount});
}

void NetworkWatch::check_capacities() {
  for (AgentId a = 0; a < network_.agents(); ++a) {
    check_capacity(std::move(up_[a]), network_.interface(a).up_bytes_per_s);
    check_capacity(std::move(down_[a]), network_.interface(a).down_bytes_per_s);
  }
  for (LinkId id = 0; id < network_.links(); ++id)
    check_capacity(std::move(over_[id]), network_.bandwidth_bytes_per_s(id));
}

/// What began and ended within a span passed within it, so its bytes are at most capacity times span. A passage is
/// rounded to a whole ns, and so can be half a ns too short: each one adds that to the span. 1e-9 covers the sums of
/// doubles, and levels of fair sharing, which are right to 1e-12.
void NetworkWatch::check_capacity(std::vector<Passage> passages, double capacity) {
  if (std::isinf(capacity)) return;
  std::set<Time> beginnings;
  for (const Passage& passage : passages) beginnings.insert(passage.from);
  std::ranges::stable_sort(passages, {}, &Passage::until);
  for (const Time begin : beginnings) {
    double bytes = 0, count = 0;
    for (const Passage& passage : passages) {
      if (passage.from < begin) continue;
      bytes += static_cast<double>(passage.bytes);
      ++count;
      const double span_s = (passage.until - begin).in_seconds();
      if (bytes > capacity * (span_s + 0.5e-9 * count) * (1 + 1e-9))
        FAIL(fmt::format("{} bytes in {} messages passed {} bytes/s from {} to {} ns", bytes, count, capacity,
                         begin.ns(), passage.until.ns()));
      if (count >= 3 && bytes > 0.9 * capacity * span_s) ++busy_spans_;
    }
  }
}

}  // namespace lagnet::test
