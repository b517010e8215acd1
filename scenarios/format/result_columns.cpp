#include "scenarios/format/result_columns.hpp"

#include <algorithm>
#include <string>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

using A = AgentAccount;
using L = LinkRow;
using V = ColumnValue;
using Number = std::optional<double>;

template <class Row>
const ResultColumn<Row>* find(const ResultColumns<Row>& columns, std::string_view name) {
  const auto at = std::ranges::find(columns, name, &ResultColumn<Row>::name);
  return at == columns.end() ? nullptr : &*at;
}

const ResultColumn<A>& account_column(std::string_view name) {
  const auto* column = find(account_columns(), name);
  LAGNET_CHECK(column != nullptr, "accounts have no column {}", name);
  return *column;
}

/// A column of the account that a row has of all agents, or of one.
ResultColumn<Row> of_total(std::string_view name) {
  const ResultColumn<A>& column = account_column(name);
  return {name, column.unit, column.label, [&column](const Row& row) { return column.value(row.total); }};
}
ResultColumn<AgentRow> of_account(const ResultColumn<A>& column) {
  return {column.name, column.unit, column.label, [&column](const AgentRow& row) { return column.value(row.account); }};
}

/// A link's column that says the same as the agents' of that name.
ResultColumn<L> as_of_agents(std::string_view name, V (*value)(const L&)) {
  const ResultColumn<A>& column = account_column(name);
  return {name, column.unit, column.label, value};
}

}  // namespace

const ResultColumns<Row>& columns_before_metrics() {
  static const ResultColumns<Row> columns{
      {"round", "1", "Round", [](const Row& row) { return V(row.round); }},
      {"simulated_s", "s", "Simulated time (s)", [](const Row& row) { return V(row.at.in_seconds()); }},
      {"objective", "1", "Objective F", [](const Row& row) { return V(row.objective); }},
      {"relative_error", "1", "Relative error (F − F*) / (F(0) − F*)",
       [](const Row& row) { return V(row.relative_error); }}};
  return columns;
}

const ResultColumns<Row>& columns_after_metrics() {
  static const ResultColumns<Row> columns{
      {"messages", "messages", "Messages sent", [](const Row& row) { return V(row.total.messages_sent); }},
      {"bytes", "B", "Bytes sent", [](const Row& row) { return V(row.total.bytes_sent); }},
      of_total("flops"),
      {"flops_per_agent_max", "flop", "Flops of the busiest agent",
       [](const Row& row) { return V(row.flops_per_agent_max); }},
      of_total("round_trips"),
      of_total("computing_s"),
      of_total("encrypting_s"),
      of_total("idle_s"),
      of_total("queueing_s"),
      of_total("transfer_s"),
      {"compute_utilization", "1", "Share of time computing",
       [](const Row& row) { return V(row.compute_utilization); }},
      of_total("messages_delivered"),
      of_total("bytes_delivered"),
      of_total("lost"),
      of_total("bytes_lost"),
      of_total("retransmitted"),
      of_total("late"),
      of_total("superseded"),
      of_total("duplicates"),
      of_total("dropped"),
      of_total("stale"),
      {"participants", "agents", "Participants", [](const Row& row) { return V(row.participants); }},
      {"updates", "updates", "Updates", [](const Row& row) { return V(row.updates); }},
      {"staleness_mean", "updates", "Staleness, mean (updates)", [](const Row& row) { return V(row.staleness_mean); }},
      {"staleness_max", "updates", "Staleness, largest (updates)",
       [](const Row& row) { return V(row.staleness_max); }}};
  return columns;
}

const ResultColumns<A>& account_columns() {
  static const ResultColumns<A> columns{
      {"messages_sent", "messages", "Messages sent", [](const A& a) { return V(a.messages_sent); }},
      {"messages_delivered", "messages", "Messages delivered", [](const A& a) { return V(a.messages_received); }},
      {"lost", "messages", "Messages lost", [](const A& a) { return V(a.messages_lost); }},
      {"retransmitted", "messages", "Messages sent again", [](const A& a) { return V(a.retransmitted); }},
      {"late", "messages", "Messages late", [](const A& a) { return V(a.late); }},
      {"superseded", "messages", "Messages superseded", [](const A& a) { return V(a.superseded); }},
      {"duplicates", "messages", "Duplicates", [](const A& a) { return V(a.duplicates); }},
      {"dropped", "messages", "Dropped (gone on without)", [](const A& a) { return V(a.dropped); }},
      {"stale", "messages", "Stale messages used", [](const A& a) { return V(a.stale); }},
      {"bytes_sent", "B", "Bytes sent", [](const A& a) { return V(a.bytes_sent); }},
      {"bytes_delivered", "B", "Bytes delivered", [](const A& a) { return V(a.bytes_received); }},
      {"bytes_lost", "B", "Bytes lost", [](const A& a) { return V(a.bytes_lost); }},
      {"flops", "flop", "Flops, all agents", [](const A& a) { return V(a.flops); }},
      {"computing_s", "s", "Computing (agent-seconds)", [](const A& a) { return V(a.computing.in_seconds()); }},
      {"encrypting_s", "s", "Encrypting (agent-seconds)", [](const A& a) { return V(a.encrypting.in_seconds()); }},
      {"idle_s", "s", "Idle (agent-seconds)", [](const A& a) { return V(a.idle.in_seconds()); }},
      {"sleeping_s", "s", "Sleeping (agent-seconds)", [](const A& a) { return V(a.sleeping.in_seconds()); }},
      {"away_s", "s", "Away (agent-seconds)", [](const A& a) { return V(a.away.in_seconds()); }},
      {"queueing_s", "s", "Queueing (message-seconds)", [](const A& a) { return V(a.queueing.in_seconds()); }},
      {"transfer_s", "s", "Transfer (message-seconds)", [](const A& a) { return V(a.transferring.in_seconds()); }},
      {"round_trips", "round trips", "Round trips",  // there and back
       [](const A& a) { return V(static_cast<double>(a.hops) / 2); }}};
  return columns;
}

const ResultColumns<AgentRow>& agent_columns() {
  static const ResultColumns<AgentRow> columns = [] {
    ResultColumns<AgentRow> all{
        {"agent", "1", "Agent", [](const AgentRow& row) { return V(static_cast<std::int64_t>(row.agent)); }},
        {"degree", "agents", "Neighbors", [](const AgentRow& row) { return V(row.degree); }},
        {"features", "1", "Features held", [](const AgentRow& row) { return V(row.features); }},
        {"samples", "1", "Samples held", [](const AgentRow& row) { return V(row.samples); }}};
    for (const auto& column : account_columns()) all.push_back(of_account(column));
    all.push_back({"compute_utilization", "1", "Share of time computing",
                   [](const AgentRow& row) { return V(Number(row.compute_utilization)); }});
    all.push_back(
        {"up_utilization", "1", "Share of time sending", [](const AgentRow& row) { return V(row.up_utilization); }});
    all.push_back({"down_utilization", "1", "Share of time receiving",
                   [](const AgentRow& row) { return V(row.down_utilization); }});
    all.push_back({"updates", "updates", "Updates", [](const AgentRow& row) { return V(row.updates); }});
    all.push_back({"answers", "messages", "Answers counted", [](const AgentRow& row) { return V(row.answers); }});
    all.push_back({"staleness_mean", "updates", "Staleness, mean (updates)",
                   [](const AgentRow& row) { return V(row.staleness_mean); }});
    all.push_back({"staleness_max", "updates", "Staleness, largest (updates)",
                   [](const AgentRow& row) { return V(row.staleness_max); }});
    all.push_back(
        {"missed_ticks", "ticks", "Ticks missed", [](const AgentRow& row) { return V(row.account.missed_ticks); }});
    return all;
  }();
  return columns;
}

const ResultColumns<L>& link_columns() {
  static const ResultColumns<L> columns{
      {"from", "1", "From agent", [](const L& l) { return V(static_cast<std::int64_t>(l.from)); }},
      {"to", "1", "To agent", [](const L& l) { return V(static_cast<std::int64_t>(l.to)); }},
      {"latency_s", "s", "Latency (s)", [](const L& l) { return V(Number(l.latency_s)); }},
      {"bandwidth_bytes_per_s", "B/s", "Bandwidth (B/s)",
       [](const L& l) { return V(Number(l.bandwidth_bytes_per_s)); }},
      as_of_agents("messages_sent", [](const L& l) { return V(l.account.messages_sent); }),
      as_of_agents("messages_delivered", [](const L& l) { return V(l.account.messages_delivered); }),
      as_of_agents("lost", [](const L& l) { return V(l.account.messages_lost); }),
      as_of_agents("retransmitted", [](const L& l) { return V(l.account.retransmitted); }),
      as_of_agents("bytes_sent", [](const L& l) { return V(l.account.bytes_sent); }),
      as_of_agents("bytes_delivered", [](const L& l) { return V(l.account.bytes_delivered); }),
      as_of_agents("bytes_lost", [](const L& l) { return V(l.account.bytes_lost); }),
      as_of_agents("queueing_s", [](const L& l) { return V(l.account.queueing.in_seconds()); }),
      as_of_agents("transfer_s", [](const L& l) { return V(l.account.transferring.in_seconds()); }),
      {"utilization", "1", "Utilization", [](const L& l) { return V(l.utilization); }}};
  return columns;
}

std::vector<std::pair<std::string_view, std::string_view>> column_labels() {
  std::vector<std::pair<std::string_view, std::string_view>> labels;
  const auto add = [&labels](const auto& columns) {
    for (const auto& column : columns)
      if (std::ranges::find(labels, column.name, [](const auto& known) { return known.first; }) == labels.end())
        labels.emplace_back(column.name, column.label);
  };
  add(columns_before_metrics());
  add(columns_after_metrics());
  add(agent_columns());
  add(link_columns());
  return labels;
}

std::string_view unit_of_column(std::string_view name) {
  for (const auto* columns : {&columns_before_metrics(), &columns_after_metrics()})
    if (const auto* column = find(*columns, name)) return column->unit;
  return "";
}

bool is_common_column(std::string_view name) { return !unit_of_column(name).empty(); }

bool is_column_of_sweeps(std::string_view name) {
  return name == "point" || name == "folder" || name == "label" || name.starts_with("to_1e-") || name == "stop" ||
         name == "trace_hash" || name.starts_with('/');
}

}  // namespace lagnet
