#include "scenarios/format/named_files.hpp"

#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::named_files_test {

namespace {

const std::string of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";  // FIPS 180-4

Json input(const char* pointer, const std::string& path, const std::string& sha256) {
  return {{"pointer", pointer}, {"path", path}, {"sha256", sha256}};
}

}  // namespace

TEST_CASE("inputs are the read files that a scenario names, in its order") {
  const Json scenario{{"data", {{"source", "csv"}, {"path", "../a.csv"}, {"test_path", "../unread.csv"}}},
                      {"network", {{"latency_ms", {{"kind", "matrix"}, {"path", "m.csv"}}}}},
                      {"participation", {{"availability", {{{"kind", "trace"}, {"path", "../a.csv"}}}}}}};
  const FileDigests read{{"/x/a.csv", "11"}, {"/x/r/m.csv", "22"}, {"/x/stranger.csv", "33"}};
  CHECK(inputs_of(scenario, "/x/r", read) ==
        Json::array({input("/data/path", "../a.csv", "11"), input("/network/latency_ms/path", "m.csv", "22"),
                     input("/participation/availability/0/path", "../a.csv", "11")}));
  CHECK(inputs_of(scenario, "/x/r", {}) == Json::array());
}

TEST_CASE("two lists of inputs differ by contents at their pointers, not by paths") {
  const Json a = Json::array({input("/data/path", "a.csv", "11"), input("/network/latency_ms/path", "m.csv", "22")});
  Json b = Json::array({input("/data/path", "../other/a.csv", "11"), input("/network/latency_ms/path", "m.csv", "22")});
  CHECK_FALSE(input_difference(a, b));
  b[0]["sha256"] = "12";
  CHECK(sentence(input_difference(a, b).value()) ==
        "/data/path: expected a.csv with the SHA-256 11, found ../other/a.csv with 12");
  CHECK_FALSE(input_difference(a, b, {"/data/"}));
  b.erase(0);
  CHECK(sentence(input_difference(a, b).value()) ==
        "/data/path: expected a.csv with the SHA-256 11, found no such file");
  CHECK(sentence(input_difference(b, a).value()) == "/data/path: expected no file, found a.csv with the SHA-256 11");
}

TEST_CASE("an input has changed if its file has another content or is gone") {
  const TestFolder place;
  write_file(place.path() / "a.csv", "abc");
  const Json inputs = Json::array({input("/data/path", "a.csv", of_abc)});
  FileDigests known;
  CHECK_FALSE(changed_input(inputs, place.path(), known));
  write_file(place.path() / "a.csv", "abd");
  CHECK_FALSE(changed_input(inputs, place.path(), known));  // each file is read once
  known.clear();
  CHECK_THAT(changed_input(inputs, place.path(), known)->expected, Catch::StartsWith("a.csv with"));
  std::filesystem::remove(place.path() / "a.csv");
  known.clear();
  CHECK(changed_input(inputs, place.path(), known)->found == "nothing there");
}

TEST_CASE("files that are read are noted for every collector of the thread around them") {
  ReadFiles outer;
  {
    ReadFiles inner;
    ReadFiles::note("a", "abc");
    CHECK(inner.digests() == FileDigests{{"a", of_abc}});
  }
  outer.add({{"b", "22"}});
  CHECK(outer.digests() == FileDigests{{"a", of_abc}, {"b", "22"}});
}

TEST_CASE("summaries without inputs have an empty list") {
  for (const Json& summary : {Json(), Json::object(), Json{{"inputs", 3}}}) CHECK(inputs_in(summary) == Json::array());
}

}  // namespace lagnet::named_files_test
