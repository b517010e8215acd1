#include "scenarios/results/agent_link_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "scenarios/assembly/load_data.hpp"
#include "scenarios/files/csv_records.hpp"

namespace lagnet {

namespace {

/// Appends what Json(amount).dump() gives: a fleet has millions of these, and most of them are 0.
void append(std::string& text, double amount) {
  if (amount == 0 && !std::signbit(amount))
    text += "0.0";
  else
    text += Json(amount).dump();
}
void append(std::string& text, std::int64_t count) { text += fmt::format_int(count).c_str(); }
void append(std::string& text, std::optional<double> number) {
  if (number) text += fmt::format("{}", *number);
}

/// A table of numbers, which need no quotes, gathered to pieces.
template <class Row>
class Table {
 public:
  /// `names`: columns of texts behind the others.
  Table(const ResultColumns<Row>& columns, const std::vector<std::string>& names, const TextSink& sink)
      : columns_(columns), sink_(sink) {
    for (const auto& column : columns_) text_.append(column.name) += ',';
    for (const std::string& name : names) text_.append(name) += ',';
    end_line();
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void add(const Row& row, const std::vector<std::string>& texts = {}) {
    for (const auto& column : columns_) {
      std::visit([this](const auto& number) { append(text_, number); }, column.value(row));
      text_ += ',';
    }
    if (!texts.empty()) {
      text_ += csv_line(texts);
      text_.back() = ',';  // instead of its end
    }
    end_line();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  void end_line() {
    constexpr std::size_t piece = 1 << 16;
    text_.back() = '\n';  // instead of the last comma
    if (text_.size() >= piece) flush();
  }
  const ResultColumns<Row>& columns_;
  const TextSink& sink_;
  std::string text_;
};

/// The columns of names: of nodes, where the topology has some, and of sites, where the network does.
std::vector<std::string> text_columns_of(const Experiment& experiment, const std::vector<std::string_view>& nodes,
                                         const std::vector<std::string_view>& sites) {
  std::vector<std::string> columns;
  if (!experiment.topology->notes().names.empty()) columns.assign(nodes.begin(), nodes.end());
  if (!experiment.costs.sites().empty()) columns.insert(columns.end(), sites.begin(), sites.end());
  return columns;
}
/// Their cells.
std::vector<std::string> names_of(const Experiment& experiment, std::initializer_list<AgentId> agents) {
  std::vector<std::string> names;
  const std::vector<std::string>& nodes = experiment.topology->notes().names;
  for (const AgentId id : agents)
    if (!nodes.empty()) names.push_back(nodes[id]);
  for (const AgentId id : agents)
    if (!experiment.costs.sites().empty()) names.push_back(experiment.costs.site_name(id));
  return names;
}

Bytes carried_from(AgentId agent, const Experiment& experiment, const Outcome& outcome) {
  const LinkId first = experiment.network->first_link(agent);
  Bytes bytes = 0;
  for (LinkId k = 0; k < experiment.network->links_of(agent).size(); ++k)
    bytes += carried(outcome.ledger.link(first + k));
  return bytes;
}

/// How old what updates used of an agent was.
struct Staleness {
  std::int64_t uses = 0, sum = 0, largest = 0;
  explicit Staleness(const std::map<std::int64_t, std::int64_t>& counts) {
    for (const auto& [age, count] : counts) {
      uses += count;
      sum += age * count;
      largest = age;  // they ascend
    }
  }
  std::optional<double> mean() const {
    if (uses == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(uses);
  }
  std::optional<double> max() const { return uses == 0 ? std::nullopt : std::optional(static_cast<double>(largest)); }
};

struct Held {
  Index features = 0, samples = 0;
};

/// What each agent holds: some columns of all samples, some samples whole, or some columns of some; a server nothing.
std::vector<Held> held_by_agent(const Experiment& experiment) {
  std::vector<Held> held(static_cast<std::size_t>(experiment.facts.agents));
  if (const Cells* cells = experiment.partition.cells.get()) {
    for (AgentId k = 1; k < held.size(); ++k) held[k] = {cells->of(k).m(), cells->of(k).n()};
    return held;
  }
  const std::vector<Index> starts = starts_by_agent(experiment.partition, experiment.traits);
  const bool by_samples = experiment.traits.partition_by == PartitionBy::samples;
  for (std::size_t id = 0; id < held.size(); ++id) {
    const Index part = starts[id + 1] - starts[id];
    held[id].features = !by_samples ? part : part > 0 ? experiment.data->X.cols() : 0;
    held[id].samples = by_samples ? part : experiment.data->samples;
  }
  return held;
}

}  // namespace

Bytes carried(const LinkAccount& account) { return account.bytes_delivered + account.bytes_lost; }

std::optional<double> utilization(Bytes bytes, double bytes_per_s, const Outcome& outcome) {
  const double seconds = outcome.ending.last_event.in_seconds();
  if (!std::isfinite(bytes_per_s) || !(seconds > 0)) return std::nullopt;
  return static_cast<double>(bytes) / bytes_per_s / seconds;
}

void write_sites_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink) {
  const CostModel& costs = experiment.costs;
  std::vector<SiteRow> rows(costs.sites().size());
  for (AgentId id = 0; id < outcome.ledger.agents(); ++id) {
    SiteRow& row = rows[costs.site(id)];
    ++row.agents;
    row.account += outcome.ledger.agent(id);
    row.costs += costs.of(id, outcome.ledger, *experiment.network, outcome.ending.last_event);
  }
  Table<SiteRow> table(site_columns(), {std::string(site_column)}, sink);
  for (SiteId site = 0; site < rows.size(); ++site) table.add(rows[site], {costs.sites()[site].name});
  table.flush();
}

void write_agents_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink) {
  const std::vector<Held> held = held_by_agent(experiment);
  Table<AgentRow> table(agent_columns(), text_columns_of(experiment, {node_column}, {site_column}), sink);
  const std::vector<std::int64_t> answers = outcome.ledger.answers();
  for (AgentId id = 0; id < outcome.ledger.agents(); ++id) {
    const AgentAccount account = outcome.ledger.agent(id);
    const Interface& interface = experiment.network->interface(id);
    const Staleness staleness(outcome.ledger.staleness_of(id));
    table.add({.agent = id,
               .degree = experiment.topology->degree(id),
               .features = held[id].features,
               .samples = held[id].samples,
               .account = account,
               .compute_utilization = compute_utilization(account, 1, outcome.ending.last_event),
               .up_utilization = utilization(carried_from(id, experiment, outcome), interface.up_bytes_per_s, outcome),
               .down_utilization = utilization(account.bytes_received, interface.down_bytes_per_s, outcome),
               .updates = std::max<std::int64_t>(outcome.last_reports[id], staleness.uses),
               .answers = answers[id] + staleness.uses,
               .staleness_mean = staleness.mean(),
               .staleness_max = staleness.max(),
               .costs = experiment.costs.of(id, outcome.ledger, *experiment.network, outcome.ending.last_event)},
              names_of(experiment, {id}));
  }
  table.flush();
}

bool has_staleness(const Outcome& outcome) {
  for (AgentId id = 0; id < outcome.ledger.agents(); ++id)
    if (outcome.ledger.has_staleness_of(id)) return true;
  return false;
}

void write_staleness_csv(const Experiment&, const Outcome& outcome, const TextSink& sink) {
  std::string text = "agent,staleness,count\n";
  for (AgentId id = 0; id < outcome.ledger.agents(); ++id)
    for (const auto& [age, count] : outcome.ledger.staleness_of(id)) text += fmt::format("{},{},{}\n", id, age, count);
  sink(text);
}

void write_samples_csv(const Experiment& experiment, const Outcome&, const TextSink& sink) {
  const std::vector<Index> starts = starts_by_agent(experiment.partition, experiment.traits);
  const std::vector<Index>&order = experiment.partition.order, &kept = experiment.data->kept;
  const auto of = [](const std::vector<Index>& rows, Index row) {
    return rows.empty() ? row : rows[static_cast<std::size_t>(row)];
  };
  std::string text = "agent,sample\n";
  for (std::size_t agent = 0; agent + 1 < starts.size(); ++agent) {
    for (Index row = starts[agent]; row < starts[agent + 1]; ++row)
      text += fmt::format("{},{}\n", agent, of(kept, of(order, row)));
    sink(text);
    text.clear();
  }
}

void write_links_csv(const Experiment& experiment, const Outcome& outcome, const TextSink& sink) {
  Table<LinkRow> table(
      link_columns(),
      text_columns_of(experiment, {from_node_column, to_node_column}, {from_site_column, to_site_column}), sink);
  const Network& network = *experiment.network;
  for (AgentId from = 0; from < network.agents(); ++from)
    for (LinkId k = 0; k < network.links_of(from).size(); ++k) {
      const Link& link = network.links_of(from)[k];
      const LinkId id = network.first_link(from) + k;
      const LinkAccount account = outcome.ledger.link(id);
      const double bandwidth = network.bandwidth_bytes_per_s(id);
      table.add({.from = from,
                 .to = link.to,
                 .latency_s = link.latency.in_seconds(),
                 .bandwidth_bytes_per_s = bandwidth,
                 .account = account,
                 .utilization = utilization(carried(account), bandwidth, outcome)},
                names_of(experiment, {from, link.to}));
    }
  table.flush();
}

}  // namespace lagnet
