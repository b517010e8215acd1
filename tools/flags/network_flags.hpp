#pragma once

#include <cstdint>
#include <filesystem>

#include "tools/flags/scenario_flags.hpp"

/// The network of a scenario as one says it on the command line.
namespace lagnet::tools {

/// How many agents hold data: as --agents says, or those of all sites, or the usual number. Throws Diagnosed.
std::int64_t data_holders(const ScenarioFlags& flags, std::int64_t usual);

/// Where the server of these flags is: the first site, or null without sites. Throws Diagnosed.
Json server_site(const ScenarioFlags& flags);

/// The section "network" for the flags in a scenario of the folder, fit for one of its lines; the latency is `usual_ms`
/// where neither it nor a profile is given. Throws Diagnosed.
Json network_section(const ScenarioFlags& flags, double usual_ms, const std::filesystem::path& folder);

}  // namespace lagnet::tools
