#pragma once

#include <string_view>

#include "scenarios/format/features.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Reports what can lose messages for good, for an algorithm that goes wrong then: `since` says why.
void check_losses_repaired(const SetFeatures& features, std::string_view since, Diagnostics& diagnostics);

/// Reports options by which a message may be missing, or a round have other links or agents than the last one, for an
/// algorithm that goes wrong then; `why` is AlgorithmTraits::every_message. Of a method without a server, options about
/// asking clients are left to check_asked().
void check_every_message(const SetFeatures& features, std::string_view why, bool has_server, Diagnostics& diagnostics);

/// Reports options about asking clients, for an algorithm of this kind, which has no server.
void check_asked(const SetFeatures& features, std::string_view kind, Diagnostics& diagnostics);

/// Reports options about rounds and about what is waited for, for an asynchronous algorithm.
void check_nobody_waits(const SetFeatures& features, Diagnostics& diagnostics);

}  // namespace lagnet
