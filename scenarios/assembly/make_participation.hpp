#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/format/participation_options.hpp"
#include "sim/base/remark.hpp"
#include "sim/world/availability.hpp"
#include "sim/world/participation.hpp"

namespace lagnet {

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

}  // namespace lagnet
