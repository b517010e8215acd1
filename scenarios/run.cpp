#include "scenarios/run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "scenarios/timeline.hpp"
#include "sim/trace.hpp"

namespace lagnet {

namespace {

/// Ends the run when the flops or bytes of all agents reach a limit.
class Budget final : public Listener {
 public:
  Budget(const StopOptions& stop, const Ledger& ledger, Simulation& world)
      : stop_(stop), ledger_(ledger), world_(world) {}
  void occurred(const Occurrence& what) override {
    if (what.what == What::computed && stop_.flops && ledger_.total().flops >= *stop_.flops) world_.stop("flops");
    if (what.what == What::sent && stop_.bytes && ledger_.total().bytes_sent >= *stop_.bytes) world_.stop("bytes");
  }

 private:
  const StopOptions& stop_;
  const Ledger& ledger_;
  Simulation& world_;
};

/// Gathers the agents' reports into rows.
class RoundRecorder final : public Recorder {
 public:
  RoundRecorder(const Assembly& assembly, const RunOptions& options, Simulation& world, Outcome& outcome)
      : assembly_(assembly),
        options_(options),
        world_(world),
        outcome_(outcome),
        reporters_(assembly.algorithm->reporters()) {
    std::ranges::sort(reporters_);
  }

  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    Gathering& gathering = open_[round];
    gathering.parts.resize(outcome_.ledger.agents());
    auto& mine = gathering.parts[agent];
    mine.assign(parts.begin(), parts.end());
    count(agent, gathering);
    if (++gathering.participants < static_cast<std::int64_t>(reporters_.size())) return;
    for (AgentId id = 0; id < outcome_.ledger.agents(); ++id)
      if (!std::ranges::binary_search(reporters_, id)) count(id, gathering);
    gathering.at = world_.now();
    last_round_ = round;
    last_ = std::move(gathering);
    open_.erase(round);
    const StopOptions& stop = assembly_.scenario.stop;
    const bool spent = stop.flops_per_agent && last_.flops_per_agent_max >= *stop.flops_per_agent;
    if (spent) world_.stop("flops_per_agent");
    if (spent || round % assembly_.scenario.record.every == 0) record_last();
  }

  /// Records the last complete round, if it has no row yet.
  void record_last() {
    if (last_.participants == 0) return;
    add_row(last_round_, last_);
    last_ = Gathering();
  }

 private:
  struct Gathering {
    std::vector<std::vector<Vector>> parts;  // by agent
    std::int64_t participants = 0;
    Time at;  // of the last report
    AgentAccount total;
    Flops flops_per_agent_max = 0;
  };

  void count(AgentId agent, Gathering& gathering) const {
    const AgentAccount& account = outcome_.ledger.agent(agent);
    gathering.total += account;
    gathering.flops_per_agent_max = std::max(gathering.flops_per_agent_max, account.flops);
  }

  void add_row(Round round, Gathering& gathering) {
    const Evaluation value = assembly_.algorithm->evaluate(round, gathering.parts, outcome_.yardstick);
    const Row row{.round = round,
                  .at = gathering.at,
                  .participants = gathering.participants,
                  .objective = value.objective,
                  .relative_error = outcome_.yardstick.relative_error(value.objective),
                  .metrics = value.metrics,
                  .total = gathering.total,
                  .flops_per_agent_max = gathering.flops_per_agent_max};
    outcome_.rows.push_back(row);
    const StopOptions& stop = assembly_.scenario.stop;
    if (options_.progress) options_.progress({round, stop.rounds.value_or(0), row.at, row.relative_error});
    if (!std::isfinite(value.objective)) {
      outcome_.diverged = true;
      world_.stop("diverged");
    } else if (stop.relative_error && row.relative_error && *row.relative_error <= *stop.relative_error) {
      world_.stop("relative_error");
    }
  }

  const Assembly& assembly_;
  const RunOptions& options_;
  Simulation& world_;
  Outcome& outcome_;
  std::vector<AgentId> reporters_;   // ascending
  std::map<Round, Gathering> open_;  // rounds that some agents have reported
  Round last_round_ = 0;             // the last one that all have
  Gathering last_;
};

}  // namespace

Outcome run(const Assembly& assembly, const RunOptions& options) {
  const auto world = assembly.simulation(options.threads);
  Outcome outcome;
  outcome.ledger = Ledger(world->network().agents(), world->network().links());
  outcome.yardstick.initial = assembly.problem.objective(Vector::Zero(assembly.problem.X->cols()));
  if (assembly.optimum && assembly.optimum->certified()) outcome.yardstick.optimum = assembly.optimum->value;

  Trace trace(options.trace);
  std::optional<Timeline> timeline;
  if (options.timeline) timeline.emplace(*options.timeline, world->network().agents());
  Budget budget(assembly.scenario.stop, outcome.ledger, *world);
  RoundRecorder recorder(assembly, options, *world, outcome);
  world->listen(outcome.ledger);
  world->listen(trace);
  if (timeline) world->listen(*timeline);
  world->listen(budget);
  world->record(recorder);
  outcome.ending = world->run();
  recorder.record_last();
  if (outcome.ending.reason == "finished") outcome.ending.reason = "rounds";
  outcome.trace_hash = trace.hash_text();
  outcome.occurrences = trace.events();
  return outcome;
}

}  // namespace lagnet
