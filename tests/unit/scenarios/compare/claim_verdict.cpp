#include "scenarios/compare/claim_verdict.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "scenarios/files/result_folder.hpp"

namespace lagnet::claim_verdict_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One run for each seed 1, 2, .., which ends with this error.
std::vector<RecordedRun> draws(const std::vector<double>& errors) {
  std::vector<RecordedRun> runs;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    RecordedRun run;
    run.label = "ring seed=" + std::to_string(k + 1);
    run.scenario = {{"seed", k + 1}, {"topology", {{"kind", "ring"}}}};
    run.progress.columns = {"round", "error"};
    run.progress.values = {{0, 10}, {1, errors[k]}};
    runs.push_back(std::move(run));
  }
  return runs;
}

Verdict verdict(Json claim, const std::vector<RecordedRun>& runs) {
  claim.update({{"statement", "it is so"}, {"metric", "error"}});
  Diagnostics problems("claim");
  Choice<ClaimFamily> choice;
  choice.read(claim, "", problems);
  problems.throw_if_any();
  return verdicts({choice}, runs).front();
}

const Json below_one{{"kind", "bound"}, {"at_most", 1}};

}  // namespace

TEST_CASE("a claim is decided in every draw by itself and holds if it does in four of five") {
  const Verdict four = verdict(below_one, draws({0.5, 0.25, 2, 0.75, 1}));
  CHECK(four.draws.size() == 5);
  CHECK(four.draws[2].seeds == std::vector<std::uint64_t>{3});
  CHECK_FALSE(four.draws[2].finding.holds);
  CHECK(four.holding() == 4);
  CHECK(four.word() == "holds");
  CHECK(verdict(below_one, draws({0.5, 2, 2, 0.75, 1})).word() == "depends on the draw");
  CHECK(verdict(below_one, draws({2, 2, 2, 0.75, 2})).word() == "fails");
  CHECK(verdict(below_one, draws({2})).word() == "fails");
  CHECK(verdict(below_one, draws({1})).word() == "holds");
}

TEST_CASE("a verdict has the median and the range of the number that decides") {
  const Verdict odd = verdict(below_one, draws({0.5, 0.25, 2, 0.75, 1}));
  CHECK(odd.median() == 0.75);
  CHECK(odd.range().low == 0.25);
  CHECK(odd.range().high == 2);
  CHECK(odd.measured() == "number 0.75 (0.25 .. 2)");
  CHECK(verdict(below_one, draws({0.5, 0.25})).median() == 0.375);
  CHECK(verdict(below_one, draws({0.5})).measured() == "0.5");
  // What is never reached is larger than all numbers.
  Json rounds{{"kind", "bound"}, {"at_most", 10}, {"first", {{"error", 0.6}}}};
  const Verdict once = verdict(rounds, draws({0.5, 0.75, 0.75}));
  CHECK(once.median() == infinity);
  CHECK(once.measured() == "number never (0.5 .. never)");
}

TEST_CASE("the share of draws has the exact binomial interval") {
  // Of 5 in 5: (alpha / 2)^(1/5) below. Of 0 in 5: its mirror image. Of 8 in 10: tables of Clopper and Pearson.
  const double low = std::pow(0.025, 0.2);
  const auto all = verdict(below_one, draws({0, 0, 0, 0, 0})).share_interval();
  CHECK(all.low == Approx(low).epsilon(1e-12));
  CHECK(all.high == 1);
  const auto none = verdict(below_one, draws({2, 2, 2, 2, 2})).share_interval();
  CHECK(none.low == 0);
  CHECK(none.high == Approx(1 - low).epsilon(1e-12));
  const auto eight = verdict(below_one, draws({0, 0, 0, 0, 0, 0, 0, 0, 2, 2})).share_interval();
  CHECK(eight.low == Approx(0.4439).epsilon(1e-4));
  CHECK(eight.high == Approx(0.9748).epsilon(1e-4));
}

TEST_CASE("seeds may be taken together, for statements about means over them") {
  const std::vector<RecordedRun> runs = draws({0.5, 1.5, 1.0});
  Json mean = below_one;
  mean["seeds"] = "together";
  const Verdict together = verdict(mean, runs);
  CHECK(together.draws.size() == 1);
  CHECK(together.draws.front().seeds == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(together.holds());
  CHECK(together.measured() == "1");
  CHECK(verdict(below_one, runs).word() == "depends on the draw");
}

TEST_CASE("the steps of an order and the lead of the best are shares of the number they are compared with") {
  std::vector<RecordedRun> runs = draws({1, 2, 4});
  for (RecordedRun& run : runs) {
    run.scenario["topology"]["agents"] = run.scenario["seed"];
    run.scenario["seed"] = 7;
  }
  Json order{{"kind", "order"}, {"over", "/topology/agents"}};
  CHECK(verdict(order, runs).median() == 0.5);  // from 1 to 2: half of 2
  order["direction"] = "falling";
  CHECK(verdict(order, runs).median() == -1);  // 4 is twice of 2: a step of 100 % the other way
  Json best{{"kind", "best"}, {"over", "/topology/agents"}, {"value", 1}};
  CHECK(verdict(best, runs).median() == 0.5);
  best["largest"] = true;
  CHECK(verdict(best, runs).median() == -0.75);
  best["value"] = 3;
  CHECK(verdict(best, runs).median() == 1);
  const Json spread{{"kind", "spread"}, {"over", "/topology/agents"}, {"at_most", 3}};
  CHECK(verdict(spread, runs).median() == 4);
}

TEST_CASE("in a claim over several values the number nearest to its limit decides") {
  std::vector<RecordedRun> runs = draws({0.5, 0.9, 0.1});
  for (RecordedRun& run : runs) {
    run.scenario["topology"]["agents"] = run.scenario["seed"];
    run.scenario["seed"] = 7;
  }
  Json each = below_one;
  each["each"] = {"/topology/agents"};
  CHECK(verdict(each, runs).median() == 0.9);
  each["at_least"] = 0.2;  // 0.1 is beyond it
  CHECK(verdict(each, runs).median() == 0.1);
  CHECK(verdict(each, runs).word() == "fails");
}

TEST_CASE("a claim that is marked as known to fail does not fail the check, whether it holds or not") {
  Json claim{{"kind", "bound"}, {"at_most", 0.1}};
  CHECK(verdict(claim, draws({1})).fails());
  claim["known_to_fail"] = "too small";
  CHECK_FALSE(verdict(claim, draws({1})).holds());
  CHECK_FALSE(verdict(claim, draws({1})).fails());
  CHECK(verdict(claim, draws({1})).claim.known_to_fail == "too small");
  CHECK(verdict(claim, draws({0.05})).holds());
  CHECK_FALSE(verdict(claim, draws({0.05})).fails());
}

TEST_CASE("a claim that cannot be evaluated is named") {
  CHECK_THROWS_WITH(verdict({{"kind", "bound"}, {"at_most", 1}, {"where", {{"/topology/kind", "tree"}}}}, draws({1})),
                    "claim \"it is so\": expected runs with {\"/topology/kind\":\"tree\"}, found none");
}

}  // namespace lagnet::claim_verdict_test
