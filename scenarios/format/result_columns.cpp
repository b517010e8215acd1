#include "scenarios/format/result_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "scenarios/words/words.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

using A = AgentAccount;
using L = LinkRow;
using V = ColumnValue;
using Number = std::optional<double>;

template <class Row>
const ResultColumn<Row>* column_named(const ResultColumns<Row>& columns, std::string_view name) {
  const auto at = std::ranges::find(columns, name, &ResultColumn<Row>::name);
  return at == columns.end() ? nullptr : &*at;
}

const ResultColumn<A>& account_column(std::string_view name) {
  const auto* column = column_named(account_columns(), name);
  LAGNET_CHECK(column != nullptr, "accounts have no column {}", name);
  return *column;
}

/// Of all agents together, or of one.
constexpr ColumnText compute_utilization_text{
    "compute_utilization", "1", "(computing_s + encrypting_s) / (agents * time up to then), of all agents or of one",
    "Share of the time in which agents computed or encrypted.", pages::costs};
constexpr std::string_view compute_utilization_label = "Share of time computing";

/// A column of the account that a row has of all agents, or of one.
ResultColumn<Row> of_total(std::string_view name) {
  const ResultColumn<A>& column = account_column(name);
  return {column, column.label, [&column](const Row& row) { return column.value(row.total); }};
}
ResultColumn<AgentRow> of_account(const ResultColumn<A>& column) {
  return {column, column.label, [&column](const AgentRow& row) { return column.value(row.account); }};
}

/// What a row costs.
template <class Row>
void add_costs(ResultColumns<Row>& columns) {
  const auto add = [&](const ColumnText& text, std::string_view label, std::optional<double> Costs::*cost) {
    columns.push_back({text, label, [cost](const Row& row) { return V(row.costs.*cost); }});
  };
  add({"price", "currency", "sum over messages sent of bytes / 1e9 * the price per GB of the sender's site",
       "Price of what was sent, also of messages that were lost; empty if no site has prices.", pages::costs},
      "Price", &Costs::price);
  add({"joules", "J",
       "flops * J/flop + bytes_sent * J/B + bytes_delivered * J/B + busy_w * computing_s + idle_w * (time up to then - "
       "computing_s - away_s), and of a run the energy of inner links",
       "Energy that agents took; empty if no site or inner link has one.", pages::costs},
      "Energy (J)", &Costs::joules);
  add({"grams", "g", "joules / 3.6e6 * carbon_g_per_kwh of the site",
       "Carbon dioxide of the agents' energy; empty if no site says how much a kWh has.", pages::costs},
      "Carbon dioxide (g)", &Costs::grams);
}

/// A link's column that says the same as the agents' of that name.
ResultColumn<L> as_of_agents(std::string_view name, V (*value)(const L&)) {
  const ResultColumn<A>& column = account_column(name);
  return {column, column.label, value};
}

}  // namespace

const ResultColumns<Row>& columns_before_metrics() {
  static const ResultColumns<Row> columns{
      {{"round", "1", "t; in rows of moments the least number of updates of an agent",
        "Number of the round, from 0, which is the start."},
       "Round",
       [](const Row& row) { return V(row.round); }},
      {{"simulated_s", "s", "time of the round's last report, or the moment; 0 is the start",
        "Simulated time of the row.", pages::times},
       "Simulated time (s)",
       [](const Row& row) { return V(row.at.in_seconds()); }},
      {{"objective", "1",
        "F(theta) = (1/n) sum_i l(x_i' theta, y_i) + r(theta), with other weights if the scenario says",
        "Objective of the scenario at the iterate that the method's theory speaks of.", pages::certificates},
       "Objective F",
       [](const Row& row) { return V(row.objective); }},
      {{"relative_error", "1", "(F(theta) - F*) / (F(start) - F*), or smallest_error of summary.json if that is larger",
        "How much of the way from the start to the optimum is left; empty where no optimum is certified.",
        pages::certificates},
       "Relative error (F − F*) / (F(0) − F*)",
       [](const Row& row) { return V(row.relative_error); }}};
  return columns;
}

const ResultColumns<Row>& columns_after_metrics() {
  static const ResultColumns<Row> columns = [] {
    ResultColumns<Row> all{
        {{"messages", "messages", "sum of messages_sent over all agents",
          "Messages that were sent, with copies and those sent again.", pages::costs},
         "Messages sent",
         [](const Row& row) { return V(row.total.messages_sent); }},
        {{"bytes", "B", "sum of bytes_sent over all agents", "Bytes that were sent, with copies and those sent again.",
          pages::costs},
         "Bytes sent",
         [](const Row& row) { return V(row.total.bytes_sent); }},
        of_total("flops"),
        {{"flops_per_agent_max", "flop", "largest flops of an agent", "Flops of the agent that computed most.",
          pages::costs},
         "Flops of the busiest agent",
         [](const Row& row) { return V(row.flops_per_agent_max); }},
        of_total("round_trips"),
        of_total("computing_s"),
        of_total("encrypting_s"),
        of_total("idle_s"),
        of_total("queueing_s"),
        of_total("transfer_s"),
        {compute_utilization_text, compute_utilization_label,
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
        {{"participants", "agents",
          "agents that reported the round, or whose answers the server took; in rows of moments those that reported "
          "since the row before",
          "Agents that took part in the round."},
         "Participants",
         [](const Row& row) { return V(row.participants); }},
        {{"updates", "updates",
          "sum over rounds 1 .. t of the agents that reported; without rounds the sum of the updates of all agents, or "
          "of "
          "the server alone",
          "Updates of iterates so far."},
         "Updates",
         [](const Row& row) { return V(row.updates); }},
        {{"staleness_mean", "updates", "mean age, in updates, of what the updates since the row before used",
          "How old the things were that updates used; empty where there are rounds."},
         "Staleness, mean (updates)",
         [](const Row& row) { return V(row.staleness_mean); }},
        {{"staleness_max", "updates", "largest age, in updates, of what the updates since the row before used",
          "How old the oldest thing was that an update used; empty where there are rounds."},
         "Staleness, largest (updates)",
         [](const Row& row) { return V(row.staleness_max); }}};
    add_costs(all);
    return all;
  }();
  return columns;
}

namespace {

ResultColumns<A> columns_of_messages() {
  return {
      {{"messages_sent", "messages", "count of transmissions that set out",
        "Messages that were sent, with copies and those sent again; progress.csv calls it messages.", pages::costs},
       "Messages sent",
       [](const A& a) { return V(a.messages_sent); }},
      {{"messages_delivered", "messages", "count of messages that arrived",
        "Messages that arrived; of an agent, those that it received.", pages::costs},
       "Messages delivered",
       [](const A& a) { return V(a.messages_received); }},
      {{"lost", "messages", "messages_sent - messages_delivered - messages on their way, over all agents",
        "Messages that were lost on their way; each counts for its sender.", pages::costs},
       "Messages lost",
       [](const A& a) { return V(a.messages_lost); }},
      {{"retransmitted", "messages", "count of transmissions after a timeout",
        "Messages that were sent again because no answer came in time; they are in messages_sent, too.", pages::costs},
       "Messages sent again",
       [](const A& a) { return V(a.retransmitted); }},
      {{"late", "messages", "count of messages that came after their round was closed",
        "Messages that came too late to be used.", pages::costs},
       "Messages late",
       [](const A& a) { return V(a.late); }},
      {{"superseded", "messages", "count of messages that a newer one replaced before they were used",
        "Messages that were never used because a newer one of the same sender was there.", pages::costs},
       "Messages superseded",
       [](const A& a) { return V(a.superseded); }},
      {{"duplicates", "messages", "count of second copies that arrived", "Copies of messages that had arrived before.",
        pages::costs},
       "Duplicates",
       [](const A& a) { return V(a.duplicates); }},
      {{"dropped", "messages", "count of messages that were waited for, and gone on without",
        "Messages that an agent asked or waited for and went on without.", pages::costs},
       "Dropped (gone on without)",
       [](const A& a) { return V(a.dropped); }},
      {{"stale", "messages", "count of messages of an earlier round that were used",
        "Old messages that an agent used in place of those of its round.", pages::costs},
       "Stale messages used",
       [](const A& a) { return V(a.stale); }},
      {{"bytes_sent", "B", "sum of the bytes of messages_sent", "Bytes that were sent; progress.csv calls it bytes.",
        pages::costs},
       "Bytes sent",
       [](const A& a) { return V(a.bytes_sent); }},
      {{"bytes_delivered", "B", "sum of the bytes of messages_delivered",
        "Bytes that arrived; of an agent, those that it received.", pages::costs},
       "Bytes delivered",
       [](const A& a) { return V(a.bytes_received); }},
      {{"bytes_lost", "B", "sum of the bytes of lost", "Bytes of the messages that were lost on their way.",
        pages::costs},
       "Bytes lost",
       [](const A& a) { return V(a.bytes_lost); }}};
}

ResultColumns<A> columns_of_work() {
  return {
      {{"flops", "flop", "sum of the flops of all computations, as their kernels count them",
        "Floating-point operations that were computed.", pages::costs},
       "Flops, all agents",
       [](const A& a) { return V(a.flops); }},
      {{"computing_s", "s", "sum of the durations of computations: flops / speed, or as they were measured",
        "Time that agents spent in computations.", pages::costs},
       "Computing (agent-seconds)",
       [](const A& a) { return V(a.computing.in_seconds()); }},
      {{"encrypting_s", "s", "sum of the durations of encryptions, decryptions and additions of ciphertexts",
        "Time that agents spent with ciphertexts.", pages::costs},
       "Encrypting (agent-seconds)",
       [](const A& a) { return V(a.encrypting.in_seconds()); }},
      {{"idle_s", "s", "sum of the durations of waits that are over, without the time away in them",
        "Time that agents waited for messages.", pages::costs},
       "Idle (agent-seconds)",
       [](const A& a) { return V(a.idle.in_seconds()); }},
      {{"sleeping_s", "s", "sum of the durations of sleeps",
        "Time that agents slept, as for a deadline or the next tick of a clock.", pages::costs},
       "Sleeping (agent-seconds)",
       [](const A& a) { return V(a.sleeping.in_seconds()); }},
      {{"away_s", "s", "sum of the time down during computations, sleeps and waits",
        "Time that agents were away while they had something to do or to wait for.", pages::costs},
       "Away (agent-seconds)",
       [](const A& a) { return V(a.away.in_seconds()); }},
      {{"queueing_s", "s",
        "sum over delivered messages of (time on the way) - (time on the way if no other had been there)",
        "Time that messages wait for others: the sender's in its up-link and its links, the receiver's in its "
        "down-link.",
        pages::costs},
       "Queueing (message-seconds)",
       [](const A& a) { return V(a.queueing.in_seconds()); }},
      {{"transfer_s", "s", "sum over delivered messages of the time on the way, less queueing_s",
        "Time on the way that messages need for their bytes and the latency; of an agent, for those that it received.",
        pages::costs},
       "Transfer (message-seconds)",
       [](const A& a) { return V(a.transferring.in_seconds()); }},
      {{"round_trips", "round trips", "(messages of the longest chain of causes up to the last report) / 2",
        "How often information has gone there and back; of all agents, the most of one.", pages::costs},
       "Round trips",
       [](const A& a) { return V(static_cast<double>(a.hops) / 2); }}};
}

}  // namespace

const ResultColumns<A>& account_columns() {
  static const ResultColumns<A> columns = [] {
    ResultColumns<A> all = columns_of_messages();
    for (ResultColumn<A>& column : columns_of_work()) all.push_back(std::move(column));
    return all;
  }();
  return columns;
}

const ResultColumns<AgentRow>& agent_columns() {
  static const ResultColumns<AgentRow> columns = [] {
    ResultColumns<AgentRow> all{
        {{"agent", "1", "0 .. m-1", "Number of the agent."},
         "Agent",
         [](const AgentRow& row) { return V(static_cast<std::int64_t>(row.agent)); }},
        {{"degree", "agents", "number of neighbors in the topology", "Agents that it has a link to."},
         "Neighbors",
         [](const AgentRow& row) { return V(row.degree); }},
        {{"features", "1", "columns of X that the agent holds", "Features that the agent holds of its samples."},
         "Features held",
         [](const AgentRow& row) { return V(row.features); }},
        {{"samples", "1", "rows of X that the agent holds", "Samples of which the agent holds something."},
         "Samples held",
         [](const AgentRow& row) { return V(row.samples); }}};
    for (const auto& column : account_columns()) all.push_back(of_account(column));
    all.push_back({compute_utilization_text, compute_utilization_label,
                   [](const AgentRow& row) { return V(Number(row.compute_utilization)); }});
    all.push_back({{"up_utilization", "1",
                    "(bytes delivered or lost on its links to others) / up_bytes_per_s / duration of the run",
                    "Share of the run in which the agent's interface sent; empty if it has no limit.", pages::costs},
                   "Share of time sending",
                   [](const AgentRow& row) { return V(row.up_utilization); }});
    all.push_back(
        {{"down_utilization", "1", "bytes_delivered / down_bytes_per_s / duration of the run",
          "Share of the run in which the agent's interface received; empty if it has no limit.", pages::costs},
         "Share of time receiving",
         [](const AgentRow& row) { return V(row.down_utilization); }});
    all.push_back({{"updates", "updates", "the larger of the number of its last report and the uses of its answers",
                    "Updates that the agent made; of a client, how often its answers were used."},
                   "Updates",
                   [](const AgentRow& row) { return V(row.updates); }});
    all.push_back({{"answers", "messages", "count of the agent's answers in collected rounds, and of uses by updates",
                    "Answers of the agent that others counted."},
                   "Answers counted",
                   [](const AgentRow& row) { return V(row.answers); }});
    all.push_back({{"staleness_mean", "updates", "mean age, in updates, of what updates used of the agent",
                    "How old the agent's messages were when updates used them; empty where there are rounds."},
                   "Staleness, mean (updates)",
                   [](const AgentRow& row) { return V(row.staleness_mean); }});
    all.push_back({{"staleness_max", "updates", "largest age, in updates, of what updates used of the agent",
                    "How old the agent's oldest message was that an update used; empty where there are rounds."},
                   "Staleness, largest (updates)",
                   [](const AgentRow& row) { return V(row.staleness_max); }});
    all.push_back({{"missed_ticks", "ticks", "count of ticks of the agent's clock while it was away or busy",
                    "Updates that the agent did not begin although its clock said so."},
                   "Ticks missed",
                   [](const AgentRow& row) { return V(row.account.missed_ticks); }});
    add_costs(all);
    return all;
  }();
  return columns;
}

const ResultColumns<L>& link_columns() {
  static const ResultColumns<L> columns{
      {{"from", "1", "number of the agent", "Agent that sends over the link."},
       "From agent",
       [](const L& l) { return V(static_cast<std::int64_t>(l.from)); }},
      {{"to", "1", "number of the agent", "Agent that receives over the link."},
       "To agent",
       [](const L& l) { return V(static_cast<std::int64_t>(l.to)); }},
      {{"latency_s", "s", "latency_ms of the link / 1000",
        "Latency of the link, without what is drawn for each message.", pages::times},
       "Latency (s)",
       [](const L& l) { return V(Number(l.latency_s)); }},
      {{"bandwidth_bytes_per_s", "B/s", "bandwidth_bytes_per_s of the link; inf where it has no limit",
        "Bandwidth of the link itself, apart from the interfaces at its ends.", pages::times},
       "Bandwidth (B/s)",
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
      {{"utilization", "1", "(bytes_delivered + bytes_lost) / bandwidth_bytes_per_s / duration of the run",
        "Share of the run in which bytes kept the link busy; empty if it has no limit.", pages::costs},
       "Utilization",
       [](const L& l) { return V(l.utilization); }}};
  return columns;
}

const ResultColumns<SiteRow>& site_columns() {
  static const ResultColumns<SiteRow> columns = [] {
    ResultColumns<SiteRow> all{{{"agents", "agents", "count of its agents, with a server", "Agents of the site."},
                                "Agents",
                                [](const SiteRow& row) { return V(row.agents); }}};
    for (const char* name :
         {"messages_sent", "bytes_sent", "bytes_delivered", "flops", "computing_s", "idle_s", "away_s"}) {
      const ResultColumn<A>& column = account_column(name);
      all.push_back({column, column.label, [&column](const SiteRow& row) { return column.value(row.account); }});
    }
    add_costs(all);
    return all;
  }();
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
  add(site_columns());
  return labels;
}

std::string_view unit_of_column(std::string_view name) {
  for (const auto* columns : {&columns_before_metrics(), &columns_after_metrics()})
    if (const auto* column = column_named(*columns, name)) return column->unit;
  return "";
}

bool is_common_column(std::string_view name) { return !unit_of_column(name).empty(); }

std::string amount_text(double value, const std::string& column) {
  const std::string_view unit = unit_of_column(column);
  if (unit == "s") return short_number(value) + " s";
  if (column == "bytes" || unit == "B" || unit == "bytes") return size_text(value);
  return fmt::format("{} {}", short_number(value), column == "round" ? "rounds" : column);
}

}  // namespace lagnet
