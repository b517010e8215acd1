#include "scenarios/format/sweep_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "scenarios/format/scenario.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::sweep_points_test {

namespace {

std::vector<SweepPoint> points(const std::string& sweep) {
  ScenarioFile file = small_scenario();
  file.document["sweep"] = Json::parse(sweep);
  return sweep_points(file);
}

std::string problems(const std::string& sweep) {
  return scenario_problems([&] { points(sweep); });
}

}  // namespace

TEST_CASE("Every combination is a point, the last key fastest, and listed points keep their values together") {
  const auto all = points(R"({"points": [{"/algorithm/sigma": 1, "/algorithm/tau": 2},
                                         {"/algorithm/sigma": 3, "/algorithm/tau": 4}], "/seed": [5, 6]})");
  REQUIRE(all.size() == 4);
  std::vector<std::string> told;
  for (const SweepPoint& point : all) {
    told.emplace_back();
    for (const auto& [pointer, value] : point.values) told.back() += pointer + "=" + value.dump() + " ";
    CHECK(point.file.document["algorithm"]["tau"] == point.values[1].second);
    CHECK(point.file.document["seed"] == point.values[2].second);
  }
  CHECK(told == std::vector<std::string>{
                    "/algorithm/sigma=1 /algorithm/tau=2 /seed=5 ", "/algorithm/sigma=1 /algorithm/tau=2 /seed=6 ",
                    "/algorithm/sigma=3 /algorithm/tau=4 /seed=5 ", "/algorithm/sigma=3 /algorithm/tau=4 /seed=6 "});
}

TEST_CASE("A Latin hypercube has one point in each slice of every range, also on the log scale") {
  const auto all = points(R"({"latin_hypercube": {"samples": 16, "seed": 3, "ranges": {
      "/algorithm/sigma": {"low": 0.001, "high": 1000, "scale": "log"}, "/algorithm/tau": {"low": -2, "high": 2}}}})");
  REQUIRE(all.size() == 16);
  std::set<int> decades, quarters;
  for (const SweepPoint& point : all) {
    decades.insert(static_cast<int>(std::floor((std::log10(point.values[0].second.get<double>()) + 3) / 6 * 16)));
    quarters.insert(static_cast<int>(std::floor((point.values[1].second.get<double>() + 2) / 4 * 16)));
  }
  CHECK(decades.size() == 16);
  CHECK(quarters.size() == 16);
  CHECK((*decades.begin() == 0 && *decades.rbegin() == 15));
}

TEST_CASE("Random points stay in their ranges, depend only on the seed, and can be integers") {
  const std::string ranges = R"("ranges": {"/stop/rounds": {"low": 1, "high": 4, "integer": true},
                                           "/algorithm/tau": {"low": 1e-4, "high": 25, "scale": "log"}})";
  const auto all = points(R"({"random": {"samples": 200, )" + ranges + "}}");
  std::set<Json> rounds;
  double below_one = 0;
  for (const SweepPoint& point : all) {
    CHECK(point.values[0].second.is_number_integer());
    rounds.insert(point.values[0].second);
    const double tau = point.values[1].second.get<double>();
    CHECK((1e-4 <= tau && tau <= 25));
    if (tau < 1) ++below_one;
  }
  CHECK(rounds == std::set<Json>{1, 2, 3, 4});
  // On the log scale ln(1e4) / ln(25e4) = 0.741 of them: 148, with a standard deviation of 6.2.
  CHECK(std::abs(below_one - 148) < 4 * 6.2);
  const auto values_of = [](const std::vector<SweepPoint>& list) {
    Json values;
    for (const SweepPoint& point : list) values.push_back(point.values[1].second);
    return values;
  };
  CHECK(values_of(all) == values_of(points(R"({"random": {"samples": 200, )" + ranges + "}}")));
  CHECK(values_of(all) != values_of(points(R"({"random": {"samples": 200, "seed": 2, )" + ranges + "}}")));
}

TEST_CASE("Each integer of a range comes as often as the others, the ends too") {
  const RangeOptions range{.low = 0.5, .high = 4, .integer = true};
  std::map<Json, int> times;
  for (int i = 0; i < 400; ++i) ++times[range.at((i + 0.5) / 400)];
  CHECK(times == std::map<Json, int>{{1, 100}, {2, 100}, {3, 100}, {4, 100}});
  // On the log scale an integer k stands for ln((k + 0.5) / (k - 0.5)).
  const RangeOptions decade{.low = 1, .high = 10, .scale = RangeScale::log, .integer = true};
  CHECK(decade.at(std::log(3) / std::log(21) - 1e-9) == 1);
  CHECK(decade.at(std::log(3) / std::log(21) + 1e-9) == 2);
  CHECK(decade.at(std::log(19) / std::log(21) + 1e-9) == 10);
}

TEST_CASE("Ranges of all sizes have finite values between their ends") {
  const double largest = std::numeric_limits<double>::max();
  CHECK(RangeOptions{.low = -largest, .high = largest}.at(0.5).get<double>() == 0);
  const RangeOptions log{.low = 1e-300, .high = 1e300, .scale = RangeScale::log};
  CHECK(log.at(0.5).get<double>() == Approx(1));
  CHECK(log.at(0.75).get<double>() == Approx(1e150));
}

TEST_CASE("Mistakes in drawn and listed points are reported at once") {
  CHECK(problems(R"({"points": [], "random": {"samples": 0, "ranges": {"/seed": {"low": 2, "high": 1}}},
                     "latin_hypercube": {"samples": 3, "ranges": {}}})") ==
        "small.json: /sweep/points: expected a list of one point or more, found []\n"
        "small.json: /sweep/random/samples: expected an integer at least 1, found 0\n"
        "small.json: /sweep/random/ranges/~1seed/high: expected a number above low, found 1.0\n"
        "small.json: /sweep/latin_hypercube/ranges: expected an object of JSON pointers to ranges, found {}");
  CHECK(problems(R"({"points": [{"/seed": 1}, {"/stop/rounds": 2}, 3]})") ==
        "small.json: /sweep/points/1: expected the same pointers as in the first point, found {\"/stop/rounds\":2}\n"
        "small.json: /sweep/points/2: expected an object of JSON pointers to values, found 3");
  CHECK(
      problems(R"({"/network/latency_ms": [{"kind": "constant", "value": 1}, 5],
                     "/network/latency_ms/value": [1, 2]})") ==
      "small.json: /sweep/~1network~1latency_ms~1value: expected an object or a list at /network/latency_ms, found 5");
  CHECK(problems(R"({"random": {"samples": 2, "ranges": {"/seed": {"low": 0, "high": 1, "scale": "log"}}}})") ==
        "small.json: /sweep/random/ranges/~1seed/low: expected a number above 0 on the log scale, found 0.0");
  CHECK(problems(R"({"random": {"samples": 2, "ranges": {"/seed": {"low": 1.2, "high": 1.8, "integer": true}}}})") ==
        "small.json: /sweep/random/ranges/~1seed/high: expected at least the first integer from low on, both within "
        "2^53, "
        "found 1.8");
}

TEST_CASE("A point of a list may have a label, which its scenario keeps and no other point has") {
  const auto all = points(R"({"points": [{"label": "A", "/stop/rounds": 3}, {"/stop/rounds": 4}], "/seed": [1, 2]})");
  REQUIRE(all.size() == 4);
  CHECK(all[0].file.document["label"] == "A");
  CHECK(all[1].file.document["label"] == "A");
  CHECK_FALSE(all[2].file.document.contains("label"));
  CHECK(all[0].values == Settings{{"/stop/rounds", 3}, {"/seed", 1}});
  CHECK(read_scenario(all[0].file).label == "A");
  const auto told = [](const std::string& list) {
    return scenario_problems([&] { sweep_points(small_scenario(R"({"sweep": {"points": )" + list + "}}")); });
  };
  CHECK(told(R"([{"label": "A", "/seed": 1}, {"label": "A", "/seed": 2}])").empty());
  CHECK(told(R"([{"label": "A", "/stop/rounds": 1}, {"label": "A", "/stop/rounds": 2}])") ==
        "small.json: /sweep/points/1/label: expected a label that no other point has, found \"A\"");
  CHECK(told(R"([{"label": 3, "/seed": 1}])") ==
        "small.json: /sweep/points/0/label: expected a name for the point, found 3\n"
        "small.json: /label: expected a string, found 3");
  CHECK(told(R"([{"label": "A", "/seed": 1}, {"label": "B", "/stop/rounds": 2}])").find("the same pointers") !=
        std::string::npos);
}

TEST_CASE("Mistakes outside a sweep are reported with those in the sweep") {
  const auto told = [](const std::string& changes) {
    return scenario_problems([&] { sweep_points(small_scenario(changes)); });
  };
  CHECK(told(R"({"sweep": {"/seed": []}, "stop": {"rounds": 0}, "expect": [{"kind": "bound", "at_most": 1}]})") ==
        "small.json: /expect/0: expected key \"statement\" (what is claimed, in words)\n"
        "small.json: /sweep/~1seed: expected a list of one value or more, found []\n"
        "small.json: /stop/rounds: expected an integer at least 1, found 0");
  // A claim alone, beside a sweep that is right.
  CHECK(told(R"({"sweep": {"/seed": [1]}, "stop": {"rounds": 0}, "expect": [{"kind": "bound", "at_most": 1}]})") ==
        "small.json: /expect/0: expected key \"statement\" (what is claimed, in words)\n"
        "small.json: /stop/rounds: expected an integer at least 1, found 0");
  // What a broken key was to set may well be missing without it.
  CHECK(told(R"({"sweep": {"/topology/agents": 4, "algorithm": [{}]}, "topology": {"agents": null}, "algorithm": null,
                 "seed": -1})") ==
        "small.json: /sweep/~1topology~1agents: expected a list of one value or more, found 4\n"
        "small.json: /sweep/algorithm: expected a JSON pointer such as /topology/agents, found \"algorithm\"\n"
        "small.json: /seed: expected an integer at least 0, found -1");
  CHECK(told(R"({"sweep": {"points": []}, "topology": null})") ==
        "small.json: /sweep/points: expected a list of one point or more, found []");
}

}  // namespace lagnet::sweep_points_test
