#include "scenarios/compare/difference.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::difference_test {

namespace fs = std::filesystem;

namespace {

/// Files of the lines given, compared.
class Pair {
 public:
  Pair(const std::string& a, const std::string& b) {
    place_.write("a.jsonl", a);
    place_.write("b.jsonl", b);
  }
  TraceDifference traces() const { return trace_difference(place_.path() / "a.jsonl", place_.path() / "b.jsonl"); }
  std::string files() const {
    const auto found = file_difference(place_.path() / "a.jsonl", place_.path() / "b.jsonl", "x");
    return found ? sentence(*found, "in B") : "";
  }
  std::string refusal() const {
    try {
      traces();
    } catch (const OutputError& error) {
      return std::string(error.what()).substr(place_.path().string().size() + 1);
    }
    return "";
  }

 private:
  TestFolder place_;
};

std::string event(int ns, const std::string& more = "") {
  return R"({"time_ns":)" + std::to_string(ns) + R"(,"event":"sent")" + more + "}";
}

/// Events at times 1 .. count.
std::string events(int count) {
  std::string lines;
  for (int ns = 1; ns <= count; ++ns) lines += event(ns) + "\n";
  return lines;
}

}  // namespace

TEST_CASE("equal traces have all events in common") {
  for (const int count : {0, 1, 7}) {
    const TraceDifference found = Pair(events(count), events(count)).traces();
    CHECK(found.same());
    CHECK(found.common == count);
    CHECK(found.rest == 0);
    CHECK(found.before.empty());
  }
}

TEST_CASE("the first event that differs is found with up to five before it, oldest first") {
  for (const int count : {0, 1, 4, 5, 6, 9, 10, 12}) {
    const TraceDifference found =
        Pair(events(count) + event(50) + "\n" + event(60), events(count) + event(51) + "\n").traces();
    CHECK_FALSE(found.same());
    CHECK(found.common == count);
    std::vector<std::string> last;
    for (int ns = std::max(1, count - 4); ns <= count; ++ns) last.push_back(event(ns));
    CHECK(found.before == last);
    CHECK(found.a == event(50));
    CHECK(found.b == event(51));
    CHECK(found.keys == std::vector<std::string>{"time_ns is 50, and 51 in B"});
    CHECK(found.rest == 0);
  }
}

TEST_CASE("an event's differences are reported key by key, with keys that only one of them has") {
  const auto keys = [](const std::string& a, const std::string& b) {
    return Pair(event(1, a), event(1, b)).traces().keys;
  };
  CHECK(keys(R"(,"agent":1,"duration_ns":5,"cause":"loss")", R"(,"duration_ns":7,"agent":1,"queued_ns":2)") ==
        std::vector<std::string>{"duration_ns is 5, and 7 in B", "cause is \"loss\", and missing in B",
                                 "queued_ns is missing, and 2 in B"});
  CHECK(keys(R"(,"agent":1)", R"(, "agent":1)") ==
        std::vector<std::string>{"the same values are written in another way in B"});
}

TEST_CASE("a trace that ends earlier is reported with the other's next event") {
  const TraceDifference shorter = Pair(events(7), events(10)).traces();
  CHECK(shorter.common == 7);
  CHECK(shorter.a.empty());
  CHECK(shorter.b == event(8));
  CHECK(shorter.rest == 3);
  CHECK(shorter.keys.empty());
  const TraceDifference longer = Pair(events(1), "").traces();
  CHECK(longer.common == 0);
  CHECK(longer.a == event(1));
  CHECK(longer.b.empty());
  CHECK(longer.rest == 1);
}

TEST_CASE("an invalid line of a trace is reported with its place") {
  const std::string expected = "expected an event of a trace (trace.jsonl), found ";
  CHECK(Pair("round,objective\n", events(1)).refusal() == "a.jsonl:1: " + expected + "`round,objective`");
  CHECK(Pair(events(1), R"({"event":"sent"})").refusal() == "b.jsonl:1: " + expected + R"(`{"event":"sent"}`)");
  CHECK(Pair(events(1), "[]").refusal() == "b.jsonl:1: " + expected + "`[]`");
  CHECK(Pair(events(3), events(2) + R"({"time_ns":3,"ev)").refusal() ==
        "b.jsonl:3: " + expected + R"(`{"time_ns":3,"ev`)");
  CHECK(Pair(events(2) + "\n", events(3)).refusal() == "a.jsonl:3: " + expected + "``");
  const TestFolder place;
  CHECK_THROWS_AS(trace_difference(place.path() / "absent", place.path() / "absent"), OutputError);
  CHECK_THROWS_AS(trace_difference(place.path(), place.path()), OutputError);
}

TEST_CASE("the first difference of two files is reported by line, with the place of the second") {
  CHECK(Pair("x\ny\n", "x\ny\n").files().empty());
  CHECK(Pair("x\ny\n", "x\nz\n").files() == "x:2: is `y`, and `z` in B");
  CHECK(Pair("x\n", "x\ny\n").files() == "x:2: ends here, and goes on in B");
  CHECK(Pair("x\ny\n", "x\n").files() == "x:2: goes on, and ends here in B");
  CHECK(Pair("x\n", "x").files() == "x:1: the line breaks at the end differ");
}

TEST_CASE("a difference in a CSV file has file, line, column and both values as its parts") {
  const TestFolder place;
  place.write("a.csv", "round,objective\n0,1\n4,0.5\n");
  place.write("b.csv", "round,objective\n0,1\n4,0.25\n");
  const auto found = file_difference(place.path() / "a.csv", place.path() / "b.csv", "000/progress.csv");
  REQUIRE(found);
  CHECK(sentence(*found) == "000/progress.csv:3: objective is `0.5`, and `0.25` in the new run");
  CHECK(parts_of(*found) == Json{{"code", "cell"},
                                 {"file", "000/progress.csv"},
                                 {"line", 3},
                                 {"where", "objective"},
                                 {"expected", "0.5"},
                                 {"found", "0.25"}});
}

TEST_CASE("the files of several folders are listed once, scenarios first and digests last") {
  const TestFolder a, b;
  fs::create_directory(b.path() / "000");
  for (const char* name : {"summary.json", "agents.csv", "scenario.json", "progress.csv"}) a.write(name, "");
  for (const char* name : {"000/trace.jsonl", "agents.csv", "000/scenario.json"}) b.write(name, "");
  CHECK(files_in_order({a.path(), b.path()}) == std::vector<fs::path>{"000/scenario.json", "scenario.json",
                                                                      "progress.csv", "000/trace.jsonl", "agents.csv",
                                                                      "summary.json"});
}

}  // namespace lagnet::difference_test
