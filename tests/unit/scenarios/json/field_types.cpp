#include "scenarios/json/field_types.hpp"

#include <catch2/catch.hpp>

#include "scenarios/json/choice.hpp"

namespace lagnet::field_types_test {

namespace {

using Path = std::filesystem::path;

struct TableOptions {
  static constexpr std::string_view kind = "table", summary = "from a file";
  Path file;
  std::string path;  // no file, whatever it is called
  std::int64_t rows = 2;
  static void fields(auto& self, auto& field) {
    field("file", self.file, "the file");
    field("path", self.path, "a text");
    field("rows", self.rows, "number of rows");
  }
};

struct NothingOptions : NoOptions {
  static constexpr std::string_view kind = "nothing", summary = "empty";
};

struct NoteOptions {
  std::optional<Path> note;
  std::optional<std::int64_t> pages;
  static void fields(auto& self, auto& field) {
    field("note", self.note, "a file");
    field("pages", self.pages, "how long it is");
  }
};

struct SourceFamily {
  using Common = NoteOptions;
  static constexpr std::string_view key = "source", called = "source", default_kind = "table";
  static const Catalogue<int>& catalogue() {
    static const auto all = Catalogue<int>::of<TableOptions, NothingOptions>([](const auto&) { return 0; });
    return all;
  }
};

struct Whole {
  std::vector<Choice<SourceFamily>> sources;
  NoteOptions notes;
  std::vector<std::int64_t> counts;
  static void fields(auto& self, auto& field) {
    field("sources", self.sources, "where it is from");
    field("notes", self.notes, "beside them");
    field("counts", self.counts, "some numbers");
  }
};

Json changed(const char* text) {
  Json document = Json::parse(text);
  field_type<Whole>().change_paths(document, [](const Path& path) { return "/" + path.string(); });
  return document;
}

}  // namespace

TEST_CASE("file names are found by the type of their field, in lists, choices and common keys of choices") {
  CHECK(changed(R"({"sources": [{"source": "table", "file": "a", "path": "b", "note": "c"},
                                {"file": "d"}, {"source": "nothing", "file": "e", "note": "f"}],
                    "notes": {"note": "g"}})") ==
        Json::parse(R"({"sources": [{"source": "table", "file": "/a", "path": "b", "note": "/c"},
                                    {"file": "/d"}, {"source": "nothing", "file": "e", "note": "/f"}],
                        "notes": {"note": "/g"}})"));
}

TEST_CASE("an unreadable value leaves its field unchanged") {
  for (const char* text : {R"("x")", R"({"sources": "x", "notes": 1})", R"({"other": {"note": "x"}})",
                           R"({"sources": [{"source": 3, "file": "x"}, {"source": "tabel", "file": "x"}, "x"]})",
                           R"({"notes": {"note": null}})"})
    CHECK(changed(text) == Json::parse(text));
}

TEST_CASE("given integers are listed with their places") {
  TableOptions table;
  table.rows = 7;
  const auto found = Choice<SourceFamily>(table, {.note = {}, .pages = 3}).integers("/data");
  REQUIRE(found.size() == 2);
  CHECK((found[0].pointer == "/data/rows" && found[0].key == "rows" && found[0].value == 7));
  CHECK((found[1].pointer == "/data/pages" && found[1].value == 3));
  CHECK(Choice<SourceFamily>(NothingOptions{}).integers("/data").empty());

  Whole whole;
  whole.notes.pages = 4;
  whole.counts = {5, 6};
  std::vector<IntegerOption> inside;
  field_type<Whole>().list_integers(&whole, "", "", inside);
  REQUIRE(inside.size() == 3);
  CHECK((inside[0].pointer == "/notes/pages" && inside[0].value == 4));
  CHECK((inside[2].pointer == "/counts/1" && inside[2].key == "counts" && inside[2].value == 6));
}

}  // namespace lagnet::field_types_test
