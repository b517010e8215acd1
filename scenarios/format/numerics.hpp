#pragma once

#include <array>
#include <string>

#include "sim/base/options.hpp"

namespace lagnet {

/// Whether a run has numbers. Without them the events are the same, messages, sizes, times, faults and all, but agents
/// exchange shapes, nothing is computed, and generated data are not made: for fleets too large to hold vectors.
enum class Numerics { on, off };
constexpr auto spellings(Numerics) { return std::array{Spelling{Numerics::on, "on"}, Spelling{Numerics::off, "off"}}; }

/// The kinds of algorithm that can run without numbers, "fd_primal_dual, fed_avg".
std::string kinds_that_offer_timing();

}  // namespace lagnet
