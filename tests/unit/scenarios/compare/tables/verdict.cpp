#include "scenarios/compare/tables/verdict.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "scenarios/compare/tables/comparison.hpp"
#include "tests/unit/scenarios/results/recorded_folder.hpp"

namespace lagnet::verdict_test {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// A run of a second and ten bytes a round, with these errors.
std::filesystem::path write_run(const TestFolder& place, const std::string& kind, int seed,
                                const std::vector<double>& errors, const Json& changes = Json::object()) {
  std::string csv = "round,simulated_s,relative_error,messages,bytes,flops,flops_per_agent_max,encrypting_s\n";
  for (std::size_t t = 0; t < errors.size(); ++t) csv += fmt::format("{0},{0},{1},0,{2},0,0,0\n", t, errors[t], 10 * t);
  Json scenario{{"algorithm", {{"kind", kind}}}, {"seed", seed}, {"stop", {{"rounds", 7}}}};
  scenario.merge_patch(changes);
  return write_recorded(place, fmt::format("{}{}", kind, seed),
                        {scenario.dump(), csv, static_cast<int>(errors.size()) - 1});
}

ComparisonVerdict verdict_of(const std::vector<std::filesystem::path>& folders, const std::vector<double>& to) {
  return compare_runs(read_recorded_runs(folders).runs, {.to = to}).verdict;
}

}  // namespace

TEST_CASE("the ratio of costs is that of the medians, and so is its interval") {
  const MeanInterval plain = ratio_of_costs({{1, 2}, {4, 2}}, {});
  CHECK(plain.mean == 2);  // 3 / 1.5
  CHECK(plain.low == 1);   // both draws of the second, a chance of a quarter
  CHECK(plain.high == 4);
  const MeanInterval some = ratio_of_costs({{1, 1, 1}, {3, 5, never}}, {});
  CHECK(some.mean == 5);
  CHECK(some.low == 3);
  CHECK(some.high == never);
  CHECK(ratio_of_costs({{never, never, 1}, {never, never, 2}}, {}).mean == 1);  // neither median is known
  CHECK_FALSE(ratio_of_costs({{1}, {2}}, {}).low);
  CHECK_FALSE(ratio_of_costs({{}, {}}, {}).mean);
}

TEST_CASE("the leader wins where the interval names it, and levels have leaders of their own") {
  const TestFolder place;
  std::vector<std::filesystem::path> folders;
  for (int seed = 1; seed <= 3; ++seed) {
    folders.push_back(write_run(place, "hare", seed, {1, 0.1, 0.09, 0.08, 0.07, 0.06}));
    folders.push_back(write_run(place, "tortoise", seed, {1, 0.5, 0.1, 0.05, 0.01, 0.01}));
  }
  const ComparisonVerdict verdict = verdict_of(folders, {0.1, 0.01, 0.001});
  CHECK(verdict.headline == "hare is first to 1e-1, tortoise to 1e-2.");
  REQUIRE(verdict.sentences.size() == 2);
  CHECK(verdict.sentences[1] ==
        "To 1e-1: hare first after 1 s, 2 times sooner than tortoise (95 %: 2 .. 2); hare cheapest for 10 B, 2 times "
        "fewer bytes than tortoise (95 %: 2 .. 2)");
  CHECK(verdict.sentences[0] == "To 1e-2: tortoise alone after 4 s; tortoise alone for 40 B");
  REQUIRE(verdict.never.size() == 2);
  CHECK(verdict.never[0] == "hare never gets to 1e-2: 0.06 at best");
  CHECK(verdict.never[1] == "no run reached 1e-3 in 5 rounds: 0.01 at best (tortoise); give --set stop.rounds=14");
  REQUIRE(verdict.rows.size() == 6);
  CHECK(verdict.rows[0].winner == 0);
  CHECK(verdict.rows[0].costs[1].median == 2);
  CHECK_FALSE(verdict.rows[4].leader);
  CHECK_THAT(texts_of(verdict.remarks),
             Catch::VectorContains(std::string("intervals over 3 seeds are rough; take five or more")));
  CHECK(verdict.remarks.back().text == "3 seeds, the same bits: nothing is random here");
}

TEST_CASE("there is no winner where the interval contains 1, nor between equal costs") {
  const TestFolder place;
  const ComparisonVerdict open = verdict_of({write_run(place, "a", 1, {1, 0.1}), write_run(place, "a", 2, {1, 1, 0.1}),
                                             write_run(place, "b", 1, {1, 1, 0.1}), write_run(place, "b", 2, {1, 0.1})},
                                            {0.1});
  CHECK_FALSE(open.rows[0].winner);
  CHECK(open.headline == "No winner to 1e-1.");
  CHECK(open.sentences[0] ==
        "To 1e-1: no winner: a after 1.5 s, b after 1.5 s: 0.5 .. 2 times; no winner: a for 15 B, b for 15 B: 0.5 .. 2 "
        "times");
  const ComparisonVerdict equal =
      verdict_of({write_run(place, "a", 1, {1, 0.1}), write_run(place, "b", 1, {1, 0.1})}, {0.1});
  CHECK(equal.sentences[0] == "To 1e-1: no winner: a and b both after 1 s; no winner: a and b both for 10 B");
  CHECK(equal.remarks.back().text == "one seed for each series: there are no intervals");
}

TEST_CASE("series that tie for first are ahead of the next one, and one percent is not a lead") {
  const TestFolder place;
  std::vector<std::filesystem::path> folders;
  const auto errors = [](std::size_t rounds) {
    std::vector<double> all(rounds, 1);
    all.push_back(0.1);
    return all;
  };
  for (int seed = 1; seed <= 2; ++seed) {
    folders.push_back(write_run(place, "a", seed, errors(200)));
    folders.push_back(write_run(place, "b", seed, errors(202)));  // 1 % later
    folders.push_back(write_run(place, "c", seed, errors(203)));  // 1.5 % later
  }
  const ComparisonVerdict verdict = verdict_of(folders, {0.1});
  const LevelVerdict& row = verdict.rows[0];
  CHECK_FALSE(row.winner);
  CHECK(row.leader == 0);
  CHECK(row.tied == std::vector<std::size_t>{0, 1});
  CHECK(row.behind == 2);
  CHECK(verdict.headline == "a and b are first to 1e-1.");
  CHECK_THAT(verdict.sentences[0], Catch::StartsWith("To 1e-1: a and b tie after 200 s, 1.01 times sooner than c"));
}

TEST_CASE("levels beyond the common tolerance are not printed") {
  const TestFolder place;
  const Json tolerance{{"stop", {{"relative_error", 0.03}}}};
  const ComparisonVerdict verdict = verdict_of(
      {write_run(place, "a", 1, {1, 0.1, 0.02}, tolerance), write_run(place, "b", 1, {1, 0.02}, tolerance)}, {});
  REQUIRE(verdict.rows.size() == 4);
  CHECK(verdict.rows[0].to == 0.1);
  CHECK(verdict.rows[2].to == 0.03);
  CHECK(verdict.never.empty());
  CHECK(verdict_of({write_run(place, "c", 1, {1, 0.1})}, {}).rows.size() == 12);
}

TEST_CASE("theoretical steps are mentioned if they may decide") {
  const TestFolder place;
  const Json by_theory{{"algorithm", {{"step", "theory"}}}};
  const std::vector<std::filesystem::path> folders{write_run(place, "a", 1, {1, 0.1}, by_theory),
                                                   write_run(place, "b", 1, {1, 0.1})};
  CHECK(verdict_of(folders, {0.1}).remarks.back().text ==
        "steps of a are those of theory: tuned ones may change who is first (\"tune\" instead of \"theory\")");
}

TEST_CASE("interrupted runs are reported first, with time and number") {
  const TestFolder place;
  std::vector<RecordedRun> runs =
      read_recorded_runs(
          {write_run(place, "a", 1, {1, 0.1}), write_run(place, "a", 2, {1, 0.5}), write_run(place, "b", 1, {1, 0.1})})
          .runs;
  runs[1].summary["status"] = "deadlock";
  runs[1].summary["stop"] = {{"reason", "deadlock"}, {"round", 1}, {"simulated_s", 13.6}};
  runs[2].summary["status"] = "diverged";
  runs[2].summary["stop"] = {{"reason", "diverged"}, {"round", 7}, {"simulated_s", 2}};
  CHECK(compare_runs(runs, {.to = {0.1}}).verdict.broken ==
        std::vector<std::string>{"a: deadlock after 13.6 s in 1 of 2 runs: agents wait for messages that never come "
                                 "(network.retransmit, participation)",
                                 "b: diverged in round 7: a smaller step may converge"});
  CHECK(verdict_of({write_run(place, "c", 1, {1, 0.1})}, {0.1}).broken.empty());
}

TEST_CASE("with one seed the sooner one is first, without an interval") {
  const TestFolder place;
  const ComparisonVerdict verdict =
      verdict_of({write_run(place, "a", 1, {1, 0.1}), write_run(place, "b", 1, {1, 1, 0.1})}, {0.1});
  CHECK(verdict.rows[0].winner == 0);
  CHECK_THAT(verdict.sentences[0], Catch::Contains("2 times sooner than b (one seed, no interval)"));
}

TEST_CASE("a level is reached where a run stays, and series that only touch it are named") {
  const TestFolder place;
  const std::vector<double> dips{1, 0.01, 0.5, 0.4, 0.3, 0.01}, steady{1, 0.8, 0.6, 0.01, 0.009};
  const ComparisonVerdict verdict =
      verdict_of({write_run(place, "a", 1, dips), write_run(place, "b", 1, steady)}, {0.01});
  CHECK(verdict.rows[0].winner == 1);
  CHECK_THAT(verdict.sentences[0], Catch::StartsWith("To 1e-2: b first after 3 s, 1.67 times sooner than a"));
  CHECK(verdict.never == std::vector<std::string>{"a touches 1e-2 after 1 s, and stays there only after 5 s"});
  const ComparisonVerdict leader = verdict_of(
      {write_run(place, "c", 1, {1, 0.01, 0.5, 0.01}), write_run(place, "d", 1, {1, 1, 1, 1, 1, 0.01})}, {0.01});
  CHECK_THAT(leader.sentences[0],
             Catch::StartsWith("To 1e-2: c first after 3 s (touched after 1 s), 1.67 times sooner"));
  const ComparisonVerdict never =
      verdict_of({write_run(place, "e", 1, {1, 0.01, 0.5}), write_run(place, "f", 1, {1, 1, 1, 0.01})}, {0.01});
  CHECK(never.never == std::vector<std::string>{"e never stays at 1e-2: 0.01 at best, and its runs end after 2 s",
                                                "e touches 1e-2 after 1 s, and does not stay there"});
}

TEST_CASE("no series is first within a row of another") {
  const TestFolder place;
  const auto coarse = [&](const std::string& kind, const std::string& rows, int last) {
    const std::string header =
        "round,simulated_s,relative_error,messages,bytes,flops,flops_per_agent_max,encrypting_s\n";
    return write_recorded(
        place, kind, {Json{{"algorithm", {{"kind", kind}}}, {"record", {{"every", 10}}}}.dump(), header + rows, last});
  };
  const auto a = coarse("a", "0,0,1,0,0,0,0,0\n10,10,0.1,0,10,0,0,0\n", 10);
  const auto b = coarse("b", "0,0,1,0,0,0,0,0\n12,12,0.1,0,12,0,0,0\n", 12);
  const ComparisonVerdict open = verdict_of({a, b}, {0.1});
  CHECK_FALSE(open.rows[0].winner);
  CHECK(open.headline == "No winner to 1e-1.");
  CHECK_THAT(open.sentences[0],
             Catch::StartsWith("To 1e-1: no winner: a after 10 s and b after 12 s are within a row"));
  CHECK(open.remarks.back().text ==
        "to 1e-1, runs are within a recorded row of each other, where nobody is first: give --set record.every=1");
  const auto c = coarse("c", "0,0,1,0,0,0,0,0\n11,11,1,0,11,0,0,0\n12,12,0.1,0,12,0,0,0\n", 12);
  CHECK(verdict_of({a, c}, {0.1}).rows[0].winner == 0);
}

TEST_CASE("runs that end when they reach a level are reported") {
  const TestFolder place;
  std::vector<RecordedRun> runs =
      read_recorded_runs({write_run(place, "a", 1, {1, 0.1, 0.03}, {{"stop", {{"relative_error", 0.03}}}})}).runs;
  runs[0].summary["stop"]["reason"] = "relative_error";
  CHECK(compare_runs(runs, {.to = {0.1, 0.03}}).verdict.remarks.front().text ==
        "runs end in the row that gets to 3e-2: nobody knows if they would have stayed there; "
        "stop.stays_rows=20 tells");
}

TEST_CASE("a single series is printed with its levels and times") {
  const TestFolder place;
  const ComparisonVerdict verdict = verdict_of({write_run(place, "a", 1, {1, 0.1, 0.02, 0.01})}, {0.1, 0.01, 0.001});
  CHECK(verdict.headline == "a gets to 1e-2 after 3 s.");
  CHECK(verdict.sentences == std::vector<std::string>{"1e-1 after 1 s, 10 B; 1e-2 after 3 s, 30 B"});
  CHECK(verdict.never == std::vector<std::string>{"no run reached 1e-3 in 3 rounds: 0.01 at best; give --set "
                                                  "stop.rounds=14"});
}

}  // namespace lagnet::verdict_test
