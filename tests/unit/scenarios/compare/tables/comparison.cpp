#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "scenarios/compare/tables/comparison.hpp"
#include "tests/unit/scenarios/results/recorded_folder.hpp"

namespace lagnet::comparison_test {

namespace {

/// A scenario's changes: its algorithm and its seed.
std::string scenario_of(const std::string& kind, int seed) {
  return Json{{"algorithm", {{"kind", kind}}}, {"seed", seed}}.dump();
}

/// Rows of which each takes `seconds` and sends `bytes`, with these errors.
std::string progress_of(double seconds, int bytes, const std::vector<double>& errors) {
  std::string csv = "round,simulated_s,relative_error,messages,bytes,flops,flops_per_agent_max,encrypting_s\n";
  for (std::size_t t = 0; t < errors.size(); ++t)
    csv += fmt::format("{},{},{},{},{},{},{},0\n", t, static_cast<double>(t) * seconds, errors[t], 2 * t,
                       t * static_cast<std::size_t>(bytes), 100 * t, 10 * t);
  return csv;
}

/// "fast" takes 1 s a round and sends 8 bytes, "lean" 2 s and 1 byte; both have the seeds 1 and 2, lean 3, too.
std::vector<RecordedRun> two_series(const TestFolder& place) {
  std::vector<std::filesystem::path> folders;
  const auto add = [&](const std::string& name, const std::string& kind, int seed, const std::string& progress,
                       int last) {
    folders.push_back(write_recorded(place, name, {scenario_of(kind, seed), progress, last}));
  };
  add("f2", "fast", 2, progress_of(1, 8, {1, 0.5, 0.1, 0.01}), 3);
  add("l1", "lean", 1, progress_of(2, 1, {1, 0.1, 0.05}), 2);
  add("f1", "fast", 1, progress_of(1, 8, {1, 0.2, 0.05, 0.02}), 3);
  add("l2", "lean", 2, progress_of(2, 1, {1, 0.3, 0.02}), 2);
  add("l3", "lean", 3, progress_of(2, 1, {1, 0.4, 0.3}), 2);
  return read_recorded_runs(folders).runs;
}

Json rows_of(const std::vector<ResultTable>& tables, const std::string& name) {
  for (const ResultTable& table : tables)
    if (table.name == name) return as_json(table);
  FAIL("no table " + name);
  return {};
}

std::vector<ComparedSeries> series_of(const std::vector<RecordedRun>& runs, const CompareOptions& options = {}) {
  std::vector<const RecordedRun*> all;
  for (const RecordedRun& run : runs) all.push_back(&run);
  return compared_series(all, options);
}

}  // namespace

TEST_CASE("series are runs that differ only in their seeds, named by their differences") {
  const TestFolder place;
  const std::vector<RecordedRun> runs = two_series(place);
  const std::vector<ComparedSeries> series = series_of(runs);
  REQUIRE(series.size() == 2);
  CHECK(series[0].name == "fast");
  CHECK(series[1].name == "lean");
  CHECK(series[0].runs.size() == 2);
  CHECK(series[0].runs[0].recorded->label == "fast seed=1");
  CHECK(series[1].find(3)->recorded->label == "lean seed=3");
  CHECK(series[0].find(3) == nullptr);
}

TEST_CASE("a run has its seed, its end and the costs of levels") {
  const TestFolder place;
  const std::vector<RecordedRun> runs = two_series(place);
  const std::vector<ComparedSeries> series = series_of(runs, {.to = {0.1, 0.01}});
  const ComparedRun& fast = *series[0].find(2);
  CHECK(fast.place == 0);
  CHECK(fast.status.empty());  // the summary does not say
  CHECK(fast.ended_by == "rounds");
  CHECK(fast.last("relative_error") == 0.01);
  CHECK_FALSE(fast.last("no_column"));
  CHECK(fast.paid("bytes", 0.1) == 16);
  CHECK(fast.cost("simulated_s", 0.01).before == 3);  // a row for each round leaves no doubt
  CHECK(fast.ended_on_arrival(0.01));
  CHECK_FALSE(fast.ended_on_arrival(0.1));
  CHECK_FALSE(series[1].find(3)->paid("simulated_s", 0.1));
  const std::vector<const ComparedRun*> given = runs_of(series);
  REQUIRE(given.size() == runs.size());
  for (std::size_t k = 0; k < runs.size(); ++k) CHECK(given[k]->recorded == &runs[k]);
}

TEST_CASE("names take as many members as they need, and texts beside the progress take none") {
  const TestFolder place;
  const auto name = [&](const std::string& folder, const std::string& changes) {
    return write_recorded(place, folder, {.changes = changes});
  };
  const auto runs =
      read_recorded_runs(
          {name("a", R"({"topology": {"agents": 4}})"), name("b", R"({"topology": {"agents": 9}})"),
           name("c", R"({"topology": {"kind": "star", "agents": 9}})"),
           name("d", R"({"topology": {"agents": 4}, "seed": 2, "name": "other", "record": {"trace": true}})")})
          .runs;
  const std::vector<ComparedSeries> series = series_of(runs);
  REQUIRE(series.size() == 3);
  CHECK(series[0].name == "ring agents=4");
  CHECK(series[1].name == "ring agents=9");
  CHECK(series[2].name == "star agents=9");
  CHECK(series[0].runs.size() == 2);
  const auto single = read_recorded_runs({name("a", "{}")}).runs;
  CHECK(series_of(single)[0].name == "dgd");
}

TEST_CASE("claims, figures and tuning of a scenario do not change its series") {
  const TestFolder place;
  const auto a =
      write_recorded(place, "a", {.changes = R"({"expect": [{"kind": "bound"}], "figure": [], "full": {}})"});
  const auto b = write_recorded(place, "b", {.changes = R"({"tune": {"candidates": 3}, "seed": 2})"});
  const auto runs = read_recorded_runs({a, b}).runs;
  CHECK(series_of(runs).size() == 1);
}

TEST_CASE("a series without a member of its own has its number for a name") {
  const TestFolder place;
  const auto a = write_recorded(place, "a", {});
  const auto b = write_recorded(place, "b", {.changes = R"({"compute": {"speed": 2}})"});
  const auto runs = read_recorded_runs({a, b}).runs;
  const std::vector<ComparedSeries> series = series_of(runs);
  CHECK(series[0].name == "(1)");
  CHECK(series[1].name == "speed=2");
}

TEST_CASE("runs of other problems, and the same run twice, are refused") {
  const TestFolder place;
  const auto compared = [&](const std::string& changes) {
    const auto a = write_recorded(place, "a", {}), b = write_recorded(place, "b", {.changes = changes});
    return refusal(place, [&] { series_of(read_recorded_runs({a, b}).runs); });
  };
  CHECK(compared(R"({"problem": {"loss": {"kind": "logistic"}}})") ==
        "a: expected runs over the same data and problem, found others: /problem/loss/kind is \"squared\", and "
        "\"logistic\" in b");
  CHECK(compared(R"({"problem": {"weight": 2}})") ==
        "a: expected runs over the same data and problem, found others: /problem/weight is missing, and 2 in b");
  CHECK_THAT(compared(R"({"data": {"path": "../b.txt"}})"), Catch::Contains("/data/path is "));
  CHECK(compared(R"({"name": "other"})") == "b: expected runs that differ, found the scenario and seed of a");
}

TEST_CASE("curves carry the last observation forward and end with each run") {
  const TestFolder place;
  const ComparedRuns comparison = compare_runs(two_series(place), {.points = 0});
  CHECK(comparison.headline == "2 series, 5 runs: relative_error over simulated time (s), medians over seeds");
  const Json shown = rows_of(comparison.tables, "curves"), tidy = rows_of(comparison.tidy, "curves");
  REQUIRE(shown.size() == 5);  // 0, 1, 2, 3 and 4 s
  // At 3 s fast has 0.01 and 0.02, lean 0.1, 0.3 and 0.4 from 2 s on; at 4 s no run of fast is left.
  CHECK(shown[3]["simulated_s"] == 3);
  CHECK(shown[3]["fast"].get<double>() == Approx(0.015).epsilon(1e-15));  // midway, with one rounding
  CHECK(shown[3]["lean"] == 0.3);
  CHECK(shown[4]["fast"].is_null());
  CHECK(tidy.size() == 9);
  CHECK(tidy[5]["series"] == "lean");
  CHECK(tidy[5]["reached_by"] == 3);
  CHECK(tidy[5]["min"] == 0.1);
  CHECK(tidy[5]["max"] == 0.4);
  CHECK(tidy[5]["mean"].get<double>() == Approx(0.8 / 3).epsilon(1e-15));  // two sums and a quotient
}

TEST_CASE("the first row at an accuracy gives its cost, and runs that never get there cost most") {
  const TestFolder place;
  const ComparedRuns comparison = compare_runs(two_series(place), {.to = {0.02, 0.1}});
  const Json shown = rows_of(comparison.tables, "accuracy"), tidy = rows_of(comparison.tidy, "accuracy");
  REQUIRE(shown.size() == 4);
  CHECK(shown[0]["to"] == 0.1);  // the easier level first
  CHECK(shown[0]["series"] == "fast");
  CHECK(shown[0]["reached_by"] == "2 of 2");
  CHECK(shown[0]["simulated_s"] == 2);  // both in row 2
  CHECK(shown[0]["bytes"] == 16);
  CHECK(shown[0]["flops"] == 200);
  CHECK(shown[0]["flops_per_agent_max"] == 20);
  CHECK(shown[0]["messages"] == 4);
  CHECK(shown[0]["encrypting_s"] == 0);
  CHECK(shown[1]["reached_by"] == "2 of 3");  // in rows 1 and 2, the third never
  CHECK(shown[1]["round"] == 2);
  CHECK(shown[3]["reached_by"] == "1 of 3");
  CHECK(shown[3]["round"].is_null());
  REQUIRE(tidy.size() == 28);
  CHECK(tidy[7]["currency"] == "round");  // of lean to 0.1
  CHECK(tidy[7]["median"] == 2);
  CHECK(tidy[7]["mean_of_these"] == 1.5);
  CHECK(tidy[7]["min"] == 1);
  CHECK(tidy[7]["max"] == 2);
}

TEST_CASE("differences are taken seed by seed where both have it") {
  const TestFolder place;
  const ComparedRuns comparison = compare_runs(two_series(place), {.to = {0.1, 0.02}});
  const Json rows = rows_of(comparison.tidy, "paired");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0]["quantity"] == "relative_error");
  CHECK(rows[0]["at"] == 3);  // fast ends there
  CHECK(rows[0]["pairs"] == 2);
  CHECK(rows[0]["difference"].get<double>() == Approx((0.1 - 0.02 + 0.3 - 0.01) / 2).epsilon(1e-15));
  CHECK(rows[0]["low"].get<double>() == Approx(0.08).epsilon(1e-15));  // both draws of seed 1, a chance of a quarter
  CHECK(rows[0]["high"].get<double>() == Approx(0.29).epsilon(1e-15));
  CHECK(rows[1]["to"] == 0.1);
  CHECK(rows[1]["difference"] == 1);  // 2 s and 4 s against 2 s each
  CHECK(rows[1]["low"] == 0);
  CHECK(rows[1]["high"] == 2);
  CHECK(rows[1]["ratio"].get<double>() == Approx(std::sqrt(2.0)).epsilon(1e-15));
  CHECK(rows[2]["pairs"] == 1);  // 4 s against 3 s under seed 2, and under seed 1 lean never gets there
  CHECK(rows[2]["difference"] == 1);
  CHECK(rows[2]["low"].is_null());
}

TEST_CASE("the front is printed level by level, and crossings on the lines between means") {
  const TestFolder place;
  const ComparedRuns comparison = compare_runs(two_series(place), {.to = {0.1}, .baseline = "lean"});
  const Json pareto = rows_of(comparison.tidy, "pareto");
  REQUIRE(pareto.size() == 2);
  CHECK(pareto[0] == Json{{"to", 0.1}, {"series", "fast"}, {"simulated_s", 2.0}, {"bytes", 16.0}, {"on_front", "yes"}});
  CHECK(pareto[1]["bytes"] == 2);
  CHECK(pareto[1]["on_front"] == "yes");
  CHECK(rows_of(comparison.tidy, "paired")[0]["series"] == "fast");
  CHECK(rows_of(comparison.tidy, "crossings").empty());  // fast is ahead all the time
  const ComparedRuns by_bytes = compare_runs(two_series(place), {.against = "round", .to = {0.1}});
  // Means by rounds 0, 1, 2: 1, 0.35, 0.075 of fast, and 1, 0.8/3, 0.37/3 of lean: differences 0, 0.25/3, -0.145/3.
  const Json crossing = rows_of(by_bytes.tidy, "crossings");
  REQUIRE(crossing.size() == 1);
  CHECK(crossing[0]["round"].get<double>() == Approx(1 + 0.25 / 0.395).epsilon(1e-14));  // a few roundings
  CHECK(crossing[0]["lower_after"] == "fast");
}

TEST_CASE("a rising metric is reached from below") {
  const TestFolder place;
  const auto write = [&](const std::string& name, int seed, const std::string& rows) {
    const std::string header = "round,simulated_s,accuracy,messages,bytes,flops,flops_per_agent_max,encrypting_s\n";
    return write_recorded(place, name, {scenario_of("k", seed), header + rows, 2});
  };
  const auto runs = read_recorded_runs({write("a", 1, "0,0,0.5,0,0,0,0,0\n1,1,0.7,0,0,0,0,0\n2,2,0.9,0,0,0,0,0\n"),
                                        write("b", 2, "0,0,0.5,0,0,0,0,0\n2,2,0.8,0,0,0,0,0\n")})
                        .runs;
  const ComparedRuns comparison = compare_runs(runs, {.metric = "accuracy", .to = {0.8, 0.7}, .rising = true});
  const Json rows = rows_of(comparison.tables, "accuracy");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["to"] == 0.7);
  CHECK(rows[0]["round"] == 1.5);
  CHECK(rows[1]["round"] == 2);
  CHECK(rows_of(compare_runs(runs, {.metric = "accuracy"}).tables, "accuracy").empty());  // no level was asked for
}

TEST_CASE("options that fit no series are refused") {
  const TestFolder place;
  const auto runs = two_series(place);
  const auto refused = [&](const CompareOptions& options) {
    return refusal(place, [&] { compare_runs(runs, options); });
  };
  CHECK(refused({.baseline = "leam"}) ==
        "baseline: expected one of the series fast, lean, found leam; did you mean lean?");
  CHECK(refused({.to = {std::numeric_limits<double>::quiet_NaN()}}) ==
        "to: expected finite levels of relative_error, found nan");
  CHECK_THAT(refused({.metric = "relative_eror"}), Catch::EndsWith("did you mean relative_error?"));
  CHECK_THAT(refused({.against = "relative_error"}), Catch::Contains("expected an axis that never falls"));
}

TEST_CASE("tables are written as text, CSV, JSON and LaTeX") {
  const ResultTable table{.name = "t",
                          .title = "50% of a_b",
                          .columns = {{"series", "series"}, {"time_s", "time (s)"}, {"n", "n"}},
                          .rows = {{"x, y", 1.0 / 3, std::size_t{12}},
                                   {"z_1", 1.5e-7, ResultCell()},
                                   {"w", std::numeric_limits<double>::infinity(), std::size_t{0}}}};
  CHECK(as_text(table) ==
        "50% of a_b\n"
        "  series  time (s)   n\n"
        "  x, y    0.333333  12\n"
        "  z_1      1.5e-07   -\n"
        "  w            inf   0\n");
  CHECK(as_csv(table) == "series,time_s,n\n\"x, y\",0.3333333333333333,12\nz_1,1.5e-07,\nw,inf,0\n");
  CHECK(as_json(table) == Json::parse(R"([{"series": "x, y", "time_s": 0.3333333333333333, "n": 12},
                                          {"series": "z_1", "time_s": 1.5e-7, "n": null},
                                          {"series": "w", "time_s": null, "n": 0}])"));
  CHECK(as_latex(table) ==
        "\\begin{table}\n  \\centering\n  \\caption{50\\% of a\\_b}\n  \\begin{tabular}{lrr}\n    \\toprule\n"
        "    series & time (s) & n \\\\\n    \\midrule\n"
        "    x, y & $0.3333$ & $12$ \\\\\n"
        "    z\\_1 & $1.5\\times10^{-7}$ & -- \\\\\n"
        "    w & $\\infty$ & $0$ \\\\\n"
        "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n");
  CHECK(as_text(table, {.columns = 20, .rows = 2}) ==
        "50% of a_b\n"
        "  series  time (s)\n"
        "  x, y      0.3333\n"
        "  z_1      1.5e-07\n"
        "\n"
        "  series   n\n"
        "  x, y    12\n"
        "  z_1      -\n"
        "  and 1 more (--all)\n");
  const ResultTable empty{.name = "e", .title = "nothing", .columns = {{"a", "a"}}, .rows = {}};
  CHECK(as_text(empty) == "nothing\n  none\n");
  CHECK(as_csv(empty) == "a\n");
}

}  // namespace lagnet::comparison_test
