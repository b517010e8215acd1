#include "scenarios/result_folder.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenarios/data_files.hpp"

namespace lagnet::result_folder_test {

namespace fs = std::filesystem;

TEST_CASE("a staged folder appears whole and takes its partial folder away") {
  const TestFolder place;
  const fs::path target = place.path() / "deep/er/r";
  {
    StagedFolder staged(target);
    CHECK(staged.folder() == target.string() + ".partial");
    write_file(staged.folder() / "summary.json", "{}");
    write_file(staged.folder() / "scenario.json", "{}");
    CHECK(!fs::exists(target));
    staged.publish();
  }
  CHECK(is_result_folder(target));
  CHECK(!fs::exists(target.string() + ".partial"));
}

TEST_CASE("what is not published is gone, and earlier results stay") {
  const TestFolder place;
  const fs::path target = place.path() / "r";
  fs::create_directory(target);
  write_file(target / "summary.json", "old");
  write_file(target / "scenario.json", "{}");
  {
    StagedFolder staged(target);
    write_file(staged.folder() / "summary.json", "new");
  }
  CHECK(read_file(target / "summary.json") == "old");
  CHECK(!fs::exists(target.string() + ".partial"));
}

TEST_CASE("remains that are kept are there for the next one, until they are published or discarded") {
  const TestFolder place;
  const fs::path target = place.path() / "r";
  const auto staged = [&] { return StagedFolder(target, StagedFolder::Remains::kept); };
  write_file(staged().folder() / "a", "first");
  CHECK(read_file(staged().folder() / "a") == "first");
  CHECK(!fs::exists(target));
  staged().publish();
  CHECK(read_file(target / "a") == "first");
  CHECK(!fs::exists(partial_of(target)));
  fs::remove(target / "a");
  write_file(staged().folder() / "b", "second");
  staged().discard();
  CHECK(!fs::exists(partial_of(target)));
  CHECK(fs::is_empty(target));
}

TEST_CASE("a file is replaced by a whole one, and stays if that cannot be written") {
  const TestFolder place;
  const fs::path file = place.path() / "f";
  replace_file(file, "old");
  replace_file(file, "new");
  CHECK(read_file(file) == "new");
  fs::create_directory(partial_of(file));
  CHECK_THROWS_WITH(replace_file(file, "other"), Catch::StartsWith(file.string() + ": cannot be written"));
  CHECK(read_file(file) == "new");
  CHECK_THROWS_WITH(replace_file(place.path(), ""), Catch::EndsWith(": expected a file, found a folder"));
}

TEST_CASE("a trailing slash means the folder itself") {
  const TestFolder place;
  const StagedFolder staged(place.path() / "r/");
  CHECK(staged.target() == place.path() / "r");
  CHECK(staged.folder() == place.path() / "r.partial");
}

TEST_CASE("a folder with anything but results is not replaceable") {
  const TestFolder place;
  const fs::path target = place.path() / "r";
  CHECK_NOTHROW(check_replaceable(target));
  fs::create_directory(target);
  CHECK_NOTHROW(check_replaceable(target));
  write_file(target / "summary.json", "{}");
  CHECK_THROWS_WITH(check_replaceable(target), Catch::EndsWith(", found only a part of them"));
  write_file(target / "scenario.json", "{}");
  CHECK_NOTHROW(check_replaceable(target));
  fs::create_directory(target / "000");
  CHECK_NOTHROW(check_replaceable(target));
  write_file(target / "b.txt", "");
  write_file(target / "a.txt", "");
  CHECK_THROWS_WITH(check_replaceable(target), Catch::EndsWith(", found a.txt in it"));
}

TEST_CASE("the checksum is the CRC-32 of ISO 3309") {
  CHECK(checksum("123456789") == "cbf43926");  // the check value that its catalogues give
  CHECK(checksum("") == "00000000");
}

TEST_CASE("a file that cannot be written or read is told with the system's reason") {
  const TestFolder place;
  const fs::path absent = place.path() / "absent/file";
  CHECK_THROWS_AS(read_file(absent), OutputError);
  CHECK_THROWS_AS(write_file(absent, "text"), OutputError);
  CHECK_THROWS_WITH(write_file("/dev/full", "text"), "/dev/full: cannot be written: No space left on device");
}

}  // namespace lagnet::result_folder_test
