#pragma once

#include <cstdint>
#include <memory>

#include "scenarios/format/participation_options.hpp"
#include "sim/world/availability.hpp"
#include "sim/world/participation.hpp"

namespace lagnet {

/// What a maker of a process needs besides its options.
struct AvailabilityContext {
  AgentId agents = 0;
  std::uint64_t seed = 1;
  std::size_t number = 0;  // entries of the same kind before this one, whose draws must differ
  CheckReport& report;     // takes what is wrong
};
/// Null if something was reported.
using MadeProcess = std::shared_ptr<const AvailabilityProcess>;

/// When the agents are up; null if nothing is said about it. What does not fit these agents is added to the problems,
/// under /participation/availability. Throws DataError with every problem of trace files, file and line. One such
/// object belongs to one run at a time.
std::shared_ptr<const Availability> make_availability(const ParticipationOptions& options, AgentId agents,
                                                      std::uint64_t seed, Problems& problems);

/// Whom a server asks; null if listed agents are none, or the groups or `enough` are more than the agents, which is
/// added to the problems. Who of the agents can be asked is for the algorithm to say: Participation::problems().
std::shared_ptr<const Participation> make_participation(const ParticipationOptions& options, AgentId agents,
                                                        std::uint64_t seed, Problems& problems);

RoundRule make_round_rule(const ParticipationOptions& options);

}  // namespace lagnet
