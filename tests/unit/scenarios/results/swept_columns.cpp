#include "scenarios/results/swept_columns.hpp"

#include <catch2/catch.hpp>

namespace lagnet::swept_columns_test {

namespace {

Json columns_of(const std::vector<PointValues>& points, const std::vector<std::string>& taken = {}) {
  Json table = Json::object();
  for (const SweptColumn& column : swept_columns(points, taken)) table[column.name] = column.cells;
  return table;
}

}  // namespace

TEST_CASE("columns have the last word of their key, and a kind the word before it") {
  CHECK(columns_of({{{"/topology/kind", "ring"}, {"/topology/agents", 4}}}) ==
        Json::parse(R"({"topology": ["ring"], "agents": ["4"]})"));
  CHECK(columns_of({{{"/network/up/high", 1}, {"/network/down/high", 2}, {"/stop/rounds", 3}}}, {"rounds"}) ==
        Json::parse(R"({"up_high": ["1"], "down_high": ["2"], "stop_rounds": ["3"]})"));
}

TEST_CASE("objects and lists are split into their kinds and their differences") {
  const Json extra = Json::parse(R"({"kind": "extra", "step": 0.1, "batch": 5})");
  const Json nids = Json::parse(R"({"kind": "nids", "step": 0.2, "batch": 5})");
  CHECK(columns_of({{{"/algorithm", extra}}, {{"/algorithm", nids}}}) ==
        Json::parse(R"({"algorithm": ["extra", "nids"], "step": ["0.1", "0.2"]})"));
  CHECK(columns_of(
            {{{"/rules", Json::array()}}, {{"/rules", Json::parse(R"([{"kind": "on_off", "agents": [3, 7]}])")}}}) ==
        Json::parse(R"({"rules": ["", ""], "rules_0": ["", "on_off"], "agents": ["", "3 7"]})"));
  CHECK(columns_of({{{"/layers", Json::array({4, 9})}}}) == Json::parse(R"({"layers": ["4 9"]})"));
  const Json edges = Json::parse(R"({"kind": "edges", "edges": [[0, 1], [1, 2]]})");
  CHECK(columns_of({{{"/topology", edges}}, {{"/topology", Json{{"kind", "ring"}}}}}) ==
        Json::parse(R"({"topology": ["edges", "ring"], "edges": ["0 1, 1 2", ""]})"));
}

TEST_CASE("the keys of a sweep are those of its lists, points and ranges, but no labels") {
  CHECK(pointers_of_sweep(Json::parse(R"({"sweep": {"points": [{"label": "A", "/a": 1, "/b": 2}], "/seed": [1],
                                          "random": {"samples": 2, "ranges": {"/c": {"low": 1, "high": 2}}}}})")) ==
        std::vector<std::string>{"/a", "/b", "/seed", "/c"});
  CHECK(pointers_of_sweep(Json()).empty());
}

}  // namespace lagnet::swept_columns_test
