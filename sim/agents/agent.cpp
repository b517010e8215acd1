#include "sim/agents/agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace lagnet {

namespace {

/// Messages by the places of their senders in a cohort, those of one sender in the order that they have: a counting
/// sort.
std::vector<Message> in_order(std::vector<Message> messages, const std::vector<std::size_t>& members,
                              std::size_t cohort) {
  std::vector<std::size_t> next(cohort + 1, 0);  // where the next one of each member goes
  for (const std::size_t member : members) ++next[member + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Message> sorted(messages.size());
  for (std::size_t k = 0; k < messages.size(); ++k) sorted[next[members[k]]++] = std::move(messages[k]);
  return sorted;
}

}  // namespace

// Sending

void Agent::no_link_to(AgentId to) const { throw std::invalid_argument(fmt::format("no link to agent {}", to)); }

void Agent::answer(const Message& request, Payload body, MessageTag tag) {
  Message message = outgoing(request.round, std::move(body), tag);
  message.is_answer = true;
  message.life = request.life;
  commons_.world().send(link_to(request.from), std::move(message));
}

void Agent::broadcast(Round round, Payload body, MessageTag tag) {
  if (degree() > 0) commons_.world().broadcast(outgoing(round, std::move(body), tag));
}

void Agent::send_with_receipt(AgentId to, Round round, Payload body, MessageTag tag) {
  const LinkId link = link_to(to);
  ++wait_state().uncommon.under_way;
  Message message = outgoing(round, std::move(body), tag);
  message.receipt = wait_state_->uncommon.life;
  commons_.world().send(link, std::move(message));
}

void Agent::report_views(Round round, std::span<const VectorView> parts) {
  check_computed();
  note([&] {
    SimEvent reported = event(EventKind::reported, round);
    reported.amount = hops_;
    return reported;
  });
  round_ = round + 1;
  commons_.world().report(id_, round, parts);
}

// Collecting

Cohort Agent::cohort(Round round) const {
  const WorldModel& model = commons_.model();
  return model.round_rule.cohort(model.asked(round, neighbors()), now());
}

Cohort Agent::cohort_among(Round round, std::span<const AgentId> candidates) const {
  const WorldModel& model = commons_.model();
  std::vector<AgentId> asked = model.asked(round, candidates);
  std::erase_if(asked, [this](AgentId k) { return !std::ranges::binary_search(neighbors(), k); });
  return model.round_rule.cohort(std::move(asked), now());
}

Cohort Agent::cohort_of(std::vector<AgentId> members) const {
  return commons_.model().round_rule.cohort(std::move(members), now());
}

void Agent::begin_collect(Round round, Cohort cohort, MessageTag tag) {
  check_computed();
  std::ranges::sort(cohort.members);
  const auto repeated = std::ranges::unique(cohort.members);
  cohort.enough = std::min(cohort.enough, cohort.members.size() - repeated.size());
  cohort.members.erase(repeated.begin(), repeated.end());
  std::vector<std::uint32_t> slots = slots_of(cohort.members);
  waiting_ = Waiting::collect;
  auto& collecting = wait_state().uncommon.collecting;
  if (!collecting) collecting = std::make_unique<Collecting>();
  Collection& collection = collecting->present;
  collection.round = round;
  collection.tag = tag;
  collection.cohort = std::move(cohort.members);
  for (const std::uint32_t slot : collection.slots) collection.places[slot] = 0;
  collection.slots = std::move(slots);
  collection.places.resize(in_neighbors().size());
  for (std::uint32_t place = 0; place < collection.slots.size();) {
    const std::uint32_t slot = collection.slots[place];
    collection.places[slot] = ++place;
  }
  collection.expired = cohort.deadline <= now();
  collection.came.assign(collection.cohort.size(), false);
  collection.answered = 0;
  collection.enough = cohort.enough;
  commons_.messages().for_each(mail_, [this](const Message& message, std::uint32_t slot) { tick_off(message, slot); });
  ++ticket_;  // the deadline of an earlier collection says nothing about this one
  if (cohort.deadline != Time::never() && !satisfied()) wake_me_at(cohort.deadline);
}

void Agent::time_answers() {
  auto& collecting = wait_state().uncommon.collecting;
  if (!collecting) collecting = std::make_unique<Collecting>();
  collecting->keeps_times = true;
}

void Agent::keep_times(const std::vector<bool>& counts) {
  auto& times = wait_state_->uncommon.collecting->times;
  times.clear();
  commons_.messages().for_each(mail_, [&](const Message& message, std::uint32_t slot, Time came) {
    const auto member = member_of(message, slot);
    if (member && counts[*member]) times.emplace_back(message.from, came);
  });
  std::ranges::sort(times);  // of copies the first comes first
  const auto copies = std::ranges::unique(times, {}, &std::pair<AgentId, Time>::first);
  times.erase(copies.begin(), copies.end());
}

std::vector<std::uint32_t> Agent::slots_of(const std::vector<AgentId>& cohort) const {
  const Network& network = commons_.network();
  std::vector<std::uint32_t> slots;
  slots.reserve(cohort.size());
  for (const AgentId agent : cohort) {
    const LinkId link = network.find(agent, id_);
    if (link == no_link) throw std::invalid_argument(fmt::format("no link from agent {} of the cohort", agent));
    slots.push_back(network.link(link).slot_at_receiver);
  }
  return slots;
}

std::vector<Message> Agent::take_collected() {
  waiting_ = Waiting::nothing;
  const Collection& collection = wait_state_->uncommon.collecting->present;
  std::vector<Message> taken;
  std::vector<std::size_t> members;  // of those taken
  taken.reserve(collection.answered);
  members.reserve(collection.answered);
  const std::vector<bool> counts = counted_members();
  if (wait_state_->uncommon.collecting->keeps_times) keep_times(counts);
  commons_.messages().filter(mail_, [&](Message& message, std::uint32_t slot) {
    const auto member = member_of(message, slot);
    if (member && counts[*member]) {
      took(message);
      taken.push_back(std::move(message));
      members.push_back(*member);
      return false;
    }
    const bool is_too_late = message.tag == collection.tag && message.round <= collection.round;
    if (is_too_late) drop(message, EventKind::late);
    return !is_too_late;
  });
  Round& latest = wait_state_->uncommon.collecting->latest.emplace(collection.tag, collection.round).first->second;
  latest = std::max(latest, collection.round);
  if (!std::ranges::is_sorted(members)) taken = in_order(std::move(taken), members, collection.cohort.size());
  note_collected(taken.size(), counts);
  return taken;
}

std::vector<bool> Agent::counted_members() const {
  const Collection& collection = wait_state_->uncommon.collecting->present;
  if (collection.answered <= collection.enough) return collection.came;
  std::vector<std::pair<Time, std::size_t>> answers;  // when each member's first one came
  std::vector<bool> counts(collection.cohort.size());
  commons_.messages().for_each(mail_, [&](const Message& message, std::uint32_t slot, Time came) {
    const auto member = member_of(message, slot);
    if (!member || counts[*member]) return;
    counts[*member] = true;
    answers.emplace_back(came, *member);
  });
  counts.assign(counts.size(), false);
  const Time last = answers[collection.enough - 1].first;  // they ascend
  std::vector<std::pair<std::uint64_t, std::size_t>> tied;
  std::size_t answered = 0;
  for (const auto& [came, member] : answers)
    if (came < last) {
      counts[member] = true;
      ++answered;
    } else if (came == last) {
      tied.emplace_back(place_in_tie(collection.cohort[member], collection.round, collection.tag), member);
    }
  std::ranges::sort(tied);
  for (std::size_t k = 0; answered < collection.enough; ++k, ++answered) counts[tied[k].second] = true;
  return counts;
}

std::uint64_t Agent::place_in_tie(AgentId sender, Round round, MessageTag tag) const {
  return Draws::between(seed(), Purpose{"answers of one instant"}, sender, id_, round, tag).bits();
}

void Agent::note_collected(std::size_t taken, const std::vector<bool>& answered) {
  const Collection& collection = wait_state_->uncommon.collecting->present;
  const auto answers = static_cast<std::size_t>(std::ranges::count(answered, true));
  const Cause why = answers >= collection.enough ? Cause::enough : Cause::deadline;
  AgentId first = 0, end = 0;  // agents with successive numbers whose answers count: one event for them all
  const auto note_counted = [&] {
    note([&] {
      SimEvent counted = event(EventKind::counted, collection.round);
      counted.peer = first;
      counted.amount = end - first;
      return counted;
    });
  };
  for (std::size_t k = 0; k < answered.size(); ++k) {
    if (answered[k]) {
      if (collection.cohort[k] != end) {
        if (first != end) note_counted();
        first = collection.cohort[k];
      }
      end = collection.cohort[k] + 1;
      continue;
    }
    note([&] {
      SimEvent dropped = event(EventKind::dropped, collection.round);
      dropped.cause = why;
      dropped.peer = collection.cohort[k];
      dropped.amount = 1;
      return dropped;
    });
  }
  if (first != end) note_counted();
  note([&] {
    SimEvent collected = event(EventKind::collected, collection.round);
    collected.amount = static_cast<std::int64_t>(taken);
    return collected;
  });
}

// Receiving the newest

Message Agent::take_latest() {
  waiting_ = Waiting::nothing;
  MessageTable& pool = commons_.messages();
  std::pair newest(0, std::numeric_limits<Round>::min());  // life of the sender, round
  std::size_t last_of_them = 0, place = 0;
  pool.for_each(mail_, [&](const Message& message, std::uint32_t) {
    const std::pair age(int{message.life}, message.round);
    if (age >= newest) last_of_them = place;
    newest = std::max(newest, age);
    ++place;
  });
  Message taken;
  place = 0;
  pool.filter(mail_, [&](Message& message, std::uint32_t) {
    if (place++ == last_of_them)
      taken = std::move(message);
    else
      drop(message, EventKind::superseded);
    return false;
  });
  took(taken);
  enter(taken.round);
  return taken;
}

// Letting time pass

void Agent::begin_arrivals() {
  check_computed();
  wait_state();
  waiting_ = Waiting::receipts;
}

Duration Agent::note_computed(Cost work, Round round, bool is_update) {
  LAGNET_CHECK(work.flops >= 0 && work.bytes >= 0, "{} flops, {} bytes", work.flops, work.bytes);
  LAGNET_CHECK(!is_computing(), "agent {} computes while it computes", id_);
  const Duration duration = commons_.world().compute_time(id_, round, work, is_update);
  note([&] {
    SimEvent computed = event(EventKind::computed, round_);
    computed.amount = work.flops;
    computed.duration = duration;
    return computed;
  });
  return duration;
}

void Agent::begin_timed_compute(Cost work, Round round, bool is_update) {
  begin_timer(note_computed(work, round, is_update));  // first: it may throw, which ends what the kernel works with
  start_job();
}

void Agent::start_job() {
  if (!wait_state_ || !wait_state_->job.run) return;
  if (has_deferred())
    commons_.sums().defer(wait_state_->job);
  else
    commons_.workers().start(wait_state_->job);
}

void Agent::begin_cipher(Duration CipherCosts::*each, std::int64_t scalars) {
  check_computed();
  const CipherCosts& costs = commons_.model().ciphers;
  const Duration duration = costs.time(costs.*each, scalars);
  if (wait_state_) wait_state_->job.run = nullptr;
  note([&] {
    SimEvent encrypted = event(EventKind::encrypted, round_);
    encrypted.amount = scalars;
    encrypted.duration = duration;
    return encrypted;
  });
  if (duration == Duration())
    waiting_ = Waiting::nothing;
  else
    begin_timer(duration);
}

void Agent::begin_sleep(Duration duration) {
  check_computed();
  if (duration < Duration()) throw std::invalid_argument(fmt::format("cannot sleep for {} ns", duration.ns()));
  if (wait_state_) wait_state_->job.run = nullptr;
  note([&] {
    SimEvent slept = event(EventKind::slept, round_);
    slept.duration = duration;
    return slept;
  });
  begin_timer(duration);
}

void Agent::begin_timer(Duration duration) {
  waiting_ = Waiting::timer;
  wake_me_at(end_of(duration));
}

Time Agent::end_of(Duration duration) {
  Time end = saturated(now(), duration);
  if (const Availability* availability = commons_.model().availability.get()) {
    const Time without_pauses = end;
    end = availability->next_up(id_, availability->finish(id_, now(), duration));
    if (end != Time::never() && end > without_pauses)
      note([&] {
        SimEvent away = event(EventKind::away, round_);
        away.duration = end - (now() + duration);
        return away;
      });
  }
  return end;
}

void Agent::take_timer() {
  waiting_ = Waiting::nothing;
  const bool used_pieces = has_deferred();
  need_pieces();
  Job* const job = wait_state_ && wait_state_->job.run ? &wait_state_->job : nullptr;
  if (job) {
    commons_.workers().finish(*job);
    job->run = nullptr;
  }
  if (used_pieces && wait_state_->summing->thrown.error)
    std::rethrow_exception(std::exchange(wait_state_->summing->thrown, {}).error);
  if (job && job->error) std::rethrow_exception(std::exchange(job->error, nullptr));
}

}  // namespace lagnet
