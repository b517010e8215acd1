#include "scenarios/assembly/make_participants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/assembly/load_data.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"

namespace lagnet {

std::optional<Index> cohort_of(const Experiment& made) {
  const auto clients = static_cast<std::size_t>(made.traits.agents_with_data(made.topology->agents()));
  const Participation* asked = made.model.participation.get();
  const auto count = asked ? asked->asked_each_round(clients) : clients;
  return count ? std::optional<Index>(*count) : std::nullopt;
}

void check_cohorts(const Experiment& made, Diagnostics& diagnostics) {
  const ParticipationOptions& options = made.scenario.participation;
  const auto* independent = options.clients.options_as<IndependentOptions>();
  const std::string kind(made.scenario.algorithm.kind());
  if (made.traits.cohorts == Cohorts::of_one_size && made.model.participation && !cohort_of(made))
    diagnostics.add("/participation/clients/kind",
                    fmt::format("full or random_subset, since {} needs as many clients in every round", kind),
                    std::string(options.clients.kind()));
  if (made.traits.cohorts == Cohorts::any && independent && independent->nobody_allowed)
    diagnostics.add("/participation/clients/nobody_allowed",
                    fmt::format("false, since a round of {} needs an answer", kind), "true");
}

Attackers make_attackers(Experiment& made, Diagnostics& diagnostics) {
  const Scenario& scenario = made.scenario;
  if (scenario.attackers.empty()) return {};
  if (!made.traits.takes_attackers) {
    diagnostics.add("/attackers",
                    fmt::format("none, since {} takes no attackers{}", scenario.algorithm.kind(),
                                who_takes(made.traits, [](const auto& other) { return other.takes_attackers; })),
                    fmt::format("{}", scenario.attackers.size()));
    return {};
  }
  Attackers attackers;
  collect_diagnostics(diagnostics, "/attackers", [&] {
    attackers = Attackers(scenario.attackers, made.topology->agents(), scenario.seed);
    attackers.labels_held(*made.problem.loss, made.problem.y, starts_by_agent(made.partition, made.traits));
  });
  const auto late = attackers.late();
  if (late.empty()) return attackers;
  if (const auto deadline = made.model.round_rule.deadline) {
    std::vector<HeldAnswers::Held> held;
    for (const auto& [agent, margin_ms] : late) {
      const Link link = made.network->link(made.network->find(agent, server_agent));
      held.push_back({agent, Duration::milliseconds(margin_ms),
                      [link](Bytes bytes) { return Network::travel_time(link, bytes); }});
    }
    made.model.faults.push_back(std::make_shared<const HeldAnswers>(std::move(held), *deadline));
  } else {
    diagnostics.add("/participation/deadline_ms", "a time, which answers of late attackers come just before", "null");
  }
  return attackers;
}

Selection make_selection(const Experiment& made, Diagnostics& diagnostics) {
  const auto& clients = made.scenario.participation.clients;
  Selection selection;
  if (const auto* power = clients.options_as<PowerOfChoiceOptions>()) selection = *power;
  if (const auto* oort = clients.options_as<OortOptions>()) selection = *oort;
  if (const auto* tiers = clients.options_as<TiersOptions>()) selection = *tiers;
  if (selection.index() == 0) return selection;
  const std::string pointer = "/participation/clients";
  if (!made.traits.takes_selection)
    diagnostics.add(pointer + "/kind",
                    fmt::format("a choice that does not depend on answers, for {}{}", made.scenario.algorithm.kind(),
                                who_takes(made.traits, [](const auto& other) { return other.takes_selection; })),
                    std::string(clients.kind()));
  const auto* power = clients.options_as<PowerOfChoiceOptions>();
  if (power && !power->stale && !power->candidate_deadline_ms && made.model.may_lose_messages(*made.network))
    diagnostics.add(pointer + "/candidate_deadline_ms",
                    "a time, since a loss that does not arrive is waited for forever", "null");
  return selection;
}

std::vector<double> speeds_of(const Experiment& made) {
  if (!made.scenario.participation.clients.options_as<OortOptions>()) return {};
  std::vector<double> speeds;
  for (AgentId k = 0; k < made.topology->agents(); ++k) speeds.push_back(made.compute->speed_flops_per_s(k));
  return speeds;
}

Index most_asked(const Experiment& made) {
  const auto clients = static_cast<std::size_t>(made.traits.agents_with_data(made.topology->agents()));
  const auto& participation = made.model.participation;
  const std::size_t asked = participation ? participation->most(clients) : clients;
  return static_cast<Index>(std::min(asked, made.model.round_rule.enough.value_or(asked)));
}

}  // namespace lagnet
