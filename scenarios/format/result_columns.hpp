#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/accounts/costs.hpp"
#include "sim/accounts/ledger.hpp"

/// The columns of progress.csv, agents.csv, links.csv and sites.csv. Each is declared once, with its name, unit,
/// formula, meaning, label and value. column_dictionary.hpp has those of all other tables as well.
namespace lagnet {

/// Pages of the documentation, with their sections.
namespace pages {
inline constexpr std::string_view costs = "docs/explanations/costs.md", times = "docs/explanations/time.md",
                                  certificates = "docs/explanations/certificates.md",
                                  runs = "docs/reference/results.md", models = "tools/README.md#the-model",
                                  algorithms = "algorithms/README.md", metrics = "scenarios/README.md#a-scenario",
                                  sweeps = "scenarios/README.md#sweeps", tuning = "scenarios/README.md#tuning",
                                  comparisons = "tools/README.md#comparing",
                                  exports = "tools/README.md#questions-in-sql",
                                  designs = "tools/README.md#which-topology-for-these-latencies";
}

/// The description of a column.
struct ColumnText {
  std::string_view name;       // in files; a * stands for a varying part, as in to_*_s
  std::string_view unit;       // "1" where it has none
  std::string_view formula;    // how it comes about
  std::string_view meaning;    // a sentence
  std::string_view page = "";  // of the documentation, where it is not that of its table
};

/// A count; an amount of an account, which agents.csv and links.csv write as JSON does ("0.0"); or a number that may be
/// missing, written the shortest way ("0").
using ColumnValue = std::variant<std::int64_t, double, std::optional<double>>;

template <class Row>
struct ResultColumn : ColumnText {
  std::string_view label;  // in figures
  std::function<ColumnValue(const Row&)> value;
};

template <class Row>
using ResultColumns = std::vector<ResultColumn<Row>>;

/// A recorded round, a row of progress.csv. It is a cut of the run at one instant, so that in each row sent = delivered
/// + lost + in flight.
struct Row {
  Round round = 0;
  Time at;                                     // of the last agent's report
  std::int64_t participants = 0;               // agents that reported
  std::optional<double> objective;             // nothing where numerics are off
  std::optional<double> relative_error;        // (F - F*) / (F(0) - F*)
  std::vector<std::optional<double>> metrics;  // the algorithm's own, then those that the scenario records
  AgentAccount total;                          // over all agents; hops are the longest chain's
  Costs costs;                                 // likewise, with those of inner links
  Flops flops_per_agent_max = 0;
  double compute_utilization = 0;                       // the mean over all agents
  std::int64_t updates = 0;                             // of the server, or of all agents
  std::optional<double> staleness_mean, staleness_max;  // of what updates since the last row used, in updates
  bool is_finite = true;                                // objective, iterate and metrics are; no column
};

/// An agent at the end of a run, a row of agents.csv.
struct AgentRow {
  AgentId agent = 0;
  std::int64_t degree = 0, features = 0, samples = 0;
  AgentAccount account;
  double compute_utilization = 0;
  std::optional<double> up_utilization, down_utilization;  // nothing where its interface has no limit
  std::int64_t updates = 0;                                // its own, or of a client: how often its answers were used
  std::int64_t answers = 0;                                // of it that a server counted, or that updates used
  std::optional<double> staleness_mean, staleness_max;     // of what updates used of it, in updates
  Costs costs;
};

/// The agents of a site at the end of a run, a row of sites.csv.
struct SiteRow {
  std::int64_t agents = 0;
  AgentAccount account;  // over all of them
  Costs costs;
};

/// A directed link at the end of a run, a row of links.csv.
struct LinkRow {
  AgentId from = 0, to = 0;
  double latency_s = 0, bandwidth_bytes_per_s = 0;
  LinkAccount account;
  std::optional<double> utilization;  // nothing where the bandwidth has no limit
};

/// The columns of progress.csv that every run has, before and after its metrics.
const ResultColumns<Row>& columns_before_metrics();
const ResultColumns<Row>& columns_after_metrics();
/// The accounts of messages and time: columns of agents.csv, and the totals of summary.json.
const ResultColumns<AgentAccount>& account_columns();
const ResultColumns<AgentRow>& agent_columns();
const ResultColumns<LinkRow>& link_columns();
const ResultColumns<SiteRow>& site_columns();

/// The columns of texts, behind the others: of topologies whose nodes have names, and of networks with sites.
inline constexpr std::string_view node_column = "node", from_node_column = "from_node", to_node_column = "to_node",
                                  site_column = "site", from_site_column = "from_site", to_site_column = "to_site";
inline constexpr std::array text_columns{node_column, from_node_column, to_node_column,
                                         site_column, from_site_column, to_site_column};

/// Every column with its label; columns of the same name have the same one.
std::vector<std::pair<std::string_view, std::string_view>> column_labels();

/// The unit of a column of progress.csv that every run has; "" for any other column.
std::string_view unit_of_column(std::string_view name);

/// Whether progress.csv of every run has a column of this name, which metrics therefore cannot take.
bool is_common_column(std::string_view name);

/// What a column of progress.csv counts, with its unit: "182 s", "1.2 MB", "340 rounds", "12 messages".
std::string amount_text(double value, const std::string& column);

}  // namespace lagnet
