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

}  // namespace lagnet
