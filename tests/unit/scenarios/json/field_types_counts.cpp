#include "sim/base/round_counts.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/json/schema.hpp"

namespace lagnet::field_types_counts_test {

namespace {

enum class Amount { few, many };
constexpr auto spellings(Amount) { return std::array{Spelling{Amount::few, "few"}, Spelling{Amount::many, "many"}}; }

struct Work {
  std::optional<RoundCounts> steps = {};
  std::variant<Amount, double> amount = Amount::few;
  static void fields(auto& self, auto& field) {
    field("steps", self.steps, "steps");
    field("amount", self.amount, "how much", above(0));
  }
};

struct Shared {
  std::variant<Amount, std::vector<double>> shares = Amount::few;
  static void fields(auto& self, auto& field) { field("shares", self.shares, "whose", above(0)); }
};

/// What reading and writing makes of a document; or its problems.
template <class Options = Work>
std::string read_and_written(const std::string& text) {
  Options work;
  Diagnostics diagnostics("w");
  read_value(Json::parse(text), work, {}, "", diagnostics);
  std::string problems;
  for (const Diagnostic& one : diagnostics.list())
    problems += one.where + ": " + one.expected + ", not " + one.found + "; ";
  return problems.empty() ? write_fields(work).dump() : problems;
}

}  // namespace

TEST_CASE("numbers of agents and rounds are one, a list with lists in it, or drawn, and come back as they were given") {
  for (const char* steps : {"null", "3", "[3,5]", "[[3,4],5]", R"({"kind":"uniform","low":1,"high":5})"}) {
    const std::string text = R"({"steps":)" + std::string(steps) + R"(,"amount":"few"})";
    CHECK(read_and_written(text) == text);
  }
  CHECK(read_and_written(R"({"steps": [[3], 5]})") == R"({"steps":[3,5],"amount":"few"})");
}

TEST_CASE("numbers of agents and rounds that are no whole numbers of at least 1 are refused") {
  CHECK(read_and_written(R"({"steps": 0})") == "/steps: an integer at least 1, not 0; ");
  CHECK(read_and_written(R"({"steps": [1, [2, 0], "x"]})") ==
        "/steps/1/1: an integer at least 1, not 0; /steps/2: an integer at least 1, not \"x\"; ");
  CHECK(read_and_written(R"({"steps": []})") == "/steps: one or more numbers, not []; ");
  CHECK(read_and_written(R"({"steps": [[]]})") == "/steps/0: one or more numbers, not []; ");
  CHECK(read_and_written(R"({"steps": {"kind": "uniform", "low": 3, "high": 2}})") ==
        "/steps/low: at most high, not 3; ");
  CHECK(read_and_written(R"({"steps": {"kind": "uniform", "low": 0, "high": 2}})") ==
        "/steps/low: an integer at least 1, not 0; ");
  CHECK(read_and_written(R"({"steps": {"kind": "normal"}})") == "/steps/kind: one of uniform, not \"normal\"; ");
}

TEST_CASE("a name may stand in place of a number") {
  CHECK(read_and_written(R"({"amount": "many"})") == R"({"steps":null,"amount":"many"})");
  CHECK(read_and_written(R"({"amount": 2.5})") == R"({"steps":null,"amount":2.5})");
  CHECK(read_and_written(R"({"amount": 0})") == "/amount: a number above 0, not 0; ");
  CHECK(read_and_written(R"({"amount": "man"})") == "/amount: one of few, many, not \"man\"; did you mean many?; ");
}

TEST_CASE("a name may stand in place of a list") {
  CHECK(read_and_written<Shared>(R"({"shares": "many"})") == R"({"shares":"many"})");
  CHECK(read_and_written<Shared>(R"({"shares": [2, 0.5]})") == R"({"shares":[2.0,0.5]})");
  CHECK(read_and_written<Shared>(R"({"shares": [2, 0]})") == "/shares/1: a number above 0, not 0; ");
  CHECK(read_and_written<Shared>(R"({"shares": "man"})") ==
        "/shares: one of few, many, not \"man\"; did you mean many?; ");
  CHECK(field_type<std::variant<Amount, std::vector<double>>>().words() == "one of few, many, or list of number");
}

TEST_CASE("the most of each agent is listed as an integer of the options") {
  Work work;
  work.steps = RoundCounts(RoundCounts::Lists{{4, 7}, {5}});
  std::vector<IntegerOption> found;
  field_type<Work>().list_integers(&work, "", "", found);
  REQUIRE(found.size() == 2);
  CHECK((found[0].pointer == "/steps/0" && found[0].key == "steps" && found[0].value == 7));
  CHECK((found[1].pointer == "/steps/1" && found[1].value == 5));
}

}  // namespace lagnet::field_types_counts_test
