#include "scenarios/run/stop_rules.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

namespace lagnet::stop_rules_test {

namespace {

std::vector<std::string> reasons(const StopRules& rules) {
  std::vector<std::string> all;
  for (const auto& rule : rules) all.emplace_back(spelled(rule.reason));
  return all;
}

}  // namespace

TEST_CASE("each stop condition has one rule, and divergence always has one") {
  CHECK(reasons(stop_rules({}, 1)) == std::vector<std::string>{"diverged"});
  StopOptions all;
  all.flops = all.bytes = all.flops_per_agent = 1;
  all.relative_error = 0.5;
  CHECK(reasons(stop_rules(all, 1)) ==
        std::vector<std::string>{"flops", "bytes", "flops_per_agent", "diverged", "relative_error"});
}

TEST_CASE("a budget ends a run with the event that reaches it") {
  StopOptions stop;
  stop.bytes = 10;
  const StopRules rules = stop_rules(stop, 1);
  const StopRule& budget = rules.front();
  CHECK(budget.event_kind == EventKind::sent);
  SimEvent sent;
  sent.amount = 5;
  CHECK_FALSE(budget.ends_with_event(sent));
  CHECK(budget.ends_with_event(sent));
}

TEST_CASE("without a factor only an objective or iterate that is not finite diverges") {
  StopOptions stop;
  stop.divergence_factor = {};
  const StopRules rules = stop_rules(stop, 1);
  const StopRule& divergence = rules.front();
  Row row;
  row.objective = std::numeric_limits<double>::max();
  CHECK_FALSE(divergence.ends_with_row(row));
  row.is_finite = false;
  CHECK(divergence.ends_with_row(row));
  CHECK(divergence.is_failure);
}

}  // namespace lagnet::stop_rules_test
