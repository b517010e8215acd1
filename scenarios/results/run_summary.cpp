#include "scenarios/results/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/files/version.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/agent_link_csv.hpp"
#include "scenarios/results/critical_path_csv.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "topologies/graph_notes.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet {

namespace {

/// Mean and largest utilization of the links; nothing where one of them has none.
std::optional<std::pair<double, double>> link_utilization(const Experiment& experiment, const Outcome& outcome) {
  double sum = 0, largest = 0;
  for (LinkId link = 0; link < outcome.ledger.links(); ++link) {
    const auto one =
        utilization(carried(outcome.ledger.link(link)), experiment.network->bandwidth_bytes_per_s(link), outcome);
    if (!one) return std::nullopt;
    sum += *one;
    largest = std::max(largest, *one);
  }
  if (outcome.ledger.links() == 0) return std::nullopt;
  return std::pair(sum / outcome.ledger.links(), largest);
}

Json number(const ColumnValue& value) {
  const auto* count = std::get_if<std::int64_t>(&value);
  return count ? Json(*count) : Json(std::get<double>(value));
}

/// Of what sites or inner links state.
void add_costs(const Experiment& experiment, const Outcome& outcome, Json& sums) {
  Costs costs;
  for (AgentId id = 0; id < outcome.ledger.agents(); ++id)
    costs += experiment.costs.of_run(id, outcome.ledger, *experiment.network, outcome.ending.last_event);
  for (const auto& [key, cost] :
       {std::pair("price", costs.price), std::pair("joules", costs.joules), std::pair("grams", costs.grams)})
    if (cost) sums[key] = *cost;
  if (costs.price) sums["currency"] = experiment.scenario.network.currency;
}

Json totals(const Experiment& experiment, const Outcome& outcome) {
  const Ledger& ledger = outcome.ledger;
  Json sums = Json::object();
  const AgentAccount total = ledger.total();
  for (const auto& column : account_columns()) sums[std::string(column.name)] = number(column.value(total));
  add_costs(experiment, outcome, sums);
  sums["messages_in_flight"] = ledger.messages_in_flight();
  sums["compute_utilization"] = compute_utilization(total, ledger.agents(), outcome.ending.last_event);
  const auto links = link_utilization(experiment, outcome);
  sums["link_utilization_mean"] = links ? Json(links->first) : Json(nullptr);
  sums["link_utilization_max"] = links ? Json(links->second) : Json(nullptr);
  Json by_age = Json::object();
  for (const auto& [rounds, count] : ledger.staleness()) by_age[fmt::format("{}", rounds)] = count;
  sums["staleness"] = std::move(by_age);  // messages of earlier rounds that were used, by their age in rounds
  return sums;
}

Json topology_facts(const Experiment& experiment) {
  const NetworkFacts& facts = experiment.facts;
  const auto changes = change_of(experiment.scenario.topology);
  const auto eigenvalue = [&](double x) { return experiment.has_eigenvalues ? number_or_null(x) : Json(nullptr); };
  Json document = graph_facts(*experiment.topology);  // all edges of the run
  document["laplacian_max"] = eigenvalue(facts.laplacian_max);
  document["algebraic_connectivity"] = eigenvalue(facts.algebraic_connectivity);
  document["changes"] = changes ? Json(*changes) : Json(nullptr);
  if (experiment.topology->is_directed())
    document["why"] = "no eigenvalues: links go one way";
  else if (!experiment.has_eigenvalues)
    document["why"] = "no eigenvalues: more than 10000 agents, of which none needs them";
  return document;
}

Json optimum_facts(const Experiment& experiment, const Outcome& outcome) {
  const Optimum* const optimum = experiment.optimum.get();
  if (!experiment.has_numbers()) return {{"value", nullptr}, {"why", "numerics are off: there is no objective"}};
  if (!optimum) return {{"value", nullptr}, {"why", "not asked for: record.optimum is false"}};
  const Certificate& proof = optimum->certificate;
  Json facts{{"value", optimum->certified() ? Json(optimum->value) : Json(nullptr)},
             {"certificate", name_of(proof.kind)},
             {"certificate_relative", number_or_null(proof.relative)},
             {"method", proof.method},
             {"smallest_error", optimum->certified() ? Json(outcome.error_scale.floor) : Json(nullptr)},
             {"norm", optimum->theta.norm()}};
  if (const auto why = missing_optimum(optimum))
    facts["why"] = why->text;
  else if (experiment.algorithm->has_own_objective())
    facts["why"] = "the algorithm's objective is another, by its options: relative_error is empty";
  else if (const auto none = missing_distance(outcome.error_scale))
    facts["why"] = none->text;
  return facts;
}

}  // namespace

Json graph_facts(const Topology& topology) {
  const DegreeStatistics degrees = degree_statistics(topology);
  Json facts{{"agents", topology.agents()},
             {std::string(topology.is_directed() ? "arcs" : "edges"), topology.edges().size()},
             {"draws_until_connected", topology.tries()},
             {"degree_min", degrees.min},
             {"degree_mean", degrees.mean},
             {"degree_max", degrees.max}};
  if (!topology.notes().names.empty()) facts["nodes"] = topology.notes().names;
  if (!topology.is_directed()) return facts;
  std::vector<std::size_t> heard;  // from how many each agent hears
  for (AgentId agent = 0; agent < topology.agents(); ++agent) heard.push_back(topology.in(agent).size());
  const auto [least, most] = std::ranges::minmax(heard);
  facts.update({{"directed", true}, {"in_degree_min", least}, {"in_degree_max", most}});
  return facts;
}

Json data_facts(const Experiment& experiment) {
  return {{"origin", experiment.data->origin},
          {"samples", experiment.data->samples},
          {"features", experiment.data->X.cols()},
          {"nonzeros", experiment.data->X.nonzeros()},
          {"stored", experiment.data->X.is_sparse() ? "sparse" : "dense"}};
}

Json as_json(const Remarks& remarks) {
  Json list = Json::array();
  for (const Remark& remark : remarks) {
    Json numbers = Json::object();
    for (const auto& [name, value] : remark.numbers) numbers[name] = number_or_null(value);
    list.push_back({{"code", remark.code}, {"numbers", std::move(numbers)}, {"text", remark.text}});
  }
  return list;
}

Remarks warnings_in(const Json& summary) {
  Remarks warnings;
  for (const Json& one : summary.value("warnings", Json::array())) {
    if (one.is_string()) warnings.push_back({.code = "", .numbers = {}, .text = one.get<std::string>()});
    if (!one.is_object()) continue;
    Remark& warning = warnings.emplace_back();
    warning = {.code = one.value("code", ""), .numbers = {}, .text = one.value("text", "")};
    const Json numbers = one.value("numbers", Json::object());  // which must outlive its items()
    for (const auto& [name, value] : numbers.items())
      if (value.is_number()) warning.numbers.emplace_back(name, value.get<double>());
  }
  return warnings;
}

namespace {

constexpr std::pair<const char*, double RateBound::*> bound_numbers[]{{"C", &RateBound::C},
                                                                      {"q", &RateBound::q},
                                                                      {"power", &RateBound::power},
                                                                      {"shift", &RateBound::shift},
                                                                      {"floor", &RateBound::floor},
                                                                      {"exponent", &RateBound::exponent},
                                                                      {"resolution", &RateBound::resolution}};

Json bound_facts(const Experiment& experiment, const Outcome& outcome) {
  const RateBound& bound = *outcome.bound;
  Json facts{{"measure", bound.measure}, {"formula", bound.text}, {"source", bound.source}, {"from", bound.from}};
  for (const auto& [key, number] : bound_numbers) facts[key] = number_or_null(bound.*number);
  const auto worst = worst_of_bound(outcome.rows, bound, place_of_measure(experiment, bound));
  facts["largest_ratio"] = worst ? number_or_null(worst->ratio) : Json(nullptr);
  facts["largest_ratio_round"] = worst ? Json(worst->round) : Json(nullptr);
  return facts;
}

}  // namespace

std::optional<RateBound> bound_in(const Json& summary) {
  const Json facts = summary.value("bound", Json());
  if (!facts.is_object()) return std::nullopt;
  RateBound bound{.measure = facts.value("measure", ""),
                  .from = facts.value("from", Round{0}),
                  .text = facts.value("formula", ""),
                  .source = facts.value("source", "")};
  for (const auto& [key, number] : bound_numbers) bound.*number = facts.value(key, bound.*number);
  return bound;
}

Json summary(const Experiment& experiment, const Outcome& outcome) {
  Json constants = Json::object();
  for (const auto& [name, value] : experiment.algorithm->constants()) constants[name] = number_or_null(value);
  Remarks warnings = experiment.warnings;
  warnings.insert(warnings.end(), outcome.remarks.begin(), outcome.remarks.end());
  if (!outcome.deadlock.empty())
    warnings.push_back({"deadlock", {{"at_s", outcome.ending.last_event.in_seconds()}}, outcome.deadlock});
  Json document{{"lagnet_version", version()},
                {"name", experiment.scenario.name},
                {"status", !outcome.deadlock.empty() ? "deadlock"
                           : outcome.diverged        ? "diverged"
                                                     : "done"},
                {"stop",
                 {{"reason", spelled(outcome.stop)},
                  {"round", outcome.rows.empty() ? 0 : outcome.rows.back().round},
                  {"simulated_s", outcome.ending.last_report.in_seconds()},
                  {"ended_s", outcome.ending.last_event.in_seconds()}}},
                {"trace_hash", outcome.trace_hash},
                {"trace_events", outcome.trace_events},
                {"objective_start", number_or_null(outcome.error_scale.initial)},
                {"totals", totals(experiment, outcome)},
                {"optimum", optimum_facts(experiment, outcome)},
                {"constants", std::move(constants)},
                {"topology", topology_facts(experiment)},
                {"data", data_facts(experiment)},
                {"warnings", as_json(warnings)}};
  if (!experiment.has_numbers()) {
    document["numerics"] = "off";
    document["objective_start"] = nullptr;
    document["why_empty"] = "numerics are off: objective, relative_error and the algorithm's own columns are empty";
  }
  if (outcome.bound) document["bound"] = bound_facts(experiment, outcome);
  if (outcome.path) document["critical_path"] = path_facts(experiment, *outcome.path);
  std::vector<std::string> reasons = why_not_retimable(experiment.scenario);
  if (!outcome.runtime.empty()) {
    document["runtime"] = outcome.runtime;
    reasons.push_back("it ran in real time");
  }
  document["retimable"] = reasons.empty();
  if (!reasons.empty()) document["why_not_retimable"] = reasons;
  if (!outcome.rows.empty()) {
    const auto columns = progress_columns(experiment);
    const Json numbers = progress_numbers(outcome.rows.back());
    for (std::size_t i = 0; i < columns.size(); ++i) document["last_row"][columns[i]] = numbers[i];
  }
  return document;
}

}  // namespace lagnet
