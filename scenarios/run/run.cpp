#include "scenarios/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/run/accounts_without_queues.hpp"
#include "scenarios/run/file_budget.hpp"
#include "scenarios/run/instant_recorder.hpp"
#include "scenarios/run/network_remarks.hpp"
#include "scenarios/run/round_recorder.hpp"
#include "scenarios/run/stop_rules.hpp"
#include "scenarios/run/timeline.hpp"
#include "scenarios/words/words.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

class SimulatedWorld final : public RecordedWorld {
 public:
  explicit SimulatedWorld(std::unique_ptr<Simulation> simulation) : simulation_(std::move(simulation)) {}
  const Network& network() const override { return simulation_->network(); }
  const WorldModel& model() const override { return simulation_->model(); }
  void listen(Listener& listener) override { simulation_->listen(listener); }
  void record(Recorder& recorder) override { simulation_->record(recorder); }
  void watch(Watcher& watcher, Time first) override { simulation_->watch(watcher, first); }
  void watch_this_instant() override { simulation_->watch_this_instant(); }
  Ending run() override { return simulation_->run(); }
  Time now() const override { return simulation_->now(); }
  bool stop() override { return simulation_->stop(); }
  std::vector<SimEvent> waits_under_way() const override { return simulation_->waits_under_way(); }
  std::optional<AccountsOfResources> resource_accounts(const Ledger& ledger) const override {
    if (network().is_flat()) return std::nullopt;
    auto known = simulation_->resource_accounts();
    return known ? std::move(known) : accounts_of(network(), ledger);
  }

 private:
  std::unique_ptr<Simulation> simulation_;
};

/// Ends the run by the rules that look at events.
class EventStops final : public Listener {
 public:
  EventStops(const StopRules& rules, RecordedWorld& world, Outcome& outcome)
      : rules_(rules), world_(world), outcome_(outcome) {}
  void on_event(const SimEvent& what) override {
    for (const auto& rule : rules_)
      if (rule.event_kind == what.what && rule.ends_with_event(what) && world_.stop()) outcome_.stop = rule.reason;
  }
  bool wants(EventKind what) const override {
    return std::ranges::any_of(rules_, [what](const StopRule& rule) { return rule.event_kind == what; });
  }

 private:
  const StopRules& rules_;
  RecordedWorld& world_;
  Outcome& outcome_;
};

/// The input of remarks. Without numbers there is nothing that missing messages could have spoiled.
RunCounts counts_of(const Ledger& ledger, bool has_numbers) {
  RunCounts counts{.missing = has_numbers ? ledger.total().dropped : 0,
                   .restarts = has_numbers ? ledger.restarts() : 0};
  for (AgentId k = 0; k < ledger.agents(); ++k) {
    const AgentAccount account = ledger.agent(k);
    counts.agents.push_back({.messages_sent = account.messages_sent, .flops = account.flops});
  }
  return counts;
}

/// How a scenario gets on without messages that were lost, and without agents that are gone.
std::string remedy_of_deadlock(const Experiment& experiment, std::int64_t lost) {
  std::string text(experiment.algorithm->if_stuck());
  if (!text.empty()) text = "; " + text;
  if (lost == 0) return text;
  std::vector<std::string> remedies;
  if (!experiment.model.repair.timeout) remedies.emplace_back("network.retransmit sends them again");
  if (experiment.traits.depends_on_order && experiment.traits.server)
    remedies.emplace_back("algorithm.resend_ms sends answers again");
  if (!experiment.traits.depends_on_order)
    remedies.push_back(experiment.traits.server ? "participation.deadline_ms goes on without them"
                                                : "participation.missing_neighbor goes on without them");
  text += fmt::format("; {} {} lost", counted(lost, "message"), lost == 1 ? "was" : "were");
  return remedies.empty() ? text : fmt::format("{}: {}", text, fmt::join(remedies, ", "));
}

/// The scale of relative errors.
ErrorScale error_scale_of(const Experiment& experiment) {
  ErrorScale scale;
  const Optimum* const optimum = experiment.optimum.get();
  if (experiment.has_numbers()) scale.initial = experiment.initial();
  if (experiment.algorithm->has_own_objective()) {
    scale.initial = std::numeric_limits<double>::quiet_NaN();  // nothing to measure by
  } else if (optimum && optimum->certified()) {
    scale.optimum = optimum->value;
    scale.floor = optimum->smallest_error(scale.initial);
    scale.minimizer = &optimum->theta;
  }
  return scale;
}

TimelineLimits timeline_limits(const RecordOptions& record) {
  TimelineLimits limits{.from = Time(), .bytes = budget_bytes(record)};
  if (const auto& window = record.timeline_window_s; !window.empty()) {
    limits.from = Time() + Duration::seconds(window[0]);
    limits.until = Time() + Duration::seconds(window[1]);
  }
  return limits;
}

/// Nothing where rows are those of rounds.
std::optional<InstantRows> rows_of_instants(const Experiment& experiment) {
  const RecordOptions& record = experiment.scenario.record;
  InstantRows due{.every_updates = record.every_updates};
  if (record.every_s) due.every = std::max(Duration::seconds(*record.every_s), Duration::nanoseconds(1));
  if (due.every || due.every_updates) return due;
  const bool has_rounds = experiment.traits.has_rounds();
  if (has_rounds && experiment.algorithm->updaters() == experiment.algorithm->reporters()) return std::nullopt;
  due.every_updates = has_rounds ? record.every : experiment.facts.agents;
  return due;
}

/// Runs the world until it ends, perhaps in a standstill or in numbers that a method cannot go on with: both are
/// results.
void run_to_end(const Experiment& experiment, RecordedWorld& world, Outcome& outcome) {
  try {
    outcome.ending = world.run();
  } catch (const Deadlock& deadlock) {
    // If messages can be lost, this is a result, and the files show what led to it.
    outcome.ending = {.last_report = deadlock.at, .last_event = deadlock.at};
    outcome.stop = StopReason::deadlock;
    outcome.deadlock = deadlock.what() + remedy_of_deadlock(experiment, outcome.ledger.total().messages_lost);
  } catch (const Divergence& divergence) {
    outcome.ending = {.last_report = divergence.at, .last_event = divergence.at};
    outcome.stop = StopReason::diverged;
    outcome.diverged = true;
    outcome.remarks.push_back({"numbers_not_finite", {{"at_s", divergence.at.in_seconds()}}, divergence.what()});
  }
}

/// What the reason of the engine's end is to a user.
void tell_ending(Outcome& outcome) {
  if (outcome.ending.reason == EndReason::time_limit) outcome.stop = StopReason::simulated_s;
  if (outcome.ending.reason == EndReason::time_ends) {
    outcome.stop = StopReason::end_of_time;
    outcome.remarks.push_back(
        {"end_of_time",
         {},
         "ended where simulated time does: it is counted in ns up to 2^63, 292 years, and what came next is later"});
  }
  if (outcome.ending.reason == EndReason::gone) {
    outcome.stop = StopReason::gone;
    outcome.deadlock = fmt::format("all agents that could go on have broken down for good by {:.9g} s",
                                   outcome.ending.last_event.in_seconds());
  }
}

/// Remarks on the result for the user.
void add_remarks(const Experiment& experiment, const RecordedWorld& world, const std::vector<GrowingFile>& files,
                 Outcome& outcome) {
  const RunCounts counts = counts_of(outcome.ledger, experiment.has_numbers());
  for (Remark& one : experiment.algorithm->remarks(counts)) outcome.remarks.push_back(std::move(one));
  const auto remark = [&](std::optional<Remark> one) {
    if (one) outcome.remarks.push_back(std::move(*one));
  };
  for (Remark& one : world.remarks()) outcome.remarks.push_back(std::move(one));
  remark(missing_distance(outcome.error_scale));
  if (const auto& bound = outcome.bound)
    remark(above_bound(worst_of_bound(outcome.rows, *bound, place_of_measure(experiment, *bound)), *bound));
  if (!outcome.diverged) remark(worse_than_start(outcome.rows, outcome.error_scale.initial));
  if (!outcome.diverged)
    remark(missed_tolerance(outcome.rows, experiment.scenario.stop.relative_error, has_other_limit(outcome.remarks)));
  remark(free_computation(outcome.rows, outcome.ledger.total().flops, experiment.algorithm->works_for_free()));
  remark(longest_sums(outcome.ledger.total()));
  remark(growing_queues(outcome.rows, world.network().links()));
  for (const GrowingFile& file : files) remark(has_ended_early(file, experiment.scenario.record));
  remark(only_under_fifo(world.model()));
  remark(free_neighbors(world.network(), world.model().sharing, outcome.ledger, outcome.ending.last_report));
}

/// Bills what the end of the run cut off.
void end_accounts(const RecordedWorld& world, Outcome& outcome, Timeline* timeline) {
  for (const SimEvent& wait : world.waits_under_way()) {
    outcome.ledger.on_event(wait);
    if (timeline) timeline->on_event(wait);
  }
  outcome.ledger.end_at(outcome.ending.last_event);
  outcome.resources = world.resource_accounts(outcome.ledger);
  if (timeline) timeline->close(outcome.ending.last_event);
}

/// Among the metrics of a row.
std::size_t place_of(const StopMetricOptions& metric, const Experiment& experiment) {
  const std::vector<std::string> columns = metric_columns(experiment);
  return static_cast<std::size_t>(std::ranges::find(columns, metric.column) - columns.begin());
}

Outcome run_in(RecordedWorld& world, const Experiment& experiment, const RunOptions& options) {
  Outcome outcome;
  outcome.ledger = Ledger(world.network().agents(), world.network().links(), world.model().availability);
  outcome.runtime = world.runtime();
  outcome.last_reports.resize(outcome.ledger.agents());
  outcome.error_scale = options.recorded ? options.recorded->error_scale : error_scale_of(experiment);
  const RecordOptions& record = experiment.scenario.record;
  Trace trace(options.trace, budget_bytes(record));
  std::optional<Timeline> timeline;
  if (options.timeline)
    timeline.emplace(*options.timeline, world.network().agents(), timeline_limits(record),
                     experiment.topology->notes().names);
  const auto growing_files = [&] {
    std::vector<GrowingFile> files;
    if (options.trace) files.push_back({"trace.jsonl", trace.bytes(), trace.full_at()});
    if (timeline) files.push_back({"timeline.json", timeline->bytes(), timeline->full_at()});
    return files;
  };
  StopRules rules = stop_rules(experiment.scenario.stop, outcome.error_scale.initial, experiment.costs);
  const auto& metric = experiment.scenario.stop.metric;
  const std::size_t place = metric ? place_of(*metric, experiment) : 0;
  if (metric)
    rules.push_back(metric_rule(
        experiment.scenario.stop, place,
        metric->share_of_central ? experiment.metrics.at_optimum(experiment, metric->column) : std::nullopt));
  rules.insert(rules.end(), options.enough.begin(), options.enough.end());
  const auto warn_of_growth = [&, is_measured = false](const Row& row) mutable {
    if (is_measured || row.round < 1 || !options.warn) return false;
    is_measured = true;
    for (const GrowingFile& file : growing_files())
      if (const auto one = will_outgrow(file, row.round, experiment.scenario)) options.warn(*one);
    return false;
  };
  rules.insert(rules.begin(), {.ends_with_row = warn_of_growth});  // looks at rows, and ends nothing
  EventStops event_stops(rules, world, outcome);
  world.listen(outcome.ledger);
  world.listen(trace);
  if (timeline) world.listen(*timeline);
  world.listen(event_stops);
  std::optional<CriticalPath> path;
  if (record.critical_path) world.listen(path.emplace(world.network(), world.model()));
  std::optional<RoundRecorder> of_rounds;
  std::optional<InstantRecorder> of_instants;
  const auto record_with = [&world](auto& recorder) {
    world.listen(recorder);
    world.record(recorder);
  };
  if (const auto due = rows_of_instants(experiment))
    record_with(of_instants.emplace(experiment, options, rules, world, outcome, *due));
  else
    record_with(of_rounds.emplace(experiment, options, rules, world, outcome));
  run_to_end(experiment, world, outcome);
  tell_ending(outcome);
  if (of_instants) of_instants->record_last(outcome.ending.last_event);
  if (of_rounds) of_rounds->record_last();
  if (const auto round = of_rounds ? of_rounds->round_without_values() : std::nullopt)
    throw ValuesMissing(
        fmt::format("in these times round {} has a row, and in the run with numbers it has none", *round));
  end_accounts(world, outcome, timeline ? &*timeline : nullptr);
  if (path) outcome.path = path->sums();
  outcome.bound = options.recorded           ? options.recorded->bound
                  : experiment.has_numbers() ? experiment.algorithm->rate_bound(outcome.error_scale)
                                             : std::nullopt;
  add_remarks(experiment, world, growing_files(), outcome);
  if (metric && outcome.stop != StopReason::metric && !outcome.diverged)
    outcome.remarks.push_back(missed_metric(outcome.rows, place, *metric));
  outcome.trace_hash = trace.hash_text();
  outcome.trace_events = trace.events();
  return outcome;
}

}  // namespace

Outcome run(const Experiment& experiment, const RunOptions& options) {
  if (options.world) return run_in(*options.world, experiment, options);
  SimulatedWorld simulated(experiment.simulation(options.threads, options.recorded || !experiment.has_numbers()));
  return run_in(simulated, experiment, options);
}

}  // namespace lagnet
