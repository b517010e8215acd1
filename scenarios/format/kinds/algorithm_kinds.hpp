#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"
#include "scenarios/json/choice.hpp"
#include "scenarios/json/one_of.hpp"

namespace lagnet {

/// A kind of algorithm with its options. make() throws Diagnosed.
struct MadeAlgorithm {
  AlgorithmTraits traits;
  std::function<std::unique_ptr<Algorithm>(MethodInput)> make;
};

struct AlgorithmFamily {
  static constexpr std::string_view key = "kind", called = "algorithm";
  static const Catalogue<MadeAlgorithm>& catalogue();
};

/// The kinds of algorithm that can run without numbers, "fd_primal_dual, fed_avg".
std::string kinds_that_offer_timing();

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
