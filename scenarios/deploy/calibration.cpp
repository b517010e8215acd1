#include "scenarios/deploy/calibration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/kernels/column_block.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "scenarios/json/json_file.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/sha256.hpp"
#include "sim/realtime/work_time.hpp"

namespace lagnet {

namespace {

/// Who measures does not talk to who runs.
Hello::Digest measuring(const Hello::Digest& scenario) {
  std::vector<std::byte> bytes(scenario.begin(), scenario.end());
  append_bytes(bytes, std::as_bytes(std::span(std::string_view("calibrate"))));
  return sha256(bytes);
}

/// What a simulated link has in place of a way.
struct MeasuredLink {
  double latency_s, bytes_per_s;
};

/// A round trip is two latencies, and the time of a small frame in each direction.
MeasuredLink link_of(const WayRecord& there, const WayRecord& back) {
  constexpr double small = static_cast<double>(message_header_bytes) + sizeof(double);
  const double round_trip_s = (there.round_trip_s + back.round_trip_s) / 2;
  const double both_s = round_trip_s - small / there.bytes_per_s - small / back.bytes_per_s;
  return {std::max(0.0, both_s / 2), std::max(1.0, there.bytes_per_s)};
}

double median(std::vector<double> numbers, double of_none) {
  if (numbers.empty()) return of_none;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return *middle;
}

/// The records of all processes, by what they are asked for.
class Measured {
 public:
  Measured(const std::vector<ProcessPair>& pairs, std::uint32_t processes,
           const std::vector<CalibrationRecord>& records) {
    std::vector<int> times(processes);
    std::vector<std::string> problems;
    for (const CalibrationRecord& record : records) {
      if (record.process >= std::int64_t{processes})
        problems.push_back(fmt::format("a record of process {}, which the plan does not have", record.process));
      else if (++times[static_cast<std::size_t>(record.process)] == 2)
        problems.push_back(fmt::format("two records of process {}", record.process));
      for (const WayRecord& way : record.ways) ways_[{record.process, way.to}] = way;
    }
    for (std::uint32_t k = 0; k < processes; ++k)
      if (times[k] == 0) problems.push_back(fmt::format("no record of process {}", k));
    if (problems.empty())
      for (const auto& [a, b] : pairs)
        for (const auto& way : {std::pair(a, b), std::pair(b, a)})
          if (!ways_.contains(way))
            problems.push_back(fmt::format("process {} has not measured the path to {}", way.first, way.second));
    if (!problems.empty()) throw RunError(fmt::format("{}", fmt::join(problems, "\n")));
  }
  MeasuredLink link(std::uint32_t from, std::uint32_t to) const {
    return link_of(ways_.at({from, to}), ways_.at({to, from}));
  }

 private:
  std::map<std::pair<std::int64_t, std::int64_t>, WayRecord> ways_;
};

Json network_section(const Network& network, const std::vector<std::uint32_t>& process_of, const Measured& measured) {
  constexpr double within_a_process = 1e12;
  Json links = Json::array();
  std::vector<double> latencies_ms, rates;
  for (AgentId from = 0; from < network.agents(); ++from)
    for (const AgentId to : network.neighbors(from)) {
      MeasuredLink link{0, within_a_process};
      if (process_of[from] != process_of[to]) {
        link = measured.link(process_of[from], process_of[to]);
        latencies_ms.push_back(1e3 * link.latency_s);
        rates.push_back(link.bytes_per_s);
      }
      links.push_back({{"links", Json::array({Json::array({from, to})})},
                       {"latency_ms", 1e3 * link.latency_s},
                       {"bandwidth_bytes_per_s", link.bytes_per_s},
                       {"both_ways", false}});
    }
  return {{"latency_ms", median(latencies_ms, 0)},
          {"bandwidth_bytes_per_s", median(rates, within_a_process)},
          {"header_bytes", message_header_bytes},
          {"links", std::move(links)}};
}

}  // namespace

CalibrationRecord calibrate_process(const Experiment& experiment, const AgentProcess& process) {
  CalibrationRecord record;
  record.process = process.process;
  record.scenario = hexadecimal(process.scenario);
  for (AgentId agent = 0; agent < experiment.network->agents(); ++agent) {
    if (process.process_of[agent] != process.process) continue;
    record.agents.push_back(agent);
    record.flops_per_s.push_back(measured_flops_per_s(experiment, agent));
  }
  const auto pairs = linked_processes(*experiment.network, process.process_of);
  LinkMeterOptions options{.peers = peers_options(experiment, process), .order = measuring_order(pairs)};
  options.peers.scenario = measuring(process.scenario);
  options.peers.peers = partners_of(process.process, pairs);
  options.patience = process.patience;
  options.warn = process.warn;
  for (const MeasuredWay& way : LinkMeter(std::move(options)).run())
    record.ways.push_back({way.to, way.round_trip_s, way.round_trips, way.bytes_per_s, way.bytes});
  return record;
}

std::string record_text(const CalibrationRecord& record) {
  constexpr int indent = 2;
  return write_fields(record).dump(indent) + "\n";
}

CalibrationRecord read_calibration(const std::filesystem::path& file) {
  Diagnostics diagnostics(file.string());
  const Json document = read_json_file(file, diagnostics);
  CalibrationRecord record;
  ObjectReader reader(document, "", diagnostics, "a record of `lagnet calibrate`");
  reader.read(record);
  reader.finish();
  diagnostics.throw_if_any();
  return record;
}

Json calibrated_sections(const Network& network, const std::vector<std::uint32_t>& process_of,
                         const std::vector<CalibrationRecord>& records) {
  const std::uint32_t processes = 1 + *std::ranges::max_element(process_of);
  const Measured measured(linked_processes(network, process_of), processes, records);
  std::vector<std::optional<double>> speeds(network.agents());
  for (const CalibrationRecord& record : records)
    for (std::size_t k = 0; k < record.agents.size(); ++k)
      if (const std::int64_t agent = record.agents[k]; agent < std::int64_t{network.agents()})
        speeds[static_cast<std::size_t>(agent)] = record.flops_per_s[k];
  Json values = Json::array();
  for (AgentId agent = 0; agent < network.agents(); ++agent) {
    if (!speeds[agent]) throw RunError(fmt::format("no record has the speed of agent {}", agent));
    values.push_back(*speeds[agent]);
  }
  return {{"network", network_section(network, process_of, measured)},
          {"compute", {{"speed_flops_per_s", {{"kind", "list"}, {"values", std::move(values)}}}}}};
}

namespace {

double speed_of_rows(const Problem& problem, Index first, Index count) {
  const RowBlock rows(std::make_shared<SampleRows>(*problem.X, problem.y), first, count);
  std::vector<Index> batch(static_cast<std::size_t>(count));
  std::iota(batch.begin(), batch.end(), Index{0});
  const Vector w = Vector::Constant(problem.dim(), 0.5);
  volatile double used = 0;
  const double seconds = seconds_of_work([&] { used = rows.gradient(*problem.loss, w, batch)[0]; });
  return static_cast<double>(rows.gradient_work(batch, problem.loss->outputs()).flops) / seconds;
}

double speed_of_columns(const Problem& problem, Index first, Index count) {
  const ColumnBlock columns(problem.X, first, count, problem.X->rows());
  const Vector lambda = Vector::Constant(problem.X->rows(), 0.5);
  volatile double used = 0;
  const double seconds = seconds_of_work([&] { used = columns.transpose_times(lambda)[0]; });
  return static_cast<double>(columns.transpose_times_flops()) / seconds;
}

/// From the first of them to the last: a process with only its share of the data has few other rows between them.
/// Throws RunError if there are none.
std::pair<Index, Index> rows_with_entries(const Experiment& experiment) {
  const Problem& problem = experiment.problem;
  if (experiment.traits.partition_by != PartitionBy::samples) return {0, problem.X->rows()};
  const auto starts = starts_by_agent(experiment.partition, experiment.traits);
  const auto is_empty = [&](std::size_t i) {
    return problem.X->row_range(starts[i], starts[i + 1] - starts[i]).is_zero();
  };
  std::size_t before = 0, behind = starts.size() - 1;
  while (before < behind && is_empty(before)) ++before;
  while (behind > before && is_empty(behind - 1)) --behind;
  if (before == behind)
    throw RunError("no speed can be measured without samples; expected all data on a computer whose agents have none");
  return {starts[before], starts[behind] - starts[before]};
}

}  // namespace

double measured_flops_per_s(const Experiment& experiment, AgentId agent) {
  const Problem& problem = experiment.problem;
  auto [first, count] = rows_with_entries(experiment);
  bool is_of_columns = false;
  if (experiment.traits.partition_by != PartitionBy::cells) {
    const auto starts = starts_by_agent(experiment.partition, experiment.traits);
    const Index from = starts[agent], until = starts[agent + 1];
    if (until > from) {
      first = from;
      count = until - from;
      is_of_columns = experiment.traits.partition_by == PartitionBy::features;
    }
  }
  const double speed = is_of_columns ? speed_of_columns(problem, first, count) : speed_of_rows(problem, first, count);
  return std::max(speed, 1.0);  // the least that a scenario may have: of blocks without entries
}

}  // namespace lagnet
