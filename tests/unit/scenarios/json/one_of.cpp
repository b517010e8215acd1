#include "scenarios/json/one_of.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace lagnet::one_of_test {

namespace {

struct CircleOptions : NoOptions {
  static constexpr std::string_view kind = "circle", summary = "all around";
};
struct SquareOptions {
  static constexpr std::string_view kind = "square", summary = "four sides";
  double side = 1;
  static void fields(auto& self, auto& field) { field("side", self.side, "of each", above(0)); }
  void check(auto& report) const {
    if (side == 13) report("side", "a number that brings luck", side);
  }
};
struct ShapeOptions : OneOf<CircleOptions, SquareOptions> {
  static constexpr std::string_view called = "shape";
  using OneOf::OneOf;
};
struct DrawingOptions {
  ShapeOptions shape;
  std::vector<ShapeOptions> others;
  static void fields(auto& self, auto& field) {
    field("shape", self.shape, "what is drawn");
    field("others", self.others, "what is drawn beside it");
  }
};

std::string problems_of(const std::string& text, DrawingOptions& options) {
  const Json json = Json::parse(text);
  Diagnostics problems("f");
  ObjectReader reader(json, "", problems);
  reader.read(options);
  reader.finish();
  return problems.text();
}
std::string problems_of(const std::string& text) {
  DrawingOptions options;
  return problems_of(text, options);
}

}  // namespace

TEST_CASE("a field of one of several kinds is read as an object that names its kind") {
  DrawingOptions options;
  CHECK(problems_of("{}", options).empty());
  CHECK(options.shape.kind() == "circle");
  CHECK(problems_of(R"({"shape": {"kind": "square", "side": 3}, "others": [{"kind": "circle"}, {"kind": "square"}]})",
                    options)
            .empty());
  CHECK(options.shape.kind() == "square");
  CHECK(options.others.size() == 2);
  CHECK(write_fields(options) == Json::parse(R"({"shape": {"kind": "square", "side": 3.0},
                                                 "others": [{"kind": "circle"}, {"kind": "square", "side": 1.0}]})"));
}

TEST_CASE("problems of the kind's options have their place, and unknown keys and kinds are reported") {
  CHECK(problems_of(R"({"shape": {"kind": "square", "side": -1}})") ==
        "f: /shape/side: expected a number above 0, found -1");
  CHECK(problems_of(R"({"shape": {"kind": "square", "side": 13}})") ==
        "f: /shape/side: expected a number that brings luck, found 13.0");
  CHECK(problems_of(R"({"shape": {"kind": "squire"}})") ==
        "f: /shape/kind: expected one of circle, square, found \"squire\"; did you mean square?");
  CHECK(problems_of(R"({"shape": {"kind": "circle", "side": 1}})").find("/shape/side: expected") != std::string::npos);
  CHECK(problems_of(R"({"shape": 3})").find("/shape: expected an object with key \"kind\" (shape)") !=
        std::string::npos);
}

TEST_CASE("the schema and the description of such a field have all kinds") {
  const Json schema = schema_of<DrawingOptions>();
  CHECK(schema["properties"]["shape"]["$ref"] == "#/$defs/shape");
  CHECK(schema["properties"]["shape"]["default"] == Json{{"kind", "circle"}});
  CHECK(schema["$defs"]["shape"]["oneOf"].size() == 2);
  CHECK(schema["$defs"]["shape"]["oneOf"][1]["properties"]["side"]["exclusiveMinimum"] == 0);
  CHECK(describe<DrawingOptions>()[0].type == "shape (object by kind: circle, square)");
}

}  // namespace lagnet::one_of_test
