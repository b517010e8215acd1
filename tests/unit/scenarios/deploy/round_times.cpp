#include "scenarios/deploy/round_times.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"

namespace lagnet::round_times_test {

namespace {

RecordedRun run_of(const std::string& name, std::vector<double> rounds, std::vector<double> seconds,
                   std::vector<double> objectives) {
  RecordedRun run;
  run.folder = name;
  run.progress.columns = {"round", "simulated_s", "objective"};
  run.progress.values = {std::move(rounds), std::move(seconds), std::move(objectives)};
  return run;
}

}  // namespace

TEST_CASE("the times of rounds are those between rows, whatever the first one began with") {
  const RecordedRun simulated = run_of("simulated", {0, 1, 2, 4}, {0, 1, 2, 4}, {9, 8, 7, 6});
  const RecordedRun real = run_of("real", {0, 1, 2, 4}, {0.5, 1.6, 2.4, 4.8}, {9, 8, 7, 6});
  const RoundTimes times = compare_round_times(real, simulated);
  CHECK(times.rounds == 3);
  CHECK(times.real_s == Approx(1.1));  // of 1.1, 0.8 and 1.2
  CHECK(times.simulated_s == Approx(1));
  CHECK(times.error_median == Approx(0.2));  // of 0.1, 0.2 and 0.2
  CHECK(times.error_p95 == Approx(0.2));
  CHECK(times.same_values);
}

TEST_CASE("rounds recorded by only one run are left out, and differing values are reported") {
  const RecordedRun simulated = run_of("simulated", {0, 2, 4}, {0, 2, 4}, {9, 7, 5});
  const RecordedRun real = run_of("real", {0, 1, 2, 3, 4}, {0, 1, 2, 3, 5}, {9, 8, 7, 6, 5.0000000000000009});
  const RoundTimes times = compare_round_times(real, simulated);
  CHECK(times.rounds == 2);
  CHECK(times.error_p95 == Approx(0.5));  // three seconds for two rounds
  CHECK(!times.same_values);
}

TEST_CASE("runs without two common rounds are refused") {
  const RecordedRun simulated = run_of("simulated", {0, 2}, {0, 2}, {9, 7});
  CHECK_THROWS_WITH(compare_round_times(run_of("real", {0, 1}, {0, 1}, {9, 8}), simulated),
                    "real and simulated: expected two recorded rounds or more in common, found 1");
  CHECK_THROWS_WITH(
      compare_round_times(run_of("real", {0, 2}, {0, 1}, {9, 8}), run_of("simulated", {0, 2}, {1, 1}, {9, 7})),
      "simulated: round 2 takes no time");
}

}  // namespace lagnet::round_times_test
