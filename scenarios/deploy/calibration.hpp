#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/json/fields.hpp"
#include "sim/realtime/link_meter.hpp"

/// Measurements of the network and the computers of a deployed run, as parts of a scenario.
namespace lagnet {

/// A process's measurements of the path to another one.
struct WayRecord {
  std::int64_t to = 0;
  double round_trip_s = 0;
  std::int64_t round_trips = 0;
  double bytes_per_s = 0;
  std::int64_t bytes = 0;
  static void fields(auto& self, auto& field) {
    field("to", self.to, "the other process", at_least(0).required());
    field("round_trip_s", self.round_trip_s, "of a message with one number and its answer, in s",
          at_least(0).required());
    field("round_trips", self.round_trips, "how many there were", at_least(1).required());
    field("bytes_per_s", self.bytes_per_s, "of large messages, in bytes per second", above_to(0, 1e18).required());
    field("bytes", self.bytes, "that were sent to measure it", at_least(1).required());
  }
};

/// The measurements of one process: the record of `lagnet calibrate PLAN --id AGENT`.
struct CalibrationRecord {
  static constexpr std::int64_t format = 1;
  std::int64_t version = format, process = 0;
  std::string scenario;  // SHA-256, in hexadecimal digits
  std::vector<std::int64_t> agents;
  std::vector<double> flops_per_s;
  std::vector<WayRecord> ways;
  static void fields(auto& self, auto& field) {
    field("lagnet_calibration", self.version, "version of this format", within(format, format).required());
    field("process", self.process, "who has measured", at_least(0).required());
    field("scenario", self.scenario, "SHA-256 of the scenario", any_value().required());
    field("agents", self.agents, "its agents", at_least(0).required());
    field("flops_per_s", self.flops_per_s, "of each of them", above_to(0, 1e18).required());
    field("ways", self.ways, "to each process that it has links with");
  }
  void check(auto& report) const {
    if (flops_per_s.size() != agents.size()) report("flops_per_s", "one for each agent", flops_per_s);
  }
};

/// Measures as one process; the others measure at the same time. Throws RunError.
CalibrationRecord calibrate_process(const Experiment& experiment, const AgentProcess& process);

std::string record_text(const CalibrationRecord& record);

/// Throws Diagnosed with all problems of the file.
CalibrationRecord read_calibration(const std::filesystem::path& file);

/// The sections `network` and `compute` of a scenario in which a message takes as long as was measured: by its link
/// latency + (bytes + header_bytes) / bandwidth. Agents of one process exchange messages in no time. Throws RunError
/// with all missing and all duplicate records.
Json calibrated_sections(const Network& network, const std::vector<std::uint32_t>& process_of,
                         const std::vector<CalibrationRecord>& records);

/// The flops per second at which this computer computes what agents compute most: a product with the agent's own part
/// of X, billed as agents bill it. Of samples it is the gradient of their losses, of features the product X_j' lambda;
/// an agent that holds neither, as a server, and holders of cells multiply the whole X. The median of products for at
/// least 0.1 s.
double measured_flops_per_s(const Experiment& experiment, AgentId agent);

}  // namespace lagnet
