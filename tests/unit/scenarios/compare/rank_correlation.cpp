#include "scenarios/compare/rank_correlation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/compare/claim_of.hpp"

namespace lagnet::rank_correlation_test {

namespace {

/// Ends with these two numbers.
RecordedRun recorded(double error, double bound) {
  RecordedRun run;
  run.folder = "runs/one";
  run.scenario = Json::object();
  run.progress.columns = {"round", "error", "bound"};
  run.progress.values = {{0, 10}, {1, error}, {9, bound}};
  return run;
}

Finding evaluate(const std::vector<RecordedRun>& runs, Json claim) {
  claim["kind"] = "rank_correlation";
  return test::evaluate(claim, runs);
}

}  // namespace

TEST_CASE("ranks that agree have the correlation 1 whatever the numbers and those that oppose have -1") {
  CHECK(rank_correlation({1, 2, 1000}, {-5, 0, 0.001}) == 1);
  CHECK(rank_correlation({1, 2, 1000}, {3, 2, 1}) == -1);
  // Without ties 1 - 6 sum of d^2 / (n (n^2 - 1)): the differences are 1, 1, 1, 1, so 1 - 24 / 60.
  CHECK(rank_correlation({1, 2, 3, 4}, {2, 1, 4, 3}) == Approx(0.6));
}

TEST_CASE("equal numbers share the mean of their ranks") {
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4, whose correlation is 4.5 / sqrt(4.5 * 5).
  CHECK(rank_correlation({1, 7, 7, 9}, {1, 2, 3, 4}) == Approx(4.5 / std::sqrt(4.5 * 5)));
  CHECK(std::isnan(rank_correlation({1, 1, 1}, {1, 2, 3})));
}

TEST_CASE("a claim ranks the runs that match by two of their columns") {
  const std::vector<RecordedRun> runs{recorded(0.1, 1), recorded(0.2, 3), recorded(0.3, 2), recorded(0.4, 4)};
  const Finding finding = evaluate(runs, {{"to_metric", "bound"}, {"at_least", 0.7}});
  CHECK(finding.holds);
  CHECK(finding.measured == "0.800 over 4 runs");
  CHECK(finding.called == "rank correlation");
  CHECK_FALSE(evaluate(runs, {{"to_metric", "bound"}, {"at_least", 0.9}}).holds);
  CHECK_THROWS_WITH(evaluate({runs[0], runs[1]}, {{"to_metric", "bound"}, {"at_least", 0}}),
                    "expected three runs or more to rank, found 2");
  CHECK_THROWS_AS(evaluate(runs, {{"to_metric", "bounds"}, {"at_least", 0}}), OutputError);
}

}  // namespace lagnet::rank_correlation_test
