#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "algorithms/asynchronous/compass_schedule.hpp"
#include "algorithms/interface/selection.hpp"
#include "scenarios/format/kinds/participation_kinds.hpp"
#include "scenarios/json/fields.hpp"
#include "tests/reference/compressed_case.hpp"

namespace lagnet::reference {

namespace schedule_cases {
namespace {

constexpr Tolerance whole_numbers{.absolute = 0.25, .relative = 0, .floor = 0};

std::vector<double> as_doubles(const std::vector<AgentId>& agents) { return {agents.begin(), agents.end()}; }

/// Numbers by agent, as {"1": 26.1}.
std::map<AgentId, double> by_agent(const Json& object) {
  std::map<AgentId, double> all;
  for (const auto& [agent, value] : object.items()) all[static_cast<AgentId>(std::stoul(agent))] = value.get<double>();
  return all;
}

Verdict check(const Json& item) {
  Verdict verdict(tolerance_of(item));
  check_keys(item, "",
             {"id", "public", "algorithm", "note", "round", "size", "parameters", "utility", "duration_s", "last_round",
              "unexplored", "speed", "uniforms", "preferred_s", "scores", "epsilon", "exploited", "explored",
              "with_product_draws"});
  const Json& parameters = item.at("parameters");
  check_keys(parameters, "parameters/", {"percentile", "penalty", "clip", "explore", "decay", "least_explore", "cut"});
  Json section = parameters;
  section["kind"] = OortOptions::kind;
  section["size"] = item.at("size");
  Choice<ClientsFamily> clients;
  Diagnostics diagnostics("");
  clients.read(section, "/parameters", diagnostics);
  diagnostics.throw_if_any();
  const OortOptions options = *clients.options_as<OortOptions>();
  const auto round = item.at("round").get<Round>();
  const auto utility = by_agent(item.at("utility")), duration = by_agent(item.at("duration_s")),
             last = by_agent(item.at("last_round")), speed = by_agent(item.value("speed", Json::object()));
  std::vector<OortRecord> known;
  for (const auto& [agent, U] : utility)
    known.push_back(
        {.agent = agent, .utility = U, .duration_s = duration.at(agent), .last = static_cast<Round>(last.at(agent))});
  Unexplored unexplored{item.at("unexplored").get<std::vector<AgentId>>(), {}};
  for (const AgentId k : unexplored.agents) unexplored.speeds.push_back(speed.at(k));
  const auto compare = [&](const OortChoice& choice, const Json& want, const std::string& whose) {
    if (want.contains("preferred_s"))
      verdict.compare(whose + "preferred_s", {choice.preferred_s}, {want["preferred_s"].get<double>()});
    if (want.contains("epsilon")) verdict.compare(whose + "epsilon", {choice.epsilon}, {want["epsilon"].get<double>()});
    if (want.contains("scores")) {
      std::vector<double> scores;
      for (const auto& [agent, score] : by_agent(want["scores"])) scores.push_back(score);
      verdict.compare(whose + "scores", choice.scores, scores);
    }
    verdict.compare(whose + "exploited", as_doubles(choice.exploited), numbers(want.at("exploited")), whole_numbers);
    verdict.compare(whose + "explored", as_doubles(choice.explored), numbers(want.at("explored")), whole_numbers);
  };
  if (item.contains("uniforms")) {
    const auto of = uniforms_of(item);
    Index index = 0;
    compare(oort_choice(options, round, known, unexplored, [&] { return of(server_agent, round, index++); }), item, "");
  }
  if (!item.contains("with_product_draws")) return verdict;
  const Json& drawn = item["with_product_draws"];
  check_keys(drawn, "with_product_draws/", {"seed", "exploited", "explored"});
  Draws draws(drawn.at("seed").get<std::uint64_t>(), Purpose{"oort"}, server_agent, round);
  compare(oort_choice(options, round, known, unexplored, [&] { return draws.uniform(); }), drawn,
          "with the seed's draws: ");
  return verdict;
}

/// What a schedule does where a step takes these times, and nothing else takes any.
void compare_compass(const Json& item, Verdict& verdict) {
  const Json& parameters = item.at("parameters");
  const std::vector<double> step_s = numbers(item.at("seconds_per_step"));
  const auto clients = static_cast<AgentId>(step_s.size());
  const CompassRules rules{.Q1 = parameters.at("min_local_steps").get<std::int64_t>(),
                           .Q2 = parameters.at("max_local_steps").get<std::int64_t>(),
                           .latest_factor = parameters.value("latest_time_factor", 1.2),
                           .momentum = parameters.value("speed_momentum", 0.9)};
  CompassSchedule schedule(rules, clients + 1);
  std::vector<double> due(clients + 1, std::numeric_limits<double>::infinity());
  for (AgentId k = 1; k <= clients; ++k) {
    schedule.start(k, 0);
    due[k] = static_cast<double>(rules.Q2) * step_s[k - 1];
  }
  std::vector<std::vector<double>> assignments, aggregations;  // rows; time, and who
  const auto assign = [&](AgentId k, double now) {
    const auto steps = static_cast<double>(schedule.assign(k, now));
    due[k] = now + steps * step_s[k - 1];
    assignments.push_back({now, static_cast<double>(k), steps, static_cast<double>(schedule.group_of(k))});
  };
  std::vector<AgentId> late;
  const auto close = [&](CompassSchedule::Group group, double now) {
    const std::vector<AgentId> came = schedule.close(group);
    std::vector<AgentId> all = std::exchange(late, {});
    all.insert(all.end(), came.begin(), came.end());
    std::ranges::sort(all);
    if (all.empty()) return;
    aggregations.push_back({now});
    for (const AgentId k : all) aggregations.back().push_back(static_cast<double>(k));
    for (const AgentId k : came) assign(k, now);
  };
  const std::size_t rows = item.value("assignments", Json::array()).size(),
                    groups = item.value("aggregations", Json::array()).size();
  while (assignments.size() < rows || aggregations.size() < groups) {
    const auto k = static_cast<AgentId>(std::ranges::min_element(due) - due.begin());
    const double now = due[k];
    if (const auto expiry = schedule.next_expiry(); expiry && expiry->at < now) {
      close(expiry->group, expiry->at);
      continue;
    }
    due[k] = std::numeric_limits<double>::infinity();
    CompassSchedule::Group group = 0;
    const auto next = schedule.arrived(k, now, group);
    if (next == CompassSchedule::Next::close) close(group, now);
    if (next == CompassSchedule::Next::buffer) late.push_back(k);
    if (next == CompassSchedule::Next::alone) aggregations.push_back({now, static_cast<double>(k)});
    if (next == CompassSchedule::Next::buffer || next == CompassSchedule::Next::alone) assign(k, now);
  }
  for (std::size_t i = 0; i < rows; ++i)
    verdict.compare("assignment " + std::to_string(i), assignments[i], numbers(item["assignments"][i]));
  for (std::size_t i = 0; i < groups; ++i) {
    std::vector<double> want{item["aggregations"][i].at(0).get<double>()};
    for (const Json& k : item["aggregations"][i].at(1)) want.push_back(k.get<double>());
    verdict.compare("aggregation " + std::to_string(i), aggregations[i], want);
  }
}

}  // namespace
}  // namespace schedule_cases

bool is_oort(const Json& item) { return item.value("algorithm", "") == "oort" && item.contains("utility"); }
Verdict check_oort(const Json& item) { return schedule_cases::check(item); }
void compare_compass_schedule(const Json& item, Verdict& verdict) { schedule_cases::compare_compass(item, verdict); }

}  // namespace lagnet::reference
