#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "scenarios/format/compute_options.hpp"
#include "scenarios/format/participation_options.hpp"
#include "sim/base/remark.hpp"
#include "sim/world/availability.hpp"
#include "sim/world/ciphers.hpp"
#include "sim/world/compute.hpp"
#include "sim/world/participation.hpp"
#include "topologies/topology.hpp"

/// The agents of a scenario beside their data: how fast they are, when they are up, and which of them take part.
namespace lagnet {

/// The compute model of the agents. Throws Diagnosed with every problem below /compute; `shown` names the file in
/// them.
ComputeModel make_compute(const ComputeOptions& options, AgentId agents, std::uint64_t seed, const std::string& shown,
                          const AlgorithmTraits& traits = {});

CipherCosts make_cipher_costs(const EncryptionOptions& options);

/// The input of a maker of a process, in addition to its options.
struct AvailabilityContext {
  const AgentNames& names;
  std::uint64_t seed = 1;
  std::size_t number = 0;  // entries of the same kind before this one, whose draws must differ
  CheckReport& report;     // gets the problems
};
/// Null if something was reported.
using MadeProcess = std::shared_ptr<const AvailabilityProcess>;

/// When the agents are up; null if nothing is said about it. What does not fit these agents is added to the
/// diagnostics, under /participation/availability. Throws Diagnosed with every problem of trace files, file and line.
/// One such object belongs to one run at a time.
std::shared_ptr<const Availability> make_availability(const ParticipationOptions& options, const AgentNames& names,
                                                      std::uint64_t seed, Diagnostics& diagnostics);

/// The clients that a server asks. Null, with the problem added, if a listed agent does not exist, if the groups are
/// more than the agents, or `enough` is more than the number of `clients`. Participation::diagnostics() says whether
/// the algorithm's server can ask these clients.
std::shared_ptr<const Participation> make_participation(const ParticipationOptions& options, AgentId agents,
                                                        AgentId clients, std::uint64_t seed, Diagnostics& diagnostics);

RoundRule make_round_rule(const ParticipationOptions& options);

/// Adds that the server is away at times, too, where the agents of an entry of availability are null: all of them.
void warn_of_absent_server(const ParticipationOptions& options, Remarks& warnings);

/// Reports agents that are no neighbors of the server, and a choice of clients that cannot be used with its neighbors
/// (null: none). Nothing without a server.
bool check_server(const AlgorithmTraits& traits, const Topology& topology, const Participation* participation,
                  Diagnostics& diagnostics);

}  // namespace lagnet
