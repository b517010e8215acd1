#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/federated/aggregation/aggregation.hpp"
#include "algorithms/federated/bases/clients.hpp"
#include "algorithms/interface/algorithm.hpp"
#include "algorithms/interface/algorithm_traits.hpp"

/// How a server combines the answers of a round by the option `aggregation`, where clients may attack.
namespace lagnet {

/// The traits of a method with this rule.
AlgorithmTraits with_aggregation(AlgorithmTraits traits, const AggregationOptions& rule);

class Aggregator {
 public:
  /// Throws Diagnosed for a rule that takes more answers than may come, and for one other than mean where half of the
  /// clients or more attack.
  Aggregator(AggregationOptions rule, const Clients& clients, const MethodInput& given);

  const AggregationOptions& rule() const { return rule_; }
  /// The weighted mean of what clients sent.
  bool is_plain_mean() const { return rule_.is_mean() && !attackers_.any(); }
  /// Whether they are enough for the rule; else the round changes nothing.
  bool takes(std::span<const Message> answers) const;
  /// a (d), of the first vector in each answer, with weights q, which add up to 1, and what `kept` has of the last
  /// round; without `a` if the round changes nothing, since none has a weight, or too few are finite.
  Aggregate combine(std::span<const Message> answers, const std::vector<double>& q, Vector& kept) const;
  /// The cost of combining this many answers; of the mean of n answers 2 n d flops.
  Cost work(std::size_t answers) const;

  /// What a user should know before the run, and after it.
  Remarks warnings() const;
  Remarks remarks() const;

 private:
  Index least_answers() const;

  AggregationOptions rule_;
  Attackers attackers_;
  Index most_, d_;
  std::shared_ptr<Index> left_out_ = std::make_shared<Index>(0);  // answers of the run that were not finite
};

}  // namespace lagnet
