#include "scenarios/claims.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "scenarios/result_folder.hpp"

namespace lagnet::claims_test {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A run of `kind` on so many agents, whose column `error` has these values in rounds 0, 10, 20, ..
RecordedRun recorded(const std::string& kind, int agents, int seed, const std::vector<double>& errors) {
  RecordedRun run;
  run.folder = "runs/" + kind;
  run.label = kind + " " + std::to_string(agents);
  run.scenario = {{"seed", seed}, {"topology", {{"kind", kind}, {"agents", agents}}}};
  run.progress.columns = {"round", "error"};
  run.progress.values.resize(2);
  for (std::size_t row = 0; row < errors.size(); ++row) {
    run.progress.values[0].push_back(10.0 * static_cast<double>(row));
    run.progress.values[1].push_back(errors[row]);
  }
  return run;
}

std::vector<RecordedRun> rings_and_stars() {
  return {recorded("ring", 4, 1, {1, 0.5, 0.25}), recorded("ring", 8, 1, {1, 0.6, 0.5}),
          recorded("star", 4, 1, {1, 0.125, 0.2}), recorded("star", 8, 1, {1, 0.75, 0.125})};
}

Finding evaluate(Json claim, const std::vector<RecordedRun>& runs = rings_and_stars()) {
  claim["statement"] = "it is so";
  if (!claim.contains("metric")) claim["metric"] = "error";
  Problems problems("claim");
  Choice<ClaimTag> choice;
  choice.read(claim, "", problems);
  problems.throw_if_any();
  return verdicts({choice}, runs).front().finding;
}

std::string problems_of(Json claim) {
  Problems problems("f");
  Choice<ClaimTag> choice;
  choice.read(claim, "", problems);
  return problems.empty() ? "" : problems.text();
}

}  // namespace

TEST_CASE("an order over a key holds in one direction, strictly unless a step is allowed") {
  const Json rings{{"kind", "order"}, {"where", {{"/topology/kind", "ring"}}}, {"over", "/topology/agents"}};
  CHECK(evaluate(rings).holds);
  CHECK(evaluate(rings).measured == "4: 0.25, 8: 0.5");
  Json falling = rings;
  falling["direction"] = "falling";
  CHECK_FALSE(evaluate(falling).holds);
  falling["tolerance"] = 1;  // from 0.25 to 0.5 is a step of 100 %
  CHECK(evaluate(falling).holds);
  falling["tolerance"] = 0.99;
  CHECK_FALSE(evaluate(falling).holds);
  Json at_ten = rings;
  at_ten["at"] = {{"round", 19}};  // the row of round 10: 0.5 and 0.6
  CHECK(evaluate(at_ten).measured == "4: 0.5, 8: 0.6");
  const Json equal{{"kind", "order"},
                   {"of", {{{"/topology/agents", 4}}, {{"/topology/agents", 4}}}},
                   {"where", {{"/topology/kind", "ring"}}}};
  CHECK_FALSE(evaluate(equal).holds);
}

TEST_CASE("the best value of a key has the least number, or the largest, for every value of another key") {
  const Json best{{"kind", "best"}, {"over", "/topology/kind"}, {"value", "star"}, {"each", "/topology/agents"}};
  CHECK(evaluate(best).holds);
  CHECK(evaluate(best).measured == "4 (ring: 0.25, star: 0.2); 8 (ring: 0.5, star: 0.125)");
  Json largest = best;
  largest["largest"] = true;
  CHECK_FALSE(evaluate(largest).holds);
  largest["value"] = "ring";
  CHECK(evaluate(largest).holds);
  Json nearly = best;
  nearly["value"] = "ring";
  nearly["where"] = {{"/topology/agents", {{"at_most", 4}}}};  // 0.25 is a quarter behind 0.2
  nearly["tolerance"] = 0.2499;
  CHECK_FALSE(evaluate(nearly).holds);
  nearly["tolerance"] = 0.2501;
  CHECK(evaluate(nearly).holds);
  Json nobody = best;
  nobody["value"] = "lattice";
  CHECK_THROWS_WITH(evaluate(nobody), Catch::Contains("expected runs with \"lattice\" at /topology/kind"));
}

TEST_CASE("a ratio and a bound lie between their ends, which belong to it") {
  const Json ratio{{"kind", "ratio"},
                   {"where", {{"/topology/agents", 8}}},
                   {"of", {{"/topology/kind", "ring"}}},
                   {"to", {{"/topology/kind", "star"}}},
                   {"at_least", 4},
                   {"at_most", 4}};
  CHECK(evaluate(ratio).holds);
  CHECK(evaluate(ratio).measured == "4 (0.5 over 0.125)");
  const Json bound{
      {"kind", "bound"}, {"where", {{"/topology/kind", "star"}}}, {"combine", "largest"}, {"at_most", 0.2}};
  CHECK(evaluate(bound).holds);
  Json lower = bound;
  lower["combine"] = "least";
  lower["at_least"] = 0.13;
  CHECK_FALSE(evaluate(lower).holds);
}

TEST_CASE("the first row that reaches a level gives the number, and never is infinite") {
  Json rounds{{"kind", "order"},
              {"metric", "round"},
              {"first", {{"error", 0.2}}},
              {"over", "/topology/agents"},
              {"where", {{"/topology/kind", "star"}}}};
  CHECK(evaluate(rounds).measured == "4: 10, 8: 20");
  rounds["where"] = {{"/topology/kind", "ring"}};
  rounds["first"] = {{"error", 0.3}};
  CHECK(evaluate(rounds).measured == "4: 20, 8: never");
  CHECK(evaluate(rounds).holds);
}

TEST_CASE("a trend is followed from row to row of every run") {
  const Json falling{{"kind", "trend"}, {"where", {{"/topology/kind", "ring"}}}};
  CHECK(evaluate(falling).holds);
  const Json stars{{"kind", "trend"}, {"where", {{"/topology/kind", "star"}}}, {"tolerance", 0.5}};
  CHECK_FALSE(evaluate(stars).holds);  // from 0.125 to 0.2: 60 %
  CHECK(evaluate(stars).measured == "largest step the other way 60 %, star 4 in round 20");
  Json later = stars;
  later["from_round"] = 20;
  CHECK(evaluate(later).holds);
}

TEST_CASE("replications are averaged, and runs that differ in more are not") {
  const std::vector<RecordedRun> twice{recorded("ring", 4, 1, {1, 0.25}), recorded("ring", 4, 2, {1, 0.75})};
  const Json bound{{"kind", "bound"}, {"at_least", 0.5}, {"at_most", 0.5}};
  CHECK(evaluate(bound, twice).holds);
  CHECK_THROWS_WITH(evaluate(bound), Catch::Contains("that differ in their seeds alone, found ring 4 and ring 8"));
}

TEST_CASE("what cannot be evaluated names the claim and what is missing") {
  CHECK_THROWS_WITH(evaluate({{"kind", "bound"}, {"at_most", 1}, {"where", {{"/topology/kind", "tree"}}}}),
                    "claim \"it is so\": expected runs with {\"/topology/kind\":\"tree\"}, found none");
  CHECK_THROWS_WITH(evaluate({{"kind", "trend"}, {"metric", "eror"}}),
                    Catch::Contains("expected one of the columns round, error, found eror; did you mean error?"));
  CHECK_THROWS_AS(evaluate({{"kind", "bound"}, {"at_most", 1}}, {recorded("ring", 4, 1, {1, nan})}), OutputError);
}

TEST_CASE("claims that make no sense are told where they stand") {
  CHECK(problems_of({{"kind", "order"}, {"statement", "s"}}) ==
        "f: /over: expected exactly one of over and of, found neither");
  CHECK(problems_of({{"kind", "bound"}, {"statement", "s"}}) == "f: expected at_least, at_most or both, found neither");
  CHECK_THAT(problems_of({{"kind", "bound"}, {"at_most", 1}}), Catch::Contains("statement"));
  CHECK_THAT(problems_of({{"kind", "bound"}, {"statement", "s"}, {"at_most", 1}, {"where", {{"topology", 1}}}}),
             Catch::Contains("/where: expected an object of JSON pointers"));
  CHECK_THAT(problems_of({{"kind", "bound"}, {"statement", "s"}, {"at_most", 1}, {"at", {{"round", "end"}}}}),
             Catch::Contains("/at: expected an object of one column to a number"));
}

}  // namespace lagnet::claims_test
