#include <catch2/catch.hpp>

#include "scenarios/compare/claims.hpp"

namespace lagnet::claims_refused_test {

namespace {

std::string problems_of(Json claim) {
  Diagnostics problems("f");
  Choice<ClaimFamily> choice;
  choice.read(claim, "", problems);
  return problems.empty() ? "" : problems.text();
}

}  // namespace

TEST_CASE("invalid claims are reported at their keys") {
  CHECK(problems_of({{"kind", "order"}, {"statement", "s"}}) ==
        "f: /over: expected exactly one of over and of, found neither");
  CHECK(problems_of({{"kind", "bound"}, {"statement", "s"}}) == "f: expected at_least, at_most or both, found neither");
  CHECK_THAT(problems_of({{"kind", "bound"}, {"at_most", 1}}), Catch::Contains("statement"));
  CHECK_THAT(problems_of({{"kind", "bound"}, {"statement", "s"}, {"at_most", 1}, {"where", {{"topology", 1}}}}),
             Catch::Contains("/where: expected an object of JSON pointers"));
  CHECK_THAT(problems_of({{"kind", "bound"}, {"statement", "s"}, {"at_most", 1}, {"at", {{"round", "end"}}}}),
             Catch::Contains("/at: expected an object of one column to a number"));
  CHECK_THAT(
      problems_of({{"kind", "bound"}, {"statement", "s"}, {"at_most", 1}, {"first", {{"error", {{"most", 1}}}}}}),
      Catch::Contains("/first: expected an object of one column to a number"));
  for (const Json& others : {Json(3), Json{{"topology", 1}}})
    CHECK_THAT(problems_of({{"kind", "bound"},
                            {"statement", "s"},
                            {"at_most", 1},
                            {"first", {{"error", {{"at_most", 1}, {"of_last", others}}}}}}),
               Catch::Contains("/first: expected an object of one column to a number"));
  CHECK_THAT(problems_of({{"kind", "spread"}, {"statement", "s"}, {"over", "/seed"}}), Catch::Contains("at_most"));
  CHECK_THAT(problems_of({{"kind", "ratio"},
                          {"statement", "s"},
                          {"of", Json::object()},
                          {"to", Json::object()},
                          {"at_most", 1},
                          {"rounds", 5}}),
             Catch::Contains("/rounds: expected a range"));
}

TEST_CASE("pointers and selections of claims are looked at before anything runs") {
  const auto problems = [](Json claim) {
    claim["statement"] = "s";
    return problems_of(claim);
  };
  for (const char* pointer : {"topology", "/a~x", "/a~"}) {
    CHECK_THAT(problems({{"kind", "best"}, {"over", pointer}, {"value", 1}}),
               Catch::Contains("/over: expected a JSON"));
    CHECK_THAT(problems({{"kind", "order"}, {"over", pointer}}), Catch::Contains("/over: expected a JSON pointer"));
    CHECK_THAT(problems({{"kind", "bound"}, {"at_most", 1}, {"each", {pointer}}}),
               Catch::Contains("/each/0: expected"));
  }
  CHECK_THAT(problems({{"kind", "order"}, {"of", {1, {{"topology", 2}}}}}),
             Catch::Contains("/of/0: expected an object") && Catch::Contains("/of/1: expected an object"));
  const Json of_summary{{"kind", "bound"}, {"at_most", 1}, {"metric", "/constants/Theta"}};
  CHECK(problems(of_summary).empty());
  for (const char* key : {"mean_of_rows", "rate_from_round"}) {
    Json wrong = of_summary;
    wrong[key] = 2;
    CHECK_THAT(problems(wrong), Catch::Contains("summary.json has none"));
  }
  for (const char* key : {"at", "first"}) {
    Json wrong = of_summary;
    wrong[key] = {{"round", 2}};
    CHECK_THAT(problems(wrong), Catch::Contains("summary.json has none"));
  }
  CHECK_THAT(problems({{"kind", "bound"}, {"at_most", 1}, {"mean_of_rows", 2}, {"rate_from_round", 2}}),
             Catch::Contains("/mean_of_rows: expected 1 beside rate_from_round"));
}

}  // namespace lagnet::claims_refused_test
