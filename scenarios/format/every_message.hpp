#pragma once

#include <string_view>

#include "scenarios/format/scenario.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Reports options by which a message may be missing, or a round have other links or agents than the last one, for an
/// algorithm that goes wrong then; `why` is AlgorithmTraits::every_message. Of a method without a server, options about
/// asking clients are left to check_asked().
void check_every_message(const Scenario& scenario, std::string_view why, bool has_server, Diagnostics& diagnostics);

}  // namespace lagnet
