#include "scenarios/run.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/trace.hpp"

namespace lagnet {

namespace {

/// Ends the run when the flops or bytes of all agents reach a limit.
class Budget final : public Listener {
 public:
  Budget(const StopOptions& stop, const Ledger& ledger, Simulation& world) : stop_(stop), ledger_(ledger), world_(world) {}
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
      : assembly_(assembly), options_(options), world_(world), outcome_(outcome), reporters_(assembly.algorithm->reporters()) {
    std::ranges::sort(reporters_);
  }

  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    if (!wanted(round)) return;
    Gathering& gathering = open_[round];
    gathering.parts.resize(outcome_.ledger.agents());
    auto& mine = gathering.parts[agent];
    mine.assign(parts.begin(), parts.end());
    const AgentAccount& account = outcome_.ledger.agent(agent);
    gathering.total += account;
    gathering.flops_per_agent_max = std::max(gathering.flops_per_agent_max, account.flops);
    if (++gathering.participants < static_cast<std::int64_t>(reporters_.size())) return;
    complete(round, gathering);
    open_.erase(round);
  }

 private:
  struct Gathering {
    std::vector<std::vector<Vector>> parts;  // by agent
    std::int64_t participants = 0;
    AgentAccount total;
    Flops flops_per_agent_max = 0;
  };

  bool wanted(Round round) const {
    const StopOptions& stop = assembly_.scenario.stop;
    return round % assembly_.scenario.record.every == 0 || (stop.rounds && round == *stop.rounds);
  }

  void complete(Round round, Gathering& gathering) {
    for (AgentId id = 0; id < outcome_.ledger.agents(); ++id)
      if (!std::ranges::binary_search(reporters_, id)) {
        gathering.total += outcome_.ledger.agent(id);
        gathering.flops_per_agent_max = std::max(gathering.flops_per_agent_max, outcome_.ledger.agent(id).flops);
      }
    const Evaluation value = assembly_.algorithm->evaluate(round, gathering.parts, outcome_.yardstick);
    const Row row{.round = round,
                  .at = world_.now(),
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
    } else if (stop.flops_per_agent && row.flops_per_agent_max >= *stop.flops_per_agent) {
      world_.stop("flops_per_agent");
    }
  }

  const Assembly& assembly_;
  const RunOptions& options_;
  Simulation& world_;
  Outcome& outcome_;
  std::vector<AgentId> reporters_;  // ascending
  std::map<Round, Gathering> open_;
};

}  // namespace

Outcome run(const Assembly& assembly, const RunOptions& options) {
  const auto world = assembly.simulation(options.threads);
  Outcome outcome;
  outcome.ledger = Ledger(world->network().agents(), world->network().links());
  outcome.yardstick.initial = assembly.problem.objective(Vector::Zero(assembly.problem.X->cols()));
  if (assembly.optimum && assembly.optimum->certified()) outcome.yardstick.optimum = assembly.optimum->value;

  Trace trace(options.trace);
  Budget budget(assembly.scenario.stop, outcome.ledger, *world);
  RoundRecorder recorder(assembly, options, *world, outcome);
  world->listen(outcome.ledger);
  world->listen(trace);
  world->listen(budget);
  world->record(recorder);
  outcome.ending = world->run();
  if (outcome.ending.reason == "finished") outcome.ending.reason = "rounds";
  outcome.trace_hash = trace.hash_text();
  outcome.occurrences = trace.events();
  return outcome;
}

}  // namespace lagnet
