#include "sim/agents/agent_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/machine/flattened.hpp"

namespace lagnet {

namespace {

/// Vectors of two lengths have no sum: a mistake of the method, which may be the user's own.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_unlike(AgentId from, Index sent, AgentId to, Index own, Time now,
                                                          Round round) {
  throw AgentError(to, now, round,
                   fmt::format("expected vectors of one length where they are added up, found {} numbers of agent {} "
                               "and {} of agent {}",
                               sent, from, own, to));
}

}  // namespace

void AgentExchange::begin_exchange(Payload body, Waiting kind, const GossipRow* row, SumSink taker) {
  check_computed();
  waiting_ = kind;
  WaitState& has = wait_state();
  const bool adds = kind == Waiting::sum && body.has_numbers() && !timing_only();
  if (kind == Waiting::sum && !adds) has.uncommon.size = body.size();
  if (adds || (kind == Waiting::sum && has.summing)) {
    if (!has.summing) has.summing = std::make_unique<Summing>();
    Summing& summing = *has.summing;
    LAGNET_CHECK(!row || row->neighbors.size() == in_neighbors().size(), "a row of W does not fit agent {}", id_);
    summing.row = row;
    summing.taker = taker;
    summing.size = body.size();
    summing.has_numbers = adds;
    if (row || taker.take) summing.own = body;
  }
  if (is_alone()) return;
  Message message = outgoing(round_, std::move(body), exchange_tag);
  if (is_loose()) return begin_loose_exchange(std::move(message), {});
  message.exchange = has.inbox.begin(in_neighbors().size());
  commons_.world().broadcast(std::move(message));
}

void AgentExchange::begin_exchange_of_each(std::span<const StateVector> bodies) {
  check_computed();
  waiting_ = Waiting::exchange;
  WaitState& has = wait_state();
  LAGNET_CHECK(bodies.size() == neighbors().size(), "agent {} has {} neighbors, and {} vectors for them", id_,
               neighbors().size(), bodies.size());
  if (is_alone()) return;
  Message message = outgoing(round_, bodies.front(), exchange_tag);
  if (is_loose()) return begin_loose_exchange(std::move(message), bodies);
  message.exchange = has.inbox.begin(in_neighbors().size());
  const Network& network = commons_.network();
  const LinkId first = network.first_link(id_);
  for (const LinkId link : network.links_from(id_, commons_.model().rotates_broadcasts())) {
    Message one = message;
    one.body = bodies[link - first];
    commons_.world().send(link, std::move(one));
  }
}

/// Who does not wait for this agent can be more than one exchange ahead.
void AgentExchange::put_further(const Message& message, std::uint32_t slot) {
  const bool is_ahead =
      commons_.network().is_directed() && wait_state_->inbox.put_further(message, slot, in_neighbors().size());
  LAGNET_CHECK(is_ahead, "agent {} got exchange {} of agent {} during its own {}", id_, message.exchange, message.from,
               wait_state_->inbox.count());
}

AgentState::LossyExchange& AgentExchange::loose() {
  auto& exchange = wait_state().uncommon.loose;
  if (!exchange)
    exchange = std::make_unique<LossyExchange>(
        LossyExchange{.inbox = LossyInbox(in_neighbors().size(), commons_.model().missing)});
  return *exchange;
}

bool AgentExchange::put_loosely(Message&& message, std::uint32_t slot) {
  const Message came = message;  // its envelope, for the record
  const EventKind use = loose().inbox.put(std::move(message), slot);
  if (use != EventKind::delivered) drop(came, use);
  return use == EventKind::delivered;
}

void AgentExchange::begin_loose_exchange(Message&& message, std::span<const StateVector> bodies) {
  const WorldModel& model = commons_.model();
  LossyInbox& inbox = loose().inbox;
  const ExchangeKey last = inbox.key();
  message.exchange = last.round == round_ ? last.number + 1 : 1;
  const LinkId first = commons_.network().first_link(id_);
  std::vector<bool> expected = senders_of_round();
  ++ticket_;  // no earlier timer ends this wait
  inbox.begin({round_, message.exchange}, std::move(expected));
  for (LinkId k = 0; k < neighbors().size(); ++k)
    if (commons_.active(first + k, round_)) {
      if (!bodies.empty()) message.body = bodies[k];
      commons_.world().send(first + k, Message(message));
    }
  if (model.missing.kind != MissingNeighborKind::wait && !inbox.complete())
    wake_me_at(saturated(now(), model.missing.deadline));
}

std::vector<bool> AgentExchange::senders_of_round() const {
  const Network& network = commons_.network();
  const std::span<const AgentId> senders = in_neighbors();
  std::vector<bool> links(senders.size(), true);
  if (!commons_.model().topology) return links;
  for (std::size_t k = 0; k < links.size(); ++k) links[k] = commons_.active(network.find(senders[k], id_), round_);
  return links;
}

Index AgentExchange::receivers_of_round() const {
  if (!commons_.model().topology) return degree();
  const LinkId first = commons_.network().first_link(id_);
  Index links = 0;
  for (LinkId k = 0; k < neighbors().size(); ++k) links += commons_.active(first + k, round_);
  return links;
}

std::span<const std::uint32_t> AgentExchange::absent_neighbors() const {
  if (!is_loose() || !wait_state_ || !wait_state_->uncommon.loose) return {};
  return wait_state_->uncommon.loose->absent;
}

Round AgentExchange::round_after(Round finished) {
  if (!is_loose() || !wait_state_ || !wait_state_->uncommon.loose ||
      commons_.model().missing.kind == MissingNeighborKind::wait)
    return finished + 1;
  round_ = std::max(finished + 1, wait_state_->uncommon.loose->inbox.newest_round());
  return round_;
}

void AgentExchange::close_loose_exchange() {
  std::vector<LossyInbox::Gap> gaps;
  std::vector<Message> outdated;
  LossyExchange& exchange = *wait_state_->uncommon.loose;
  exchange.closed = exchange.inbox.take(gaps, outdated);
  for (const Message& message : outdated) drop(message, EventKind::superseded);
  for (const auto& gap : gaps)
    note([&] {
      SimEvent dropped = event(EventKind::dropped, round_);
      dropped.cause = gap.why;
      dropped.peer = in_neighbors()[gap.slot];
      dropped.amount = 1;
      return dropped;
    });
  exchange.absent.clear();
  for (std::uint32_t slot = 0; slot < exchange.closed.size(); ++slot)
    if (LossyInbox::is_there(exchange.closed[slot]))
      took(exchange.closed[slot]);
    else
      exchange.absent.push_back(slot);
}

Message AgentExchange::taken_from(const LockstepInbox::Entry& entry, std::size_t slot) {
  Message message(in_neighbors()[slot], entry.round, exchange_tag, Payload(entry.body));
  message.hops = entry.hops;
  message.exchange = wait_state_->inbox.count();
  took(message);
  return message;
}

std::vector<Message> AgentExchange::take_exchange() {
  waiting_ = Waiting::nothing;
  std::vector<Message> messages;
  if (is_alone()) return messages;
  if (is_loose()) {
    close_loose_exchange();
    messages = std::move(wait_state_->uncommon.loose->closed);
    std::erase_if(messages, [](const Message& message) { return !LossyInbox::is_there(message); });
    return messages;
  }
  const auto entries = wait_state_->inbox.entries();
  messages.reserve(entries.size());
  for (std::size_t slot = 0; slot < entries.size(); ++slot) messages.push_back(taken_from(entries[slot], slot));
  wait_state_->inbox.clear();
  return messages;
}

bool AgentExchange::prepare_due_sum() {
  collect_rows();
  wait_state_->prepared = true;
  if (!adds()) {
    wait_state_->summed = true;  // there is nothing to add
    return false;
  }
  if (wait_state_->summing->taker.take) return false;
  wait_state_->summed = false;
  return true;
}

void AgentExchange::collect_rows() {
  if (wait_state_->summing) {
    wait_state_->summing->rows.clear();
    wait_state_->summing->weights.clear();
    wait_state_->summing->senders.clear();
  }
  if (is_alone()) return;
  if (is_loose()) {
    close_loose_exchange();
    for (std::size_t slot = 0; adds() && slot < wait_state_->uncommon.loose->closed.size(); ++slot) {
      const Message& message = wait_state_->uncommon.loose->closed[slot];
      if (!LossyInbox::is_there(message)) continue;
      collect_row(message.body, slot);
      wait_state_->summing->senders.push_back(in_neighbors()[slot]);
    }
    return;
  }
  const auto entries = wait_state_->inbox.entries();
  const bool adding = adds(), hears_takes = commons_.world().hears_takes();
  if (adding) wait_state_->summing->rows.reserve(entries.size());
  for (std::size_t slot = 0; slot < entries.size(); ++slot) {
    const LockstepInbox::Entry& entry = entries[slot];
    hops_ = std::max(hops_, entry.hops);
    if (entry.round < round_)
      (void)taken_from(entry, slot);  // it is stale
    else if (hears_takes)
      note_take(in_neighbors()[slot], entry.round);
    if (adding) collect_row(entry.body, slot);
  }
}

inline void AgentExchange::collect_row(const Payload& body, std::size_t slot) {
  Summing& summing = *wait_state_->summing;
  if (body.size() != summing.size)
    refuse_unlike(in_neighbors()[slot], body.size(), id_, summing.size, now(), commons_.last_report(id_));
  summing.rows.push_back(body.data());
  if (summing.row) summing.weights.push_back(summing.row->neighbors[slot]);
}

NeighborSum AgentExchange::sum_to_add() {
  Summing& summing = *wait_state_->summing;
  SumSink taker = summing.taker;
  taker.thrown = &summing.thrown;
  if (!taker.take) {
    summing.sum.resize(summing.size);
    taker.context = &summing.sum;
    taker.take = [](const void* context, Index first, VectorView, VectorView sum) {
      auto& whole = *static_cast<Vector*>(const_cast<void*>(context));
      whole.segment(first, sum.size()) = sum;
    };
  }
  wait_state_->summed = true;
  const bool all_came = summing.rows.size() == in_neighbors().size();
  return {.receiver = id_,
          .senders = all_came ? in_neighbors() : std::span<const AgentId>(summing.senders),
          .rows = summing.rows,
          .weights = summing.weights,
          .own = summing.own.data(),
          .own_weight = summing.row ? summing.row->own : 0,
          .size = summing.size,
          .taker = taker};
}

StateVector AgentExchange::take_sum() {
  if (!wait_state_->summed && prepare_due_sum()) add_up(sum_to_add(), commons_.network().agents());
  wait_state_->summed = wait_state_->prepared = false;
  waiting_ = Waiting::nothing;
  const bool added = adds();
  clear_inbox();
  return added ? StateVector(std::move(wait_state_->summing->sum)) : StateVector::of_size(wait_state_->uncommon.size);
}

// Flat, so that the sum is written where it is kept: vector loads of what was just stored in halves wait for all stores
// before.
LAGNET_FLATTENED void AgentExchange::finish_pieces() {
  waiting_ = Waiting::nothing;
  if (!wait_state_->prepared) collect_rows();
  wait_state_->prepared = wait_state_->summed = false;
  if (adds())
    wait_state_->deferred = commons_.sums().defer(sum_to_add());
  else
    clear_inbox();
}

void AgentExchange::need_pieces() {
  if (!has_deferred()) return;
  NeighborSums& sums = commons_.sums();
  if (sums.is_deferred(wait_state_->deferred)) sums.finish_deferred(commons_.network().agents(), commons_.workers());
  wait_state_->deferred = 0;
  wait_state_->summed = false;
  clear_inbox();
}

void AgentExchange::clear_inbox() {
  if (wait_state_->summing) wait_state_->summing->own = Payload();
  if (is_loose() && wait_state_->uncommon.loose) wait_state_->uncommon.loose->closed.clear();
  if (!is_alone() && !is_loose()) wait_state_->inbox.clear();
}

}  // namespace lagnet
