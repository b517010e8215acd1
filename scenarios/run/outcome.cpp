#include "scenarios/run/outcome.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/results/agent_link_csv.hpp"
#include "scenarios/results/ledger_columns.hpp"

namespace lagnet {

namespace {

/// The shortest text that reads back as the same number; empty if there is none, as pandas expects of a missing value.
std::string text(std::optional<double> x) { return x ? fmt::format("{}", *x) : ""; }
std::string seconds(Time at) { return text(at.in_seconds()); }

std::string progress_csv(const Experiment& assembly, const Outcome& outcome) {
  std::string csv = csv_line(progress_columns(assembly));
  for (const Row& row : outcome.rows) csv += csv_line(progress_values(row));
  return csv;
}

/// Mean and largest utilization of the links; nothing where one of them has none.
std::optional<std::pair<double, double>> link_utilization(const Experiment& assembly, const Outcome& outcome) {
  double sum = 0, largest = 0;
  for (LinkId link = 0; link < outcome.ledger.links(); ++link) {
    const auto one =
        utilization(carried(outcome.ledger.link(link)), assembly.network->bandwidth_bytes_per_s(link), outcome);
    if (!one) return std::nullopt;
    sum += *one;
    largest = std::max(largest, *one);
  }
  if (outcome.ledger.links() == 0) return std::nullopt;
  return std::pair(sum / outcome.ledger.links(), largest);
}

Json totals(const Experiment& assembly, const Outcome& outcome) {
  const Ledger& ledger = outcome.ledger;
  Json sums = Json::object();
  const AgentAccount total = ledger.total();
  for (const auto& column : account_columns()) sums[column.name] = json_of(column.value(total));
  sums["messages_in_flight"] = ledger.messages_in_flight();
  sums["compute_utilization"] = compute_utilization(total, ledger.agents(), outcome.ending.last_event);
  const auto links = link_utilization(assembly, outcome);
  sums["link_utilization_mean"] = links ? Json(links->first) : Json(nullptr);
  sums["link_utilization_max"] = links ? Json(links->second) : Json(nullptr);
  Json by_age = Json::object();
  for (const auto& [rounds, count] : ledger.staleness()) by_age[fmt::format("{}", rounds)] = count;
  sums["staleness"] = std::move(by_age);  // messages of earlier rounds that were used, by their age in rounds
  return sums;
}

Json topology_facts(const Experiment& assembly) {
  const Topology& topology = *assembly.topology;  // all edges of the run
  const NetworkFacts& facts = assembly.facts;
  const auto& changes = assembly.scenario.topology.common().changes;
  const DegreeStatistics degrees = degree_statistics(topology);
  constexpr double not_computed = std::numeric_limits<double>::quiet_NaN();
  Json document{{"agents", topology.agents()},
                {"edges", topology.edges().size()},
                {"draws_until_connected", topology.tries()},
                {"degree_min", degrees.min},
                {"degree_mean", degrees.mean},
                {"degree_max", degrees.max},
                {"laplacian_max", number_or_null(assembly.has_eigenvalues ? facts.laplacian_max : not_computed)},
                {"algebraic_connectivity",
                 number_or_null(assembly.has_eigenvalues ? facts.algebraic_connectivity : not_computed)},
                {"changes", changes ? Json(changes->kind()) : Json(nullptr)}};
  if (!assembly.has_eigenvalues) document["why"] = "no eigenvalues: more than 10000 agents, of which none needs them";
  return document;
}

Json optimum_facts(const Experiment& assembly, const Outcome& outcome) {
  const Optimum* const optimum = assembly.optimum.get();
  if (!assembly.has_numbers()) return {{"value", nullptr}, {"why", "numerics are off: there is no objective"}};
  if (!optimum) return {{"value", nullptr}, {"why", "not asked for: record.optimum is false"}};
  const Certificate& proof = optimum->certificate;
  Json facts{{"value", optimum->certified() ? Json(optimum->value) : Json(nullptr)},
             {"certificate", name_of(proof.kind)},
             {"certificate_relative", number_or_null(proof.relative)},
             {"method", proof.method},
             {"norm", optimum->theta.norm()}};
  if (const auto why = missing_optimum(optimum))
    facts["why"] = *why;
  else if (assembly.algorithm->has_own_objective())
    facts["why"] = "the algorithm's objective is another, by its options: relative_error is empty";
  else if (const auto none = missing_distance(outcome.yardstick))
    facts["why"] = *none;
  return facts;
}

}  // namespace

double compute_utilization(const AgentAccount& account, std::int64_t agents, Time at) {
  if (at == Time()) return 0;
  const Duration busy = account.computing + account.encrypting;
  return busy.in_seconds() / (static_cast<double>(agents) * at.in_seconds());
}

std::optional<std::string> missing_optimum(const Optimum* optimum) {
  if (!optimum || optimum->certified()) return std::nullopt;
  if (optimum->certificate.kind == CertificateKind::no_minimizer)
    return "no minimizer exists (separable data): relative_error is empty";
  return fmt::format("no certified optimum ({}: {:.2g}): relative_error is empty", name_of(optimum->certificate.kind),
                     optimum->certificate.relative);
}

std::optional<std::string> missing_distance(const ErrorScale& yardstick) {
  if (!yardstick.optimum || yardstick.initial > *yardstick.optimum) return std::nullopt;
  return fmt::format("the start is a minimizer, F(0) = F* = {:.9g}: relative_error, (F - F*) / (F(0) - F*), is empty",
                     *yardstick.optimum);
}

std::string_view version() { return LAGNET_VERSION; }

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) line += c == '"' ? "\"\"" : std::string(1, c);
    line += '"';
  }
  return line + '\n';
}

Json number_of_cell(const std::string& cell) {
  Json number = Json::parse(cell, nullptr, false);
  return number.is_discarded() ? Json(nullptr) : number;
}

Json number_or_null(std::optional<double> x) { return x && std::isfinite(*x) ? Json(*x) : Json(nullptr); }

std::vector<std::string> progress_columns(const Experiment& assembly) {
  std::vector<std::string> columns(columns_before_metrics.begin(), columns_before_metrics.end());
  for (std::string& name : assembly.algorithm->metric_names()) columns.push_back(std::move(name));
  columns.insert(columns.end(), assembly.metrics.columns().begin(), assembly.metrics.columns().end());
  columns.insert(columns.end(), columns_after_metrics.begin(), columns_after_metrics.end());
  return columns;
}

std::vector<std::string> progress_values(const Row& row) {
  std::vector<std::string> values{fmt::format("{}", row.round), seconds(row.at), text(row.objective),
                                  text(row.relative_error)};
  for (const auto& metric : row.metrics) values.push_back(text(metric));
  const AgentAccount& total = row.total;
  for (const std::int64_t count : {total.messages_sent, total.bytes_sent, total.flops, row.flops_per_agent_max})
    values.push_back(fmt::format("{}", count));
  values.push_back(text(static_cast<double>(total.hops) / 2));  // there and back
  for (const Duration time : {total.computing, total.encrypting, total.idle, total.queueing, total.transferring})
    values.push_back(text(time.in_seconds()));
  values.push_back(text(row.compute_utilization));
  for (const std::int64_t count :
       {total.messages_received, total.bytes_received, total.messages_lost, total.bytes_lost, total.retransmitted,
        total.late, total.superseded, total.duplicates, total.dropped, total.stale, row.participants})
    values.push_back(fmt::format("{}", count));
  return values;
}

Json summary(const Experiment& assembly, const Outcome& outcome) {
  Json constants = Json::object();
  for (const auto& [name, value] : assembly.algorithm->constants()) constants[name] = number_or_null(value);
  std::vector<std::string> warnings = assembly.warnings;
  warnings.insert(warnings.end(), outcome.remarks.begin(), outcome.remarks.end());
  if (!outcome.deadlock.empty()) warnings.push_back(outcome.deadlock);
  Json document{{"lagnet_version", version()},
                {"name", assembly.scenario.name},
                {"status", !outcome.deadlock.empty() ? "deadlock"
                           : outcome.diverged        ? "diverged"
                                                     : "done"},
                {"stop",
                 {{"reason", outcome.ending.reason},
                  {"round", outcome.rows.empty() ? 0 : outcome.rows.back().round},
                  {"simulated_s", outcome.ending.last_report.in_seconds()},
                  {"ended_s", outcome.ending.last_event.in_seconds()}}},
                {"trace_hash", outcome.trace_hash},
                {"trace_events", outcome.occurrences},
                {"objective_start", number_or_null(outcome.yardstick.initial)},
                {"totals", totals(assembly, outcome)},
                {"optimum", optimum_facts(assembly, outcome)},
                {"constants", std::move(constants)},
                {"topology", topology_facts(assembly)},
                {"data",
                 {{"origin", assembly.data->origin},
                  {"samples", assembly.data->samples},
                  {"features", assembly.data->X.cols()},
                  {"nonzeros", assembly.data->X.nonzeros()},
                  {"stored", assembly.data->X.is_sparse() ? "sparse" : "dense"}}},
                {"warnings", warnings}};
  if (!assembly.has_numbers()) {
    document["numerics"] = "off";
    document["objective_start"] = nullptr;
    document["why_empty"] = "numerics are off: objective, relative_error and the algorithm's own columns are empty";
  }
  if (!outcome.rows.empty()) {
    const auto columns = progress_columns(assembly);
    const auto values = progress_values(outcome.rows.back());
    Json last = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) last[columns[i]] = number_of_cell(values[i]);
    document["last_row"] = std::move(last);
  }
  return document;
}

namespace {

std::map<std::string, std::string> render_but_tables(const Experiment& assembly, const Outcome& outcome,
                                                     const std::filesystem::path& folder) {
  constexpr int indent = 2;
  const std::string scenario = write_scenario(assembly.scenario, folder).dump(indent) + "\n";
  Json facts = summary(assembly, outcome);
  facts["scenario_crc32"] = checksum(scenario);
  return {{"scenario.json", scenario},
          {"progress.csv", progress_csv(assembly, outcome)},
          {"summary.json", facts.dump(indent) + "\n"}};
}

}  // namespace

std::map<std::string, std::string> render(const Experiment& assembly, const Outcome& outcome,
                                          const std::filesystem::path& folder) {
  std::map<std::string, std::string> files = render_but_tables(assembly, outcome, folder);
  const auto append_to = [](std::string& text) { return [&text](std::string_view piece) { text += piece; }; };
  write_agents_csv(assembly, outcome, append_to(files["agents.csv"]));
  write_links_csv(assembly, outcome, append_to(files["links.csv"]));
  return files;
}

void write_files(const Experiment& assembly, const Outcome& outcome, const std::filesystem::path& folder,
                 const std::filesystem::path& target) {
  for (const auto& [name, content] : render_but_tables(assembly, outcome, target)) write_file(folder / name, content);
  const auto write_table = [&](const char* name, const auto& write) {
    std::ofstream file(folder / name, std::ios::binary);
    write(assembly, outcome, [&file](std::string_view piece) { file << piece; });
    close_written(file, folder / name);
  };
  write_table("agents.csv", write_agents_csv);
  write_table("links.csv", write_links_csv);
}

}  // namespace lagnet
