#include "scenarios/run/round_recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace lagnet {

namespace {

/// It says nothing, depends on the machine, and not every reader of tables takes "-nan" for a number.
void drop_sign_of_nan(std::optional<double>& number) {
  if (number && std::isnan(*number)) number = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

RoundRecorder::RoundRecorder(const Experiment& experiment, const RunOptions& options, const StopRules& rules,
                             Simulation& world, Outcome& outcome)
    : experiment_(experiment),
      options_(options),
      rules_(rules),
      world_(world),
      outcome_(outcome),
      computes_(experiment.has_numbers() && !options.recorded),
      gaps_(experiment.model.may_miss_rounds()),
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
  if (gaps_) {
    latest_[agent].round = round;
    latest_[agent].known = true;
    latest_[agent].parts.assign(parts.begin(), parts.end());
    if (round <= last_round_) return;  // left behind: its row is made
  }
  Gathering& gathering = gathering_of(round);
  if (computes_) gathering.parts.add(agent, parts);
  if (gathering.reported[agent]) return;  // once more, after a crash that took its state
  gathering.reported[agent] = true;
  count(agent, gathering);
  ++gathering.participants;
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
  spare_ = Gathering();
  gathering.reported.resize(outcome_.ledger.agents());
  return gathering;
}

void RoundRecorder::on_event(const SimEvent& what) {
  if (what.what == EventKind::collected) collected_[what.round][what.agent] = what.amount;
}

bool RoundRecorder::is_complete(Round round, const Gathering& gathering) const {
  if (gathering.participants == static_cast<std::int64_t>(reporters_.size())) return true;
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
  if (!latest_[agent].known) return false;  // nothing could stand for it
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
  gathering.at = world_.now();
  if (gaps_) {
    // Where agents may be rounds apart, all are counted at this moment: then no count falls from row to row.
    gathering.total = AgentAccount();
    gathering.flops_per_agent_max = 0;
  }
  for (AgentId id = 0; id < outcome_.ledger.agents(); ++id) {
    if (gaps_ || !gathering.reported[id]) count(id, gathering);
    if (gaps_ && !gathering.reported[id] && computes_)
      gathering.parts.add(id, std::span<const Vector>(latest_[id].parts));
  }
  if (const auto answers = collected_.find(round); answers != collected_.end())
    gathering.participants = std::accumulate(answers->second.begin(), answers->second.end(), std::int64_t{0},
                                             [](std::int64_t sum, const auto& of) { return sum + of.second; });
  collected_.erase(collected_.begin(), collected_.upper_bound(round));
  last_round_ = round;
  spare_ = std::exchange(last_, std::move(gathering));
  open_.erase(round);
  bool is_spent = false;
  for (const auto& rule : rules_)
    if (rule.ends_with_round && rule.ends_with_round(last_.flops_per_agent_max)) {
      if (world_.stop()) outcome_.stop = rule.reason;
      is_spent = true;
    }
  if (is_spent || round % experiment_.scenario.record.every == 0) record_newest();
}

void RoundRecorder::record_last() {
  // Those that the others waited for may have gone since the last report.
  while (gaps_ && !open_.empty() && is_complete(open_.begin()->first, open_.begin()->second))
    close(open_.begin()->first);
  record_newest();
}

void RoundRecorder::record_newest() {
  if (last_.reported.empty()) return;
  add_row(last_round_, last_);
  spare_ = std::exchange(last_, Gathering());
}

void RoundRecorder::count(AgentId agent, Gathering& gathering) const {
  const Flops before = gathering.total.flops;
  outcome_.ledger.add_at(agent, world_.now(), gathering.total);
  gathering.flops_per_agent_max = std::max(gathering.flops_per_agent_max, gathering.total.flops - before);
}

void RoundRecorder::add_row(Round round, Gathering& gathering) {
  std::optional<double> objective;
  bool finite = true;
  std::vector<std::optional<double>> metrics(experiment_.algorithm->metric_names().size() +
                                             experiment_.metrics.columns().size());
  if (options_.recorded) {
    const auto known = options_.recorded->rounds.find(round);
    if (known == options_.recorded->rounds.end()) return end_without_values(round);
    objective = known->second.objective;
    metrics = known->second.metrics;
  } else if (computes_) {
    parts_.resize(outcome_.ledger.agents());
    gathering.parts.copy_to(parts_);
    Evaluation value = experiment_.algorithm->evaluate(round, parts_, outcome_.error_scale);
    objective = value.objective;
    finite = std::isfinite(value.objective) && value.iterate.allFinite();
    metrics = std::move(value.metrics);
    outcome_.iterate = in_order_of_data(experiment_, value.iterate);
    const auto recorded = experiment_.metrics.values(experiment_, outcome_.iterate, value.objective, parts_);
    metrics.insert(metrics.end(), recorded.begin(), recorded.end());
    const auto& model_every = experiment_.scenario.record.model_every;
    if (model_every && round % *model_every == 0) outcome_.iterates.emplace_back(round, outcome_.iterate);
  }
  Row row{.round = round,
          .at = gathering.at,
          .participants = gathering.participants,
          .objective = objective,
          .relative_error = objective ? outcome_.error_scale.relative_error(*objective) : std::nullopt,
          .metrics = std::move(metrics),
          .total = gathering.total,
          .flops_per_agent_max = gathering.flops_per_agent_max,
          .compute_utilization = compute_utilization(gathering.total, outcome_.ledger.agents(), gathering.at)};
  drop_sign_of_nan(row.objective);
  drop_sign_of_nan(row.relative_error);
  std::ranges::for_each(row.metrics, drop_sign_of_nan);
  outcome_.rows.push_back(row);
  if (options_.row) options_.row(row);
  stop_if_due(row, finite);
}

void RoundRecorder::end_without_values(Round round) {
  without_values_ = without_values_.value_or(round);
  world_.stop();
}

void RoundRecorder::stop_if_due(const Row& row, bool is_finite) {
  const RecordedRow recorded{.row = row, .is_finite = is_finite, .objective_start = outcome_.error_scale.initial};
  for (const auto& rule : rules_) {
    if (!rule.ends_with_row || !rule.ends_with_row(recorded)) continue;
    outcome_.diverged |= rule.is_failure;
    if (rule.remark) outcome_.remarks.push_back(rule.remark(recorded));
    if (world_.stop()) outcome_.stop = rule.reason;
    return;
  }
}

}  // namespace lagnet
