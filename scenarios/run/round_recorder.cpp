#include "scenarios/run/round_recorder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lagnet {

namespace {

/// Whether no more has ended than has begun.
bool is_conserved(const AgentAccount& all) {
  return all.messages_received + all.messages_lost <= all.messages_sent &&
         all.bytes_received + all.bytes_lost <= all.bytes_sent;
}

/// Nothing is counted yet, as of that instant.
void start_anew(RowRecorder::Counts& counts, Time at) {
  counts.at = at;
  counts.total = AgentAccount();
  counts.flops_per_agent_max = 0;
  counts.costs = {};
}

}  // namespace

void RoundReports::clear() {
  shapes_.clear();
  numbers_.clear();
}

void RoundReports::copy_to(std::vector<std::vector<Vector>>& parts) const {
  const double* next = numbers_.data();
  for (auto shape = shapes_.begin(); shape != shapes_.end();) {
    auto& of_agent = parts[static_cast<std::size_t>(*shape++)];
    of_agent.resize(static_cast<std::size_t>(*shape++));
    for (Vector& part : of_agent) {
      part = VectorView(next, *shape++);
      next += part.size();
    }
  }
}

RoundRecorder::RoundRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules,
                             RecordedWorld& world, Outcome& outcome)
    : experiment_(experiment),
      world_(world),
      outcome_(outcome),
      rows_(experiment, options, rules, world, outcome),
      gaps_(experiment.model.may_miss_rounds()),
      // Versions of an asynchronous server follow each other fast, and few of them have rows. The ledger keeps no links
      // of them, whose bytes have prices.
      is_lazy_(experiment.traits.depends_on_order && !rows_.looks_at_rounds() && experiment.costs.is_empty()),
      reporters_(experiment.algorithm->reporters()),
      latest_(gaps_ ? outcome.ledger.agents() : 0) {
  std::ranges::sort(reporters_);
  if (gaps_)
    for (const AgentId id : reporters_) {
      latest_[id].parts = experiment.algorithm->first_report(id);
      latest_[id].known = !latest_[id].parts.empty();
    }
}

void RoundRecorder::reported(AgentId agent, Round round, std::span<const VectorView> parts) {
  rows_.note_report(agent, round);
  if (gaps_) {
    latest_[agent].round = round;
    latest_[agent].known = true;
    latest_[agent].parts.assign(parts.begin(), parts.end());
    if (round <= last_round_) return;  // left behind: its row is made
  }
  Gathering& gathering = gathering_of(round);
  if (rows_.computes()) gathering.parts.add(agent, parts);
  if (gathering.reported[agent]) return;  // once more, after a crash that took its state
  gathering.reported[agent] = true;
  if (!is_lazy_) count_at_report(agent, gathering);
  ++gathering.counts.participants;
  if (!gaps_) {
    if (is_complete(round, gathering)) close(round);
    return;
  }
  while (!open_.empty() && is_complete(open_.begin()->first, open_.begin()->second)) close(open_.begin()->first);
}

RoundRecorder::Gathering& RoundRecorder::gathering_of(Round round) {
  const auto [found, is_new] = open_.try_emplace(round);
  Gathering& gathering = found->second;
  if (!is_new) return gathering;
  gathering.parts = std::move(spare_.parts);
  gathering.parts.clear();
  gathering.reported = std::move(spare_.reported);
  gathering.reported.assign(outcome_.ledger.agents(), false);
  spare_ = Gathering();
  return gathering;
}

void RoundRecorder::on_event(const SimEvent& what) {
  if (what.what == EventKind::collected) collected_[what.round][what.agent] = what.amount;
  if (what.what == EventKind::used) rows_.count_staleness(what.amount);
}

bool RoundRecorder::is_complete(Round round, const Gathering& gathering) const {
  if (gathering.counts.participants == static_cast<std::int64_t>(reporters_.size())) return true;
  if (!gaps_) return false;
  // One that is not done says no for all; the search goes on from it once it is, so that few are asked twice.
  const std::size_t first = gathering.witness, all = reporters_.size();
  for (std::size_t k = 0; k < all; ++k) {
    gathering.witness = (first + k) % all;
    if (!is_done(reporters_[gathering.witness], round, gathering)) return false;
  }
  return true;
}

bool RoundRecorder::is_done(AgentId agent, Round round, const Gathering& gathering) const {
  if (!latest_[agent].known) return false;  // no later report can replace it
  return gathering.reported[agent] || latest_[agent].round > round || will_miss_it(agent);
}

bool RoundRecorder::will_miss_it(AgentId agent) const {
  const Availability* availability = experiment_.model.availability.get();
  if (!availability) return false;
  // Where neighbors wait for everything, an agent that comes back goes on where it was.
  const bool goes_on = experiment_.model.missing.kind == MissingNeighborKind::wait;
  return goes_on ? availability->gone_for_good(agent, world_.now()) : !availability->up(agent, world_.now());
}

void RoundRecorder::close(Round round) {
  Gathering& gathering = open_[round];
  count_all(gathering);
  for (AgentId id = 0; gaps_ && rows_.computes() && id < outcome_.ledger.agents(); ++id)
    if (!gathering.reported[id]) gathering.parts.add(id, std::span<const Vector>(latest_[id].parts));
  if (round > 0) updates_ += gathering.counts.participants;
  if (const auto answers = collected_.find(round); answers != collected_.end())
    gathering.counts.participants = std::accumulate(answers->second.begin(), answers->second.end(), std::int64_t{0},
                                                    [](std::int64_t sum, const auto& of) { return sum + of.second; });
  collected_.erase(collected_.begin(), collected_.upper_bound(round));
  last_round_ = round;
  last_at_ = world_.now();
  spare_ = std::exchange(last_, std::move(gathering));
  open_.erase(round);
  last_.counts.updates = updates_;
  bool is_spent = rows_.ends_with_round(last_.counts.flops_per_agent_max);
  is_spent |= rows_.ends_with_updates(updates_);
  if (is_spent || round % experiment_.scenario.record.every == 0) record_newest();
}

void RoundRecorder::count_all(Gathering& gathering) {
  RowRecorder::Counts& counts = gathering.counts;
  if (is_lazy_) {
    counts.at = world_.now();
    outcome_.ledger.keep(world_.now());
    gathering.is_counted = false;
    return;
  }
  std::vector<bool> is_counted(outcome_.ledger.agents());
  const auto count_others = [&] {
    for (AgentId id = 0; id < outcome_.ledger.agents(); ++id)
      if (!is_counted[id]) count(id, gathering);
  };
  if (counts.at == world_.now() && last_at_ != world_.now()) {
    for (const AgentId id : gathering.counted) is_counted[id] = true;
    count_others();
    if (is_conserved(counts.total)) return;
    is_counted.assign(is_counted.size(), false);
  }
  start_anew(counts, world_.now());
  count_others();
}

void RoundRecorder::record_last() {
  // Those that the others waited for may have gone since the last report.
  while (gaps_ && !open_.empty() && is_complete(open_.begin()->first, open_.begin()->second))
    close(open_.begin()->first);
  record_newest();
}

void RoundRecorder::record_newest() {
  if (last_.reported.empty()) return;
  if (!last_.is_counted) {
    const Ledger::Totals totals = outcome_.ledger.kept_totals();
    last_.counts.total = totals.total;
    last_.counts.flops_per_agent_max = totals.flops_per_agent_max;
  }
  if (rows_.computes()) {
    parts_.resize(outcome_.ledger.agents());
    last_.parts.copy_to(parts_);
  }
  rows_.add_row(last_round_, last_.counts, parts_);
  spare_ = std::exchange(last_, Gathering());
}

void RoundRecorder::count_at_report(AgentId agent, Gathering& gathering) const {
  if (gathering.counts.at != world_.now()) {  // who reported before is counted when the round is complete
    start_anew(gathering.counts, world_.now());
    gathering.counted.clear();
  }
  count(agent, gathering);
  gathering.counted.push_back(agent);
}

void RoundRecorder::count(AgentId agent, Gathering& gathering) const {
  rows_.count(agent, world_.now(), gathering.counts);
}

}  // namespace lagnet
