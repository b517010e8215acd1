#pragma once

#include <string_view>

#include "algorithms/federated/aggregation/rules.hpp"

namespace lagnet {

// One line a rule, which clang-format would fill up.
// clang-format off
/// The rule by which a server combines answers; by default the mean.
struct AggregationOptions : OneOf<MeanRule,
                                  CoordinateMedianRule,
                                  TrimmedMeanRule,
                                  KrumRule,
                                  GeometricMedianRule,
                                  CenteredClippingRule> {
  static constexpr std::string_view called = "aggregation";
  using OneOf::OneOf;
  static void declare(auto& self, auto& field) {
    field("aggregation", self.aggregation,
          "the rule in place of the mean of the answers: {\"kind\": \"trimmed_mean\", \"trim\": 0.2}");
  }
  bool is_mean() const { return kind() == MeanRule::kind; }
};
// clang-format on

}  // namespace lagnet
