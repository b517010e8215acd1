#include "scenarios/estimate/count_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/features.hpp"
#include "scenarios/run/run.hpp"

namespace lagnet {

namespace {

/// The beginning of a run, or all of it.
struct Counted {
  Round rounds = 0;
  bool was_ended = false;  // for its steps
  double messages = 0, bytes = 0, flops = 0, events = 0, flops_per_agent = 0, simulated_s = 0, price = 0;
};

Counted run_events(const Scenario& scenario, const std::string& shown, ExperimentCache& cache,
                   std::int64_t most_steps) {
  const Experiment experiment = assemble(scenario, shown, cache);
  constexpr std::int64_t flops_of_step = 400;
  Counted counted{.rounds = -1};
  std::int64_t steps = 0;
  const auto is_enough = [&](std::int64_t more) {
    steps += more;
    counted.was_ended = counted.was_ended || steps > most_steps;
    return counted.was_ended;
  };
  const bool computes = experiment.has_numbers();
  const auto flops = [&](const SimEvent& what) { return is_enough(1 + (computes ? what.amount / flops_of_step : 0)); };
  const StopRules rules{
      {.event_kind = EventKind::sent, .ends_with_event = [&](const SimEvent&) { return is_enough(1); }},
      {.event_kind = EventKind::computed, .ends_with_event = flops},
      {.ends_with_round = [&](Flops) {
        if (!counted.was_ended) ++counted.rounds;
        return false;
      }}};
  const Outcome outcome = run(experiment, {.enough = rules});
  const AgentAccount total = outcome.ledger.total();
  counted.messages = static_cast<double>(total.messages_sent);
  counted.bytes = static_cast<double>(total.bytes_sent);
  counted.flops = static_cast<double>(total.flops);
  counted.events = static_cast<double>(outcome.trace_events);
  counted.simulated_s = outcome.ending.last_report.in_seconds();
  counted.rounds = std::max<Round>(counted.rounds, 0);
  if (outcome.rows.empty()) return counted;
  counted.flops_per_agent = static_cast<double>(outcome.rows.back().flops_per_agent_max);
  counted.price = outcome.rows.back().costs.price.value_or(0);
  if (!counted.was_ended) counted.rounds = outcome.rows.back().round;
  return counted;
}

WorkCount as_work(const Counted& counted, std::optional<Round> rounds, bool is_whole) {
  return {.rounds = rounds,
          .messages = counted.messages,
          .bytes = counted.bytes,
          .flops = counted.flops,
          .events = counted.events,
          .counted = counted.rounds,
          .is_whole = is_whole};
}

/// The last round if the rounds go on like those from one place to the other; nothing if no limit is ever reached.
std::optional<Round> last_round(const StopOptions& stop, const Counted& from, const Counted& to) {
  double last = stop.rounds ? static_cast<double>(*stop.rounds) : std::numeric_limits<double>::infinity();
  const auto limit = [&](std::optional<double> most, double Counted::*amount) {
    const double a_round = (to.*amount - from.*amount) / static_cast<double>(to.rounds - from.rounds);
    if (most && a_round > 0)
      last = std::min(last, static_cast<double>(to.rounds) + std::ceil((*most - to.*amount) / a_round));
  };
  limit(stop.simulated_s, &Counted::simulated_s);
  limit(stop.bytes, &Counted::bytes);
  limit(stop.price, &Counted::price);
  limit(stop.flops, &Counted::flops);
  limit(stop.flops_per_agent, &Counted::flops_per_agent);
  constexpr double most = 9e18;
  if (!(last < most)) return std::nullopt;
  return std::max(to.rounds, static_cast<Round>(last));
}

}  // namespace

Scenario without_numbers(const Scenario& scenario) {
  Scenario plain = scenario;
  plain.stop.relative_error.reset();
  plain.stop.metric.reset();
  plain.record.optimum = false;
  plain.record.metrics.clear();
  plain.record.model_every.reset();
  const auto needs_numbers = [](const SetFeature& one) { return one.effects().needs_numbers; };
  if (scenario.offers_timing() && std::ranges::none_of(set_features(scenario).list, needs_numbers))
    plain.numerics = Numerics::off;
  return plain;
}

std::optional<WorkCount> count_work(const Scenario& scenario, const std::string& shown, ExperimentCache& cache,
                                    std::int64_t most_steps) {
  Scenario plain = without_numbers(scenario);
  plain.record.every = std::numeric_limits<std::int64_t>::max();  // rows cost time, and say nothing here
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  const Counted first = run_events(plain, shown, cache, most_steps);
  if (!first.was_ended) return as_work(first, first.rounds, true);
  if (first.rounds < 1) return std::nullopt;
  // Runs that end by themselves have what comes after the last report, which is no part of a round.
  const auto first_rounds = [&](Round rounds) {
    plain.stop.rounds = rounds;
    return run_events(plain, shown, cache, no_limit);
  };
  const Counted to = first_rounds(first.rounds), from = to.rounds > 1 ? first_rounds(to.rounds / 2) : Counted();
  const std::optional<Round> last = last_round(scenario.stop, from, to);
  WorkCount work = as_work(to, last, false);
  if (!last) return work;
  const double rounds = static_cast<double>(to.rounds - from.rounds), left = static_cast<double>(*last - to.rounds);
  const auto add_rest = [&](double WorkCount::*amount, double Counted::*of) {
    work.*amount += std::round(left * ((to.*of - from.*of) / rounds));
  };
  add_rest(&WorkCount::messages, &Counted::messages);
  add_rest(&WorkCount::bytes, &Counted::bytes);
  add_rest(&WorkCount::flops, &Counted::flops);
  add_rest(&WorkCount::events, &Counted::events);
  return work;
}

}  // namespace lagnet
