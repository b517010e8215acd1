#include "scenarios/deploy/deploy_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/json/fields.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/sha256.hpp"

namespace lagnet {

namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "10.0.0.2:7700" or "[::1]:7700".
std::optional<PlannedProcess> process_at(std::string_view text) {
  constexpr std::int64_t last_port = 65535;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto port = whole_number(text.substr(colon + 1));
  if (!port || *port < 1 || *port > last_port) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return PlannedProcess{.host = std::string(host), .port = *port, .agents = {}};
}

void spread_over(std::vector<PlannedProcess>& processes, AgentId agents) {
  const auto process_of = spread(agents, static_cast<std::uint32_t>(processes.size()));
  for (AgentId id = 0; id < agents; ++id) processes[process_of[id]].agents.push_back(id);
}

}  // namespace

std::vector<std::uint32_t> DeployPlan::process_of(AgentId agents) const {
  std::vector<std::uint32_t> process_of(agents);
  for (std::uint32_t process = 0; process < processes.size(); ++process)
    for (const std::int64_t agent : processes[process].agents) process_of.at(static_cast<std::size_t>(agent)) = process;
  return process_of;
}

std::vector<AgentId> DeployPlan::agents_of(std::uint32_t process) const {
  std::vector<AgentId> agents;
  for (const std::int64_t agent : processes.at(process).agents) agents.push_back(static_cast<AgentId>(agent));
  std::ranges::sort(agents);
  return agents;
}

std::vector<PeerAddress> DeployPlan::addresses() const {
  std::vector<PeerAddress> addresses;
  for (const PlannedProcess& process : processes)
    addresses.push_back({process.host, static_cast<std::uint16_t>(process.port)});
  return addresses;
}

Hello::Digest DeployPlan::digest() const {
  const std::string text = scenario.dump();
  return sha256(std::as_bytes(std::span(text)));
}

ReadPlan read_plan(const std::filesystem::path& file) {
  Diagnostics diagnostics(file.string());
  const Json document = read_json_file(file, diagnostics);
  ReadPlan read;
  ObjectReader reader(document, "", diagnostics, "a plan");
  reader.read(read.plan);
  reader.finish();
  diagnostics.throw_if_any();
  read.scenario = {.shown = file.string() + ": /scenario",
                   .folder = std::filesystem::absolute(file).parent_path(),
                   .document = read.plan.scenario};
  return read;
}

void check_plan(const DeployPlan& plan, AgentId agents, const std::string& shown) {
  Diagnostics diagnostics(shown);
  std::vector<int> runs_it(agents);
  for (std::size_t process = 0; process < plan.processes.size(); ++process)
    for (std::size_t k = 0; k < plan.processes[process].agents.size(); ++k) {
      const std::int64_t agent = plan.processes[process].agents[k];
      const std::string pointer = fmt::format("/processes/{}/agents/{}", process, k);
      if (agent >= std::int64_t{agents})
        diagnostics.add(pointer, fmt::format("an agent from 0 to {}", std::int64_t{agents} - 1), std::to_string(agent));
      else if (++runs_it[static_cast<std::size_t>(agent)] == 2)
        diagnostics.add(pointer, "an agent that no other process runs", std::to_string(agent));
    }
  for (AgentId agent = 0; agent < agents; ++agent)
    if (runs_it[agent] == 0) diagnostics.add("/processes", fmt::format("one that runs agent {}", agent));
  diagnostics.throw_if_any();
}

std::string plan_text(const Scenario& scenario, std::vector<PlannedProcess> processes,
                      const std::filesystem::path& folder) {
  constexpr int indent = 2;
  DeployPlan plan;
  plan.scenario = write_scenario(scenario, folder);
  plan.processes = std::move(processes);
  return write_fields(plan).dump(indent) + "\n";
}

std::vector<PlannedProcess> read_hosts(const std::string& text, AgentId agents, const std::string& shown) {
  Diagnostics diagnostics(shown);
  std::vector<PlannedProcess> processes;
  bool are_named = false;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string word;
    if (!(words >> word)) continue;
    const std::string where = fmt::format("line {}", number);
    auto process = process_at(word);
    if (!process) diagnostics.add({where, "HOST:PORT, as 10.0.0.2:7700", word});
    while (words >> word) {
      const auto agent = whole_number(word);
      if (!agent || *agent < 0 || *agent >= std::int64_t{agents})
        diagnostics.add({where, fmt::format("agents from 0 to {}", std::int64_t{agents} - 1), word});
      else if (process)
        process->agents.push_back(*agent);
      are_named = true;
    }
    if (process) processes.push_back(std::move(*process));
  }
  if (processes.empty() && diagnostics.empty()) diagnostics.add("line 1", "HOST:PORT of a process", "none");
  if (processes.size() > agents && !are_named)
    diagnostics.add(fmt::format("{} lines", processes.size()), fmt::format("at most {}, one for each agent", agents));
  diagnostics.throw_if_any();
  if (!are_named) spread_over(processes, agents);
  return processes;
}

}  // namespace lagnet
