#include "sim/base/diagnostic.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace lagnet::diagnostic_test {

TEST_CASE("A diagnostic is one sentence without the parts that are empty") {
  CHECK(sentence({"ring.agents", "at least 1", "0"}) == "ring.agents: expected at least 1, found 0");
  CHECK(sentence({"ring.agents", "at least 1", ""}) == "ring.agents: expected at least 1");
  CHECK(sentence({"edge 2 (0,1)", "", "given twice"}) == "edge 2 (0,1): given twice");
  CHECK(sentence({"", "", "no connected graph"}) == "no connected graph");
  const Diagnostic within{"/data", "a number", "x", Diagnostic::Place::pointer, "heart.csv:7"};
  CHECK(sentence(within) == "/data: heart.csv:7: expected a number, found x");
  CHECK(place_of(within) == "/data: heart.csv:7");
  CHECK(sentences(std::vector<Diagnostic>{{"a", "b", "c"}, {"d", "e", "f"}}) ==
        "a: expected b, found c\nd: expected e, found f");
  CHECK(sentences({}).empty());
}

}  // namespace lagnet::diagnostic_test
