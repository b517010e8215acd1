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
  all.relative_error = all.price = 0.5;
  CHECK(reasons(stop_rules(all, 1)) ==
        std::vector<std::string>{"flops", "bytes", "price", "flops_per_agent", "diverged", "relative_error"});
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

TEST_CASE("a price ends a run with the message that reaches it") {
  const CostModel costs({{.name = "a",
                          .provider = "",
                          .price = TrafficPrices{.same_site_per_gb = 1, .other_site_per_gb = 2},
                          .energy = {},
                          .carbon_g_per_kwh = {}},
                         {.name = "b", .provider = "", .price = {}, .energy = {}, .carbon_g_per_kwh = {}}},
                        {0, 0, 1});
  StopOptions stop;
  stop.price = 0.5;
  const StopRules rules = stop_rules(stop, 1, costs);
  const StopRule& budget = rules.front();
  CHECK(budget.reason == StopReason::price);
  CHECK(budget.event_kind == EventKind::sent);
  SimEvent sent{.agent = 0, .peer = 1, .amount = 125'000'000};
  CHECK_FALSE(budget.ends_with_event(sent));  // 0.125
  sent.peer = 2;
  CHECK_FALSE(budget.ends_with_event(sent));  // 0.375
  sent = {.agent = 2, .peer = 0, .amount = 1'000'000'000};
  CHECK_FALSE(budget.ends_with_event(sent));  // of a site without prices
  sent = {.agent = 0, .peer = 1, .amount = 125'000'000};
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
