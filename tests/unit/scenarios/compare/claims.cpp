#include "scenarios/compare/claims.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <limits>

#include "checkout_paths.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"
#include "tests/unit/scenarios/compare/claim_of.hpp"

namespace lagnet::claims_test {

namespace {

namespace fs = std::filesystem;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A run of `kind` on this number of agents, whose column `error` has these values in rounds 0, 10, 20, ..
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

Finding evaluate(const Json& claim, const std::vector<RecordedRun>& runs = rings_and_stars()) {
  return test::evaluate(claim, runs);
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
  const Json best{{"kind", "best"}, {"over", "/topology/kind"}, {"value", "star"}, {"each", {"/topology/agents"}}};
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

TEST_CASE("a difference lies between its ends, and a number may be a mean of rows") {
  const Json less{{"kind", "difference"},
                  {"where", {{"/topology/kind", "ring"}}},
                  {"of", {{"/topology/agents", 8}}},
                  {"to", {{"/topology/agents", 4}}},
                  {"at_least", 0.25},
                  {"at_most", 0.25}};
  CHECK(evaluate(less).holds);
  CHECK(evaluate(less).measured == "0.25 (0.5 less 0.25)");
  Json means = less;
  means["mean_of_rows"] = 2;  // 0.55 less 0.375
  CHECK(evaluate(means).measured == "0.175 (0.55 less 0.375)");
  means["mean_of_rows"] = 99;  // all three rows: 0.7 less 7/12
  CHECK(evaluate(means).measured == "0.1167 (0.7 less 0.5833)");
}

TEST_CASE("a claim for each of several keys is made for every combination") {
  const Json bound{{"kind", "bound"}, {"each", {"/topology/agents", "/topology/kind"}}, {"at_most", 0.3}};
  CHECK(evaluate(bound).measured == "4 (ring (0.25); star (0.2)); 8 (ring (0.5); star (0.125))");
  CHECK_FALSE(evaluate(bound).holds);
}

TEST_CASE("a trend is followed from row to row of every run") {
  const Json falling{{"kind", "trend"}, {"where", {{"/topology/kind", "ring"}}}};
  CHECK(evaluate(falling).holds);
  const Json stars{{"kind", "trend"}, {"where", {{"/topology/kind", "star"}}}, {"tolerance", 0.5}};
  CHECK_FALSE(evaluate(stars).holds);  // from 0.125 to 0.2: 60 %
  CHECK(evaluate(stars).measured == "largest step the other way 60 %, star 4 in round 20");
  const std::vector<RecordedRun> up_once{recorded("ring", 4, 1, {1, 2, 0.5, 0.25})};
  Json later{{"kind", "trend"}};
  CHECK_FALSE(evaluate(later, up_once).holds);
  later["from_round"] = 10;
  CHECK(evaluate(later, up_once).holds);
  later["from_round"] = 30;
  CHECK_THROWS_WITH(evaluate(later, up_once), Catch::Contains("two rows or more from round 30 on, found 1"));
  const std::vector<RecordedRun> at_zero{recorded("ring", 4, 1, {1, 0, 0})};  // 0/0 is no step
  CHECK(evaluate({{"kind", "trend"}}, at_zero).holds);
  CHECK(evaluate({{"kind", "trend"}}, at_zero).measured == "largest step the other way 0 %");
}

TEST_CASE("a jump is somewhere in every run that matches") {
  // Stars rise from 0.125 to 0.2 on four, and on eight they only fall.
  Json jump{{"kind", "jump"}, {"where", {{"/topology/kind", "star"}, {"/topology/agents", 4}}}, {"at_least", 0.5}};
  CHECK(evaluate(jump).holds);
  CHECK(evaluate(jump).measured == "largest step of the steadiest run 60 %, star 4 in round 20");
  jump["at_least"] = 0.61;
  CHECK_FALSE(evaluate(jump).holds);
  jump["at_least"] = 0.5;
  jump["where"] = {{"/topology/kind", "star"}};
  CHECK_FALSE(evaluate(jump).holds);
  CHECK(evaluate(jump).measured == "largest step of the steadiest run 0 %");
  jump["direction"] = "falling";  // by seven eighths and by five sixths
  CHECK(evaluate(jump).measured == "largest step of the steadiest run 83.3 %, star 8 in round 20");
  CHECK_THROWS_WITH(evaluate({{"kind", "jump"}, {"at_least", 0.1}, {"where", {{"/topology/kind", "tree"}}}}),
                    "expected runs to follow, found none");
}

TEST_CASE("an infinite number does not contradict the best one, and a single number is not the best") {
  const std::vector<RecordedRun> runs{recorded("ring", 4, 1, {1, 0.5}), recorded("star", 4, 1, {1, 0.75})};
  const Json best{{"kind", "best"},
                  {"metric", "round"},
                  {"over", "/topology/kind"},
                  {"value", "ring"},
                  {"first", {{"error", 0.6}}}};
  CHECK(evaluate(best, runs).measured == "ring: 10, star: never");
  CHECK(evaluate(best, runs).holds);
  Json other = best;
  other["value"] = "star";
  CHECK_FALSE(evaluate(other, runs).holds);
  other["tolerance"] = 0.5;
  CHECK_FALSE(evaluate(other, runs).holds);
  other["first"] = {{"error", 0.1}};
  CHECK(evaluate(other, runs).measured == "ring: never, star: never");
  CHECK_FALSE(evaluate(other, runs).holds);  // as far as the others, and nowhere
  CHECK_THROWS_WITH(evaluate(best, {runs[0]}),
                    Catch::Contains("expected two numbers or more to compare, found ring: 10"));
}

TEST_CASE("a step against a negative number is allowed by a share of its size") {
  const std::vector<RecordedRun> runs{recorded("ring", 4, 1, {-1.0}), recorded("ring", 8, 1, {-1.05})};
  Json rising{{"kind", "order"}, {"over", "/topology/agents"}, {"tolerance", 0.04}};
  CHECK_FALSE(evaluate(rising, runs).holds);
  rising["tolerance"] = 0.05;
  CHECK(evaluate(rising, runs).holds);
}

TEST_CASE("replications are averaged, and runs that differ in more are not") {
  const std::vector<RecordedRun> twice{recorded("ring", 4, 1, {1, 0.25}), recorded("ring", 4, 2, {1, 0.75})};
  const Json bound{{"kind", "bound"}, {"at_least", 0.5}, {"at_most", 0.5}};
  CHECK(evaluate(bound, twice).holds);
  CHECK_THROWS_WITH(evaluate(bound), Catch::Contains("that differ in their seeds alone, found ring 4 and ring 8"));
}

TEST_CASE("a row may be chosen on the mean of the replications' curves, which is not the mean of their rows") {
  // 1, 0.5, 0.1 on average.
  std::vector<RecordedRun> twice{recorded("ring", 4, 1, {1, 0.2, 0.1}), recorded("ring", 4, 2, {1, 0.8, 0.1})};
  Json bound{{"kind", "bound"}, {"metric", "round"}, {"first", {{"error", 0.5}}}, {"at_least", 0}};
  CHECK(evaluate(bound, twice).measured == "15");
  bound["combine"] = "mean_curve";
  CHECK(evaluate(bound, twice).measured == "10");
  bound["first"] = {{"error", 0.4}};
  CHECK(evaluate(bound, twice).measured == "20");
  bound["first"] = {{"error", {{"at_most", 5}, {"of_last", true}}}};
  CHECK(evaluate(bound, twice).measured == "10");
  bound.erase("first");
  bound["metric"] = "error";
  bound["at"] = {{"round", 10}};
  CHECK(evaluate(bound, twice).measured == "0.5");
  CHECK_THROWS_WITH(evaluate(bound), Catch::Contains("that differ in their seeds alone, found ring 4 and ring 8"));
  twice[1] = recorded("ring", 4, 2, {1, 0.8});
  CHECK_THROWS_WITH(evaluate(bound, twice), Catch::Contains("expected runs with the same recorded rounds"));
}

TEST_CASE("a level may be a share of the last value of other runs, at the same values of other keys") {
  // Rings end at 0.25 on 4 agents and at 0.5 on 8; half of that is 0.125 and 0.25.
  Json stars{{"kind", "bound"},
             {"metric", "round"},
             {"where", {{"/topology/kind", "star"}}},
             {"each", {"/topology/agents"}},
             {"first", {{"error", {{"at_most", 0.5}, {"of_last", {{"/topology/kind", "ring"}}}}}}},
             {"at_most", 10}};
  CHECK(evaluate(stars).measured == "4 (10); 8 (20)");
  CHECK_FALSE(evaluate(stars).holds);
  stars["first"]["error"]["at_most"] = 0.4;  // 0.1 and 0.2
  CHECK(evaluate(stars).measured == "4 (never); 8 (20)");
  stars["first"]["error"] = {{"at_most", 1}, {"of_last", {{"/topology/agents", 8}}}};  // 0.125, the star's on 8
  CHECK(evaluate(stars).measured == "4 (10); 8 (20)");
  const Json ratio{{"kind", "ratio"},
                   {"metric", "round"},
                   {"where", {{"/topology/agents", 8}}},
                   {"of", {{"/topology/kind", "ring"}}},
                   {"to", {{"/topology/kind", "star"}}},
                   {"first", {{"error", {{"at_most", 1.2}, {"of_last", {{"/topology/kind", "ring"}}}}}}},  // 0.6
                   {"at_most", 1}};
  CHECK(evaluate(ratio).measured == "0.5 (10 over 20)");
  stars["first"]["error"]["of_last"] = {{"/topology/kind", "tree"}};
  CHECK_THROWS_WITH(evaluate(stars), Catch::Contains("expected runs with {\"/topology/kind\":\"tree\","
                                                     "\"/topology/agents\":4}, found none"));
}

TEST_CASE("the largest of some numbers is at most a multiple of the least, and none may be missing") {
  // 0.25 and 0.5 on rings: twice.
  Json spread{
      {"kind", "spread"}, {"where", {{"/topology/kind", "ring"}}}, {"over", "/topology/agents"}, {"at_most", 2}};
  CHECK(evaluate(spread).holds);
  CHECK(evaluate(spread).measured == "4: 0.25, 8: 0.5");
  spread["at_most"] = 1.99;
  CHECK_FALSE(evaluate(spread).holds);
  spread["metric"] = "round";
  spread["first"] = {{"error", 0.1}};  // never: infinity is not as far as infinity
  CHECK_FALSE(evaluate(spread).holds);
}

TEST_CASE("a ratio is held against its bounds in every round of a range") {
  // Rings over stars on 4 agents: 1, 4, 1.25 in rounds 0, 10, 20.
  Json ratio{{"kind", "ratio"},
             {"where", {{"/topology/agents", 4}}},
             {"of", {{"/topology/kind", "ring"}}},
             {"to", {{"/topology/kind", "star"}}},
             {"rounds", {{"at_least", 0}}},
             {"at_least", 1},
             {"at_most", 4}};
  CHECK(evaluate(ratio).holds);
  CHECK(evaluate(ratio).measured == "from 1 (round 0) to 4 (round 10)");
  ratio["at_most"] = 3.9;
  CHECK_FALSE(evaluate(ratio).holds);
  ratio["rounds"] = {{"at_least", 11}, {"at_most", 20}};
  CHECK(evaluate(ratio).measured == "from 1.25 (round 20) to 1.25 (round 20)");
  ratio["rounds"] = {{"at_least", 21}};
  CHECK_THROWS_WITH(evaluate(ratio), Catch::Contains("expected rounds in {\"at_least\":21}, found none"));
}

TEST_CASE("a ratio may combine numerators and denominators differently") {
  // The largest of the rings' 0.25 and 0.5 over the least of the stars' 0.2 and 0.125.
  const Json ratio{{"kind", "ratio"},
                   {"of", {{"/topology/kind", "ring"}}},
                   {"to", {{"/topology/kind", "star"}}},
                   {"combine", "largest"},
                   {"to_combine", "least"},
                   {"at_least", 4}};
  CHECK(evaluate(ratio).measured == "4 (0.5 over 0.125)");
}

TEST_CASE("the ratio of two numbers is followed over a key") {
  // 0.25 / 0.2 on 4 agents, 0.5 / 0.125 on 8.
  Json order{{"kind", "ratio_order"},
             {"of", {{"/topology/kind", "ring"}}},
             {"to", {{"/topology/kind", "star"}}},
             {"over", "/topology/agents"}};
  CHECK(evaluate(order).holds);
  CHECK(evaluate(order).measured == "4: 1.25, 8: 4");
  order["values"] = {8, 4};
  CHECK_FALSE(evaluate(order).holds);
}

TEST_CASE("a row is chosen from below, from above, and by a share of the last value") {
  Json row{{"kind", "bound"},
           {"metric", "round"},
           {"at_least", 0},
           {"where", {{"/topology/kind", "star"}, {"/topology/agents", 4}}},  // 1, 0.125, 0.2
           {"first", {{"error", {{"at_most", 0.75}, {"of_last", true}}}}}};   // 0.15
  CHECK(evaluate(row).measured == "10");
  row["first"] = {{"error", {{"at_most", 0.5}, {"of_last", true}}}};  // 0.1
  CHECK(evaluate(row).measured == "never");
  row.erase("first");
  row["at"] = {{"error", {{"at_least", 0.9}}}};
  CHECK(evaluate(row).measured == "0");
  row["at"] = {{"error", {{"at_least", 2}}}};
  CHECK_THROWS_WITH(evaluate(row), Catch::Contains("expected a row with error {\"at_least\":2"));
}

TEST_CASE("a rate is the factor a round between two rows") {
  // From 1 in round 0 to 0.25 in round 20 on four, to 0.5 in round 10: 2^(-1/10) a round both times.
  const double rate = std::pow(2, -0.1);
  Json bound{{"kind", "bound"},
             {"where", {{"/topology/kind", "ring"}, {"/topology/agents", 4}}},
             {"rate_from_round", 0},
             {"at_least", rate * (1 - 1e-15)},  // pow is good to a unit in the last place
             {"at_most", rate * (1 + 1e-15)}};
  CHECK(evaluate(bound).holds);
  bound["at"] = {{"round", 10}};
  CHECK(evaluate(bound).holds);
  bound["rate_from_round"] = 10;
  CHECK_THROWS_WITH(evaluate(bound), Catch::Contains("expected a row of round 10 before that of round 10, found none"));
  const Json from_start{{"kind", "bound"}, {"rate_from_round", 0}, {"at_most", 1}};
  CHECK_THROWS_WITH(evaluate(from_start, {recorded("ring", 4, 1, {nan, 1})}), Catch::Contains("a number other than 0"));
  CHECK_THROWS_WITH(evaluate(from_start, {recorded("ring", 4, 1, {0, 1})}), Catch::Contains("a number other than 0"));
}

TEST_CASE("numbers of a run's summary, and the excess over its optimum") {
  RecordedRun run = recorded("ring", 4, 1, {});
  run.summary = {{"optimum", {{"value", 2.5}}}, {"constants", {{"Theta", 0.75}}}};
  run.progress = {{"round", "objective"}, {{0, 10}, {4, 3}}};
  const std::vector<RecordedRun> runs{run};
  const Json bound{{"kind", "bound"}, {"metric", "excess"}, {"at_least", 0}};
  CHECK(evaluate(bound, runs).measured == "0.5");
  const Json ratio{{"kind", "ratio"},      {"metric", "objective"}, {"to_metric", "/constants/Theta"},
                   {"of", Json::object()}, {"to", Json::object()},  {"at_most", 4}};
  CHECK(evaluate(ratio, runs).measured == "4 (3 over 0.75)");
  CHECK_THROWS_WITH(evaluate({{"kind", "bound"}, {"metric", "/constants/theta"}, {"at_least", 0}}, runs),
                    Catch::Contains("expected a number at /constants/theta, found nothing"));
}

TEST_CASE("the claims and points of the papers' scenarios are well formed") {
  std::size_t figures = 0, statements = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(LAGNET_SOURCE_DIR) / "scenarios/papers")) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path().string());
    const ScenarioFile file = read_scenario_file(entry.path());
    for (const ScenarioFile& size : {file, at_full_size(file)}) {
      statements += read_presentation(size).expect.size();
      for (const SweepPoint& point : sweep_points(size)) CHECK_NOTHROW(read_scenario(point.file));
    }
    ++figures;
  }
  CHECK(figures >= 15);
  CHECK(statements >= 2 * 40);
}

TEST_CASE("the error for an impossible evaluation names the claim and the missing part") {
  CHECK_THROWS_WITH(evaluate({{"kind", "bound"}, {"at_most", 1}, {"where", {{"/topology/kind", "tree"}}}}),
                    "expected runs with {\"/topology/kind\":\"tree\"}, found none");
  CHECK_THROWS_WITH(evaluate({{"kind", "trend"}, {"metric", "eror"}}),
                    Catch::Contains("expected one of the columns round, error, found eror; did you mean error?"));
  CHECK_THROWS_AS(evaluate({{"kind", "bound"}, {"at_most", 1}}, {recorded("ring", 4, 1, {1, nan})}), OutputError);
  const Json of_nothing{{"kind", "bound"},
                        {"metric", "round"},
                        {"at_most", 1},
                        {"first", {{"error", {{"at_most", 2}, {"of_last", true}}}}}};
  CHECK_THROWS_WITH(evaluate(of_nothing, {recorded("ring", 4, 1, {1, nan})}),
                    Catch::Contains("expected a number in the last row, found none"));
}

}  // namespace lagnet::claims_test
