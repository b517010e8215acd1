#pragma once

#include <functional>
#include <string>

#include "algorithms/interface/algorithm_traits.hpp"

namespace lagnet {

/// The algorithms of the same roles and partition, of all that lagnet has, for which something holds, for a message
/// that refuses another one: " (these take it: netlasso, dpag)", or "" if there are none. Traits are those of default
/// options.
std::string who_takes(const AlgorithmTraits& like, const std::function<bool(const AlgorithmTraits&)>& takes);

}  // namespace lagnet
