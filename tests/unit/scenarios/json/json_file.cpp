#include "scenarios/json/json_file.hpp"
#include "checkout_paths.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "sim/base/errors.hpp"

namespace lagnet::json_file_test {

namespace {

/// All problems of a text, one per line; empty if it was read.
std::string problems_of(const std::string& text) {
  Diagnostics problems("f.json");
  try {
    parse_scenario(text, problems);
  } catch (const Diagnosed& error) {
    REQUIRE(problems.text() == error.what());
  }
  return problems.text();
}

std::string problems_of_setting(const std::string& document, const std::string& setting) {
  Diagnostics problems("f.json");
  Json json = Json::parse(document);
  apply_setting(json, setting, problems);
  if (!problems.empty()) CHECK(json == Json::parse(document));
  return problems.text();
}

std::string set(const std::string& document, const std::string& setting) {
  Diagnostics problems("f.json");
  Json json = Json::parse(document);
  apply_setting(json, setting, problems);
  CHECK(problems.text().empty());
  return json.dump();
}

}  // namespace

TEST_CASE("comments of both kinds are allowed and the order of keys is kept") {
  Diagnostics problems("f.json");
  const Json json = parse_scenario("// first\n{\"b\": 1, /* second\n */ \"a\": [2]}  // last", problems);
  CHECK(json.dump() == R"({"b":1,"a":[2]})");
  CHECK(problems.empty());
}

TEST_CASE("a malformed file is one problem with its place") {
  CHECK(problems_of("{\"a\": 1,\n \"b\" 2}") == "f.json: line 2, column 6: expected ':', found number literal");
  CHECK(problems_of("{\"a\": 1,\n}") ==
        "f.json: line 1, column 8: expected no comma after the last member, found a trailing comma");
  CHECK(problems_of("{\"a\": [1, 2,]}") ==
        "f.json: line 1, column 12: expected no comma after the last member, found a trailing comma");
  CHECK(problems_of("{'a': 1}") ==
        "f.json: line 1, column 2: expected keys and texts in double quotes, found a single quote");
  CHECK(problems_of("{\"a\": 'b'}") ==
        "f.json: line 1, column 7: expected keys and texts in double quotes, found a single quote");
  CHECK(problems_of("{\"a\": 1 \"b\": 2}") == "f.json: line 1, column 9: expected a comma between members, found none");
  CHECK(problems_of("{\"a\": True}") == "f.json: line 1, column 7: expected true, found True");
  CHECK(problems_of("{\"a\": {\"b\": [1, 1e-400]}}") ==
        "f.json: /a/b/1: expected a number within the range of a double, found 1e-400");
  CHECK(problems_of(std::string("{\"a\": 1}\0{\"a\": 2}", 17)) ==
        "f.json: line 1, column 9: expected UTF-8 text, found a NUL byte");
  CHECK(problems_of("{\"a\": [1, 2") == "f.json: line 1, column 12: expected ']', found end of input");
  CHECK(problems_of("{\"a\": tru}") == "f.json: line 1, column 7: expected valid JSON, found tru");
  CHECK(problems_of("{\"a\": 01}") == "f.json: line 1, column 8: expected '}', found number literal");
  CHECK(problems_of("{\"a\": -x}") == "f.json: line 1, column 7: expected digit after '-', found -x");
  CHECK(problems_of("{\"a\": [1, -x]}") == "f.json: line 1, column 11: expected digit after '-', found -x");
  CHECK(problems_of("{\"a\": [1 -x]}") == "f.json: line 1, column 10: expected digit after '-', found -x");
  CHECK(problems_of("{a: 1}") == "f.json: line 1, column 2: expected keys in double quotes, found a");
  CHECK(problems_of("{} {}") == "f.json: line 1, column 4: expected end of input, found '{'");
  CHECK(problems_of("{\"a\": \"b}") ==
        "f.json: line 1, column 7: expected valid JSON, found invalid string: missing closing quote");
  CHECK(problems_of("{} /* open") ==
        "f.json: line 1, column 10: expected end of input, found invalid comment; missing closing '*/'");
}

TEST_CASE("numbers that a double cannot hold are refused") {
  CHECK(problems_of("{\"a\": 1e999}") ==
        "f.json: line 1, column 7: expected a number within the range of a double, found 1e999");
  CHECK(problems_of("{\"a\": NaN}") == "f.json: line 1, column 7: expected a finite number, found NaN");
  CHECK(problems_of("{\"a\": -Infinity}") == "f.json: line 1, column 7: expected a finite number, found -Infinity");
}

TEST_CASE("texts other than a UTF-8 JSON object are refused") {
  CHECK(problems_of("") == "f.json: expected a JSON object, found an empty file");
  CHECK(problems_of(" \n\t") == "f.json: expected a JSON object, found an empty file");
  CHECK(problems_of("[1, 2]") == "f.json: expected a JSON object, found [1,2]");
  CHECK(problems_of("\xEF\xBB\xBF{}") == "f.json: expected UTF-8 text without a byte order mark, found one");
  CHECK(problems_of("\xFF\xFE{") == "f.json: expected UTF-8 text, found UTF-16");
  CHECK(problems_of("{}\n// \xE9t\xE9") == "f.json: line 2, column 4: expected UTF-8 text, found the byte 0xe9");
}

TEST_CASE("all keys given twice are found, and the last value is kept") {
  Diagnostics problems("f.json");
  const Json json = parse_scenario(R"({"a": {"b": 1, "b": 2}, "c": [{}, {"d": 1, "d": 1}], "a": {}})", problems);
  CHECK(problems.text() ==
        "f.json: /a: expected each key once, found \"b\" twice\n"
        "f.json: /c/1: expected each key once, found \"d\" twice\n"
        "f.json: expected each key once, found \"a\" twice");
  CHECK(json["a"] == Json::object());
}

TEST_CASE("nesting is limited, however deep the file") {
  const std::string fits = "{\"a\":" + std::string(63, '[') + std::string(63, ']') + "}";
  CHECK(problems_of(fits).empty());
  CHECK(problems_of("{\"a\":" + std::string(100000, '[')) ==
        "f.json: /a: expected at most 64 levels of lists and objects, found more");
}

TEST_CASE("errors for unreadable files give the reason") {
  const auto problems_of_file = [](const std::filesystem::path& path) {
    Diagnostics problems("f.json");
    CHECK_THROWS_AS(read_json_file(path, problems), Diagnosed);
    return problems.text();
  };
  const std::filesystem::path folder = std::filesystem::path(LAGNET_BINARY_DIR) / "json_file_test";
  std::filesystem::create_directories(folder);
  CHECK(problems_of_file(folder / "none.json") == "f.json: expected a scenario file, found no such file");
  CHECK(problems_of_file(folder) == "f.json: expected a scenario file, found a folder");
  std::ofstream(folder / "good.json") << "{\"a\": 1}";
  Diagnostics problems("good.json");
  CHECK(read_json_file(folder / "good.json", problems).dump() == R"({"a":1})");
  std::filesystem::remove_all(folder);
}

TEST_CASE("a setting is JSON, or else a string") {
  CHECK(set(R"({"a": 1})", "/a=2.5") == R"({"a":2.5})");
  CHECK(set(R"({"a": 1})", "/a=ring") == R"({"a":"ring"})");
  CHECK(set(R"({"a": 1})", "/a=\"2\"") == R"({"a":"2"})");
  CHECK(set(R"({"a": 1})", "/a={\"b\": [true]}") == R"({"a":{"b":[true]}})");
  CHECK(set(R"({"a": 1})", "/a=") == R"({"a":""})");
  CHECK(set(R"({"a": 1})", "/a=b=c") == R"({"a":"b=c"})");
}

TEST_CASE("a setting's key may be a pointer, or a path with dots or slashes") {
  CHECK(set("{}", "a=1") == R"({"a":1})");
  CHECK(set("{}", "a.b=1") == R"({"a":{"b":1}})");
  CHECK(set("{}", "a/b=1") == R"({"a":{"b":1}})");
  CHECK(set("{}", "/a.b=1") == R"({"a.b":1})");
  CHECK(set(R"({"a": [4, 5]})", "a.1=6") == R"({"a":[4,6]})");
}

TEST_CASE("a setting that begins like an object or a list must be one") {
  CHECK(problems_of_setting("{}", "a={kind: star}") ==
        "f.json: --set a: expected JSON, whose keys and texts stand in double quotes, all of it in single quotes, "
        "found {kind: star}, with kind at line 1, column 2");
  CHECK(problems_of_setting("{}", "a={'b': 1}").ends_with(", with a single quote at line 1, column 2"));
  CHECK(problems_of_setting("{}", "a=[1, 2,]").ends_with(", with a trailing comma at line 1, column 6"));
  CHECK(problems_of_setting("{}", "a=[4,").starts_with("f.json: --set a: expected JSON"));
}

TEST_CASE("a setting makes missing objects and reaches into lists") {
  CHECK(set("{}", "/a/b/c=1") == R"({"a":{"b":{"c":1}}})");
  CHECK(set(R"({"a": null})", "/a/b=1") == R"({"a":{"b":1}})");
  CHECK(set(R"({"a": [1, {"b": 2}]})", "/a/1/b=3") == R"({"a":[1,{"b":3}]})");
  CHECK(set(R"({"a": [1]})", "/a/-=2") == R"({"a":[1,2]})");
  CHECK(set("{}", "/x~1y~0z=1") == R"({"x/y~z":1})");
}

TEST_CASE("a setting that leads nowhere changes nothing") {
  CHECK(problems_of_setting("{}", "/a") ==
        "f.json: --set /a: expected a key and its value, as in topology.agents=16, found no \"=\"");
  CHECK(problems_of_setting("{}", "/a~2=1") ==
        "f.json: --set /a~2: expected a JSON pointer such as /topology/agents, found \"/a~2\"");
  CHECK(problems_of_setting(R"({"a": {"b": 4}})", "/a/b/c=1") ==
        "f.json: --set /a/b/c: expected an object or a list at /a/b, found 4");
  CHECK(problems_of_setting(R"({"a": [1, 2]})", "/a/2=1") ==
        "f.json: --set /a/2: expected an index below 2 at /a, or -, found 2");
  CHECK(problems_of_setting(R"({"a": [1, 2]})", "/a/x/y=1") ==
        "f.json: --set /a/x/y: expected an index below 2 at /a, or -, found x");
}

TEST_CASE("a swept key stands for a list in the section sweep") {
  CHECK(sweep_setting("topology.agents=4,9,16") == "/sweep/~1topology~1agents=[4,9,16]");
  CHECK(set("{}", sweep_setting("/topology/kind=ring,star")) == R"({"sweep":{"/topology/kind":["ring","star"]}})");
  CHECK(set("{}", sweep_setting("algorithm.step=0.1,theory,null")) ==
        R"({"sweep":{"/algorithm/step":[0.1,"theory",null]}})");
  CHECK(set("{}", sweep_setting(R"(algorithm={"kind": "dgd", "step": 1},{"kind": "nids", "step": 2})")) ==
        R"({"sweep":{"/algorithm":[{"kind":"dgd","step":1},{"kind":"nids","step":2}]}})");
  CHECK_THROWS_AS(sweep_setting("topology.agents"), InternalError);
}

}  // namespace lagnet::json_file_test
