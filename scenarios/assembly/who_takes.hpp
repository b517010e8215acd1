#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "algorithms/interface/algorithm_traits.hpp"

namespace lagnet {

/// The algorithms of the same roles and partition, of all that lagnet has, for which something holds, for a message
/// that refuses another one: " (these take it: netlasso, dpag)", or "" if there are none. Traits are those of default
/// options.
std::string who_takes(const AlgorithmTraits& like, const std::function<bool(const AlgorithmTraits&)>& takes);

/// How an algorithm with these traits treats an l2 regularizer, and the rest of one: a sentence for `lagnet describe`.
std::string_view way_of_l2(const AlgorithmTraits& traits);

/// Why an algorithm of that kind does not run on links that go one way: "nids needs an undirected topology; push_diging
/// and push_sum take directed ones", all that do.
std::string needs_undirected(std::string_view kind);

}  // namespace lagnet
