#include "scenarios/run/instant_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lagnet {

namespace {

constexpr std::int64_t no_more_updates = std::numeric_limits<std::int64_t>::max();

}  // namespace

InstantRecorder::InstantRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules,
                                 RecordedWorld& world, Outcome& outcome, InstantRows due)
    : experiment_(experiment),
      world_(world),
      outcome_(outcome),
      rows_(experiment, options, rules, world, outcome),
      due_(due),
      reporters_(experiment.algorithm->reporters()),
      updaters_(experiment.algorithm->updaters()),
      is_updater_(outcome.ledger.agents()),
      round_(outcome.ledger.agents()),
      is_known_(outcome.ledger.agents()),
      has_reported_(outcome.ledger.agents()),
      updates_due_(due.every_updates.value_or(no_more_updates)) {
  for (const AgentId id : updaters_) is_updater_[id] = true;
  unknown_ = reporters_.size();
  if (rows_.computes()) {
    parts_.resize(outcome.ledger.agents());
    for (const AgentId id : reporters_) {
      parts_[id] = experiment.algorithm->first_report(id);
      is_known_[id] = !parts_[id].empty();
      if (is_known_[id]) --unknown_;
    }
  }
  if (const auto& limit = experiment.scenario.stop.updates) updates_due_ = std::min(updates_due_, *limit);
  world.watch(*this, due.every || due.every_updates ? Time() : Time::never());
}

void InstantRecorder::reported(AgentId agent, Round round, std::span<const VectorView> parts) {
  rows_.note_report(agent, round);
  if (!parts_.empty() && !parts.empty()) {
    parts_[agent].assign(parts.begin(), parts.end());
    if (!is_known_[agent]) --unknown_;
    is_known_[agent] = true;
  }
  if (!has_reported_[agent]) ++participants_;
  has_reported_[agent] = true;
  const Round before = round < round_[agent] ? 0 : round_[agent];  // after a crash an agent counts from the start
  round_[agent] = round;
  if (!is_updater_[agent]) return;
  updates_ += round - before;
  if (updates_ >= updates_due_) world_.watch_this_instant();
}

Time InstantRecorder::time_of_row(std::int64_t row) const {
  if (!due_.every || row >= due_.most) return Time::never();
  if (__builtin_mul_overflow(due_.every->ns(), row, &row)) return Time::never();
  return Time() + Duration::nanoseconds(row);
}

Time InstantRecorder::look(Time at) {
  const bool is_first = !recorded_at_;
  if (at == time_of_row(next_row_) || updates_ >= updates_due_ || is_first) record(at);
  if (at == time_of_row(next_row_)) ++next_row_;
  if (updates_ >= updates_due_) {
    rows_.ends_with_updates(updates_);
    const auto& limit = experiment_.scenario.stop.updates;
    updates_due_ = no_more_updates;
    if (due_.every_updates) updates_due_ = (updates_ / *due_.every_updates + 1) * *due_.every_updates;
    if (limit) updates_due_ = std::min(updates_due_, *limit);
  }
  return time_of_row(next_row_);
}

Round InstantRecorder::smallest_round() const {
  Round smallest = std::numeric_limits<Round>::max();
  for (const AgentId id : updaters_) smallest = std::min(smallest, round_[id]);
  return updaters_.empty() ? 0 : smallest;
}

void InstantRecorder::record(Time at) {
  recorded_at_ = at;
  RowRecorder::Counts counts{.at = at, .participants = participants_, .updates = updates_};
  for (AgentId id = 0; id < outcome_.ledger.agents(); ++id) rows_.count(id, at, counts);
  participants_ = 0;
  has_reported_.assign(has_reported_.size(), false);
  // Before all agents have something to report, there is nothing to evaluate.
  rows_.add_row(smallest_round(), counts, unknown_ > 0 ? RoundReport() : RoundReport(parts_));
  rows_.ends_with_round(counts.flops_per_agent_max);
}

void InstantRecorder::record_last(Time end) {
  if (!recorded_at_ || *recorded_at_ < end) record(end);
  if (next_row_ >= due_.most)
    outcome_.remarks.push_back(
        {"rows_left_out",
         {{"rows", due_.most}},
         fmt::format("record.every_s: {} rows are recorded, up to {:.9g} s, and the last one", due_.most,
                     (Time() + *due_.every).in_seconds() * static_cast<double>(due_.most))});
}

}  // namespace lagnet
