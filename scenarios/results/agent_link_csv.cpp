#include "scenarios/results/agent_link_csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "scenarios/assembly/partition_data.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/results/ledger_columns.hpp"

namespace lagnet {

namespace {

/// Lines of numbers, which need no quotes, gathered to pieces.
class Lines {
 public:
  explicit Lines(const TextSink& sink) : sink_(sink) {}
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  void header(const std::vector<std::string>& names) { text_ += csv_line(names); }
  template <class Number>
  void cell(Number number) {
    fmt::format_to(std::back_inserter(text_), "{},", number);
  }
  void cell(std::optional<double> number) {
    if (number) return cell(*number);
    text_ += ',';
  }
  template <class Account>
  void cells(const std::vector<AccountColumn<Account>>& columns, const Account& account) {
    for (const auto& column : columns) {
      append_value(text_, column.value(account));
      text_ += ',';
    }
  }
  void end_line() {
    constexpr std::size_t piece = 1 << 16;
    text_.back() = '\n';  // instead of the last comma
    if (text_.size() >= piece) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  const TextSink& sink_;
  std::string text_;
};

template <class Account>
void append_names(std::vector<std::string>& header, const std::vector<AccountColumn<Account>>& columns) {
  for (const auto& column : columns) header.emplace_back(column.name);
}

Bytes carried_from(AgentId agent, const Experiment& assembly, const Outcome& outcome) {
  const LinkId first = assembly.network->first_link(agent);
  Bytes bytes = 0;
  for (LinkId k = 0; k < assembly.network->links_of(agent).size(); ++k)
    bytes += carried(outcome.ledger.link(first + k));
  return bytes;
}

struct Held {
  Index features = 0, samples = 0;
};

/// What each agent holds: some columns of all samples, some samples whole, or some columns of some; a server nothing.
std::vector<Held> held_by_agent(const Experiment& assembly) {
  std::vector<Held> held(static_cast<std::size_t>(assembly.facts.agents));
  if (const Cells* cells = assembly.partition.cells.get()) {
    for (AgentId k = 1; k < held.size(); ++k) held[k] = {cells->of(k).m(), cells->of(k).n()};
    return held;
  }
  const std::vector<Index> starts = starts_by_agent(assembly.partition, assembly.traits);
  const bool by_samples = assembly.traits.partition_by == PartitionBy::samples;
  for (std::size_t id = 0; id < held.size(); ++id) {
    const Index part = starts[id + 1] - starts[id];
    held[id].features = !by_samples ? part : part > 0 ? assembly.data->X.cols() : 0;
    held[id].samples = by_samples ? part : assembly.data->samples;
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

void write_agents_csv(const Experiment& assembly, const Outcome& outcome, const TextSink& sink) {
  const std::vector<Held> held = held_by_agent(assembly);
  std::vector<std::string> header{"agent", "degree", "features", "samples"};
  append_names(header, account_columns());
  header.insert(header.end(), {"compute_utilization", "up_utilization", "down_utilization"});
  Lines lines(sink);
  lines.header(header);
  for (AgentId id = 0; id < outcome.ledger.agents(); ++id) {
    const AgentAccount& account = outcome.ledger.agent(id);
    const Interface& interface = assembly.network->interface(id);
    lines.cell(id);
    lines.cell(assembly.topology->degree(id));
    lines.cell(held[id].features);
    lines.cell(held[id].samples);
    lines.cells(account_columns(), account);
    lines.cell(compute_utilization(account, 1, outcome.ending.last_event));
    lines.cell(utilization(carried_from(id, assembly, outcome), interface.up_bytes_per_s, outcome));
    lines.cell(utilization(account.bytes_received, interface.down_bytes_per_s, outcome));
    lines.end_line();
  }
  lines.flush();
}

void write_links_csv(const Experiment& assembly, const Outcome& outcome, const TextSink& sink) {
  std::vector<std::string> header{"from", "to", "latency_s", "bandwidth_bytes_per_s"};
  append_names(header, link_columns());
  header.emplace_back("utilization");
  Lines lines(sink);
  lines.header(header);
  const Network& network = *assembly.network;
  for (AgentId from = 0; from < network.agents(); ++from)
    for (LinkId k = 0; k < network.links_of(from).size(); ++k) {
      const Link& link = network.links_of(from)[k];
      const LinkId id = network.first_link(from) + k;
      const LinkAccount account = outcome.ledger.link(id);
      lines.cell(from);
      lines.cell(link.to);
      lines.cell(link.latency.in_seconds());
      lines.cell(network.bandwidth_bytes_per_s(id));
      lines.cells(link_columns(), account);
      lines.cell(utilization(carried(account), network.bandwidth_bytes_per_s(id), outcome));
      lines.end_line();
    }
  lines.flush();
}

}  // namespace lagnet
