#include <catch2/catch.hpp>
#include <limits>

#include "scenarios/compare/tables/curve.hpp"
#include "tests/unit/scenarios/results/recorded_folder.hpp"

namespace lagnet::curve_test {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

RecordedRun run_of(const ProgressTable& progress) {
  RecordedRun run;
  run.folder = "r";
  run.summary = Json::object();
  run.progress = progress;
  return run;
}

std::string refused(const RecordedRun& run, std::string_view axis, std::string_view metric) {
  const TestFolder place;
  return refusal(place, [&] { recorded_curve(run, axis, metric); });
}

}  // namespace

TEST_CASE("the last row at a place of the axis counts, and rows without the metric are left out") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const RecordedRun run =
      run_of({{"bytes", "error", "empty"}, {{0, 5, 5, 8, 9}, {4, 3, 2, none, 1}, {none, none, none, none, none}}});
  const Curve curve = recorded_curve(run, "bytes", "error");
  CHECK(curve.x == std::vector<double>{0, 5, 9});
  CHECK(curve.y == std::vector<double>{4, 2, 1});
  CHECK(refused(run, "error", "bytes") ==
        "r/progress.csv: expected an axis that never falls, found error with 3 after 4");
  CHECK(refused(run, "empty", "bytes") ==
        "r/progress.csv: expected a number in every row of empty, found none in row 1");
  CHECK(refused(run_of({{"bytes", "error"}, {{none}, {4}}}), "bytes", "error") ==
        "r/progress.csv: expected a number in every row of bytes, found none in row 1");
  CHECK(refused(run, "bytes", "empty") == "r/progress.csv: expected a row with empty, found none");
  RecordedRun explained = run;
  explained.summary = Json::parse(R"({"optimum": {"why": "not asked for"}})");
  CHECK(refused(explained, "bytes", "empty") == "r/progress.csv: expected a row with empty, found none: not asked for");
  CHECK_THAT(refused(run, "byte", "error"), Catch::EndsWith("found byte; did you mean bytes?"));
}

TEST_CASE("observations are carried forward, or joined by lines, and never beyond the ends") {
  const Curve curve{{1, 3, 7}, {10, 6, 2}};
  CHECK(carried_forward(curve, 0.5) == std::nullopt);
  CHECK(carried_forward(curve, 1) == 10);
  CHECK(carried_forward(curve, 2.9) == 10);
  CHECK(carried_forward(curve, 3) == 6);
  CHECK(carried_forward(curve, 7) == 2);
  CHECK(carried_forward(curve, 7.5) == std::nullopt);
  CHECK(interpolated(curve, 1) == 10);
  CHECK(interpolated(curve, 2) == 8);
  CHECK(interpolated(curve, 6) == 3);
  CHECK(interpolated(curve, 8) == std::nullopt);
  CHECK(carried_forward({}, 0) == std::nullopt);
}

TEST_CASE("common values of the axis are those of any curve, thinned evenly with both ends kept") {
  const std::vector<double> all = union_of_x({{{0, 2, 4}, {}}, {{1, 2, 10}, {}}});
  CHECK(all == std::vector<double>{0, 1, 2, 4, 10});
  CHECK(spread_out(all, 0) == all);
  CHECK(spread_out(all, 5) == all);
  CHECK(spread_out(all, 3) == std::vector<double>{0, 4, 10});  // 5 is not there, 4 is the last before
  CHECK(spread_out(all, 2) == std::vector<double>{0, 10});
  CHECK(spread_out(all, 1) == std::vector<double>{10});
}

TEST_CASE("quantiles lie on the line between order statistics") {
  CHECK(quantile(std::vector<double>{1, 2, 3, 4}, 0.5) == 2.5);
  CHECK(quantile(std::vector<double>{1, 2, 3, 4}, 0.25) == 1.75);
  CHECK(quantile(std::vector<double>{1, 2, 3, 4}, 0) == 1);
  CHECK(quantile(std::vector<double>{1, 2, 3, 4}, 1) == 4);
  CHECK(quantile(std::vector<double>{5}, 0.3) == 5);
  CHECK(quantile(std::vector<double>{1, infinity, infinity}, 0.75) == infinity);
  CHECK(quantile(std::vector<double>{1, 2, infinity}, 0.5) == 2);
  const Spread spread = spread_of({5, 1, 3, 7});
  CHECK(spread.count == 4);
  CHECK(spread.mean == 4);
  CHECK(spread.median == 4);
  CHECK(spread.min == 1);
  CHECK(spread.max == 7);
}

TEST_CASE("a mean curve goes as far as all curves do") {
  const Curve mean = mean_curve({{{0, 2, 4}, {8, 4, 0}}, {{0, 3}, {6, 0}}}, {0, 1, 2, 3, 4});
  CHECK(mean.x == std::vector<double>{0, 1, 2, 3});
  CHECK(mean.y == std::vector<double>{7, 5, 3, 1});  // 6+4, 4+2 and 2+0 at 1, 2 and 3
}

TEST_CASE("curves cross where lines between their points do") {
  // Differences 0, -0.25, 0.75: a quarter of the way from 1 to 2, on the line from 0.5 to 0.9 up to rounding.
  const std::vector<Crossing> found = crossings({{0, 1, 2}, {1, 0.5, 0.9}}, {{0, 1, 2}, {1, 0.75, 0.15}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].x == Approx(1.25).epsilon(1e-15));
  CHECK(found[0].y == Approx(0.6).epsilon(1e-15));
  CHECK(!found[0].first_is_lower_after);
  CHECK(crossings({{0, 1, 2}, {2, 1, 2}}, {{0, 1, 2}, {1, 1, 1}}).empty());  // they touch
  const auto after_equal = crossings({{0, 1, 2, 3}, {3, 1, 1, 0}}, {{0, 1, 2, 3}, {2, 1, 1, 1}});
  REQUIRE(after_equal.size() == 1);
  CHECK(after_equal[0].x == 1);
  CHECK(after_equal[0].y == 1);
  CHECK(after_equal[0].first_is_lower_after);
  CHECK(crossings({{0, 1, 2}, {0, infinity, 0}}, {{0, 1, 2}, {1, 1, 1}}).empty());
  CHECK(crossings({{0, 1, 2}, {0, infinity, 2}}, {{0, 1, 2}, {1, 1, 1}}).empty());  // the place is unknown
}

TEST_CASE(
    "a series has a value where each run has one: a run that is done keeps its last, any other end ends the series") {
  const Curve done{{0, 1}, {1, 0.1}, true}, longer{{0, 2, 4}, {1, 0.5, 0.4}, false};
  CHECK(values_of_all({done, longer}, 0.5) == std::vector<double>{1, 1});
  CHECK(values_of_all({done, longer}, 3) == std::vector<double>{0.1, 0.5});
  CHECK_FALSE(values_of_all({done, longer}, 5));
  const Curve ended{{0, 1}, {1, 0.1}, false};
  CHECK(values_of_all({ended, longer}, 1) == std::vector<double>{0.1, 1});
  CHECK_FALSE(values_of_all({ended, longer}, 1.5));
  CHECK_FALSE(values_of_all({done, done}, 1.5));  // no run goes on
  CHECK_FALSE(values_of_all({longer, {{1}, {1}, false}}, 0.5));
}

}  // namespace lagnet::curve_test
