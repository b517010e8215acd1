#include "scenarios/json/document.hpp"

#include <catch2/catch.hpp>

namespace lagnet::document_test {

TEST_CASE("a member that is missing or of another type is nothing") {
  const Json json{{"stop", {{"rounds", 7}, {"reason", "rounds"}, {"bytes", nullptr}}}, {"list", {1, 2.5}}};
  const Document document(json);
  CHECK(document.number("/stop/rounds") == 7);
  CHECK(document.number("/list/1") == 2.5);
  CHECK_FALSE(document.number("/stop/reason"));
  CHECK_FALSE(document.number("/stop/rounds/deeper"));
  CHECK_FALSE(document.number("/list/9"));
  CHECK(document.text("/stop/reason") == "rounds");
  CHECK(document.text("/stop/rounds").empty());
  CHECK(document.text("/stop/none", "otherwise") == "otherwise");
  CHECK(document.has("/stop"));
  CHECK_FALSE(document.has("/stop/bytes"));
  CHECK(&document.at("/stop") == &json["stop"]);
  CHECK(document.at("no pointer").is_null());
  CHECK(Document(json["list"]).at("/stop").is_null());
}

TEST_CASE("the first difference of two documents has both values") {
  CHECK(first_difference(Json{{"seed", 2}}, Json{{"seed", 1}}, "there") == "/seed is 2, and 1 there");
  CHECK(first_difference(Json{{"seed", 2}}, Json::object(), "in b") == "/seed is 2, and missing in b");
  CHECK(first_difference(Json{{"seed", 2}}, Json{{"seed", 2}}, "there").empty());
}

}  // namespace lagnet::document_test
