#include "scenarios/json/diagnostics.hpp"

#include <catch2/catch.hpp>

namespace lagnet::problems_test {

TEST_CASE("every problem is one line with file, pointer, expected and found") {
  Diagnostics problems("quickstart.json");
  CHECK(problems.empty());
  problems.throw_if_any();
  problems.add("/topology/agents", "an integer at least 1", shown(Json("four")));
  problems.add("", "key \"data\" (where the samples come from)");
  problems.add("/a\nb", "nothing");
  CHECK(problems.count() == 3);
  const std::string text =
      "quickstart.json: /topology/agents: expected an integer at least 1, found \"four\"\n"
      "quickstart.json: expected key \"data\" (where the samples come from)\n"
      "quickstart.json: /a\\u000ab: expected nothing";
  CHECK(problems.text() == text);
  CHECK_THROWS_WITH(problems.throw_if_any(), text);
}

TEST_CASE("a found value is compact JSON, floats in their shortest form") {
  CHECK(shown(Json(0.1)) == "0.1");
  CHECK(shown(Json(4.0)) == "4.0");
  CHECK(shown(Json(1e-9)) == "1e-09");
  CHECK(shown(Json::parse(R"({"b": [1, null], "a": "x"})")) == R"({"b":[1,null],"a":"x"})");
}

TEST_CASE("a long value is shortened, never within a character") {
  CHECK(shown(Json(std::string(58, 'x'))).size() == 60);
  CHECK(shown(Json(std::string(59, 'x'))) == '"' + std::string(59, 'x') + "...");
  // The quote and 58 letters fill 59 bytes; the two bytes of the next letter would end at 61.
  CHECK(shown(Json(std::string(58, 'x') + "\u00e9\u00e9")) == '"' + std::string(58, 'x') + "...");
}

TEST_CASE("keys are escaped in pointers") { CHECK(child_pointer("/a", "b/c~d") == "/a/b~1c~0d"); }

TEST_CASE("near words are suggested and far ones are not") {
  const std::vector<std::string> kinds{"star", "ring", "complete", "l1", "tv"};
  CHECK(did_you_mean("rng", kinds) == "; did you mean ring?");   // one letter missing
  CHECK(did_you_mean("satr", kinds) == "; did you mean star?");  // two letters swapped
  CHECK(did_you_mean("RING", kinds) == "; did you mean ring?");  // upper case
  CHECK(did_you_mean("complte", kinds) == "; did you mean complete?");
  CHECK(did_you_mean("l2", kinds) == "; did you mean l1?");
  CHECK(did_you_mean("completely", kinds) == "; did you mean complete?");  // begins with it
  CHECK(did_you_mean("tun", {"run", "tune"}) == "; did you mean tune?");   // of two as near, the one that it begins
  CHECK(did_you_mean("ab", kinds).empty());  // two edits turn any two letters into any others
  CHECK(did_you_mean("torus", kinds).empty());
  CHECK(did_you_mean("", kinds).empty());
  CHECK(did_you_mean(std::string(1000, 'a'), kinds).empty());
}

}  // namespace lagnet::problems_test
