#include "scenarios/files/result_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

#include "tests/unit/scenarios/data/data_files.hpp"

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

TEST_CASE("unpublished results are removed, and earlier ones stay") {
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
  write_file(staged().folder() / "sweep.csv", "first");
  CHECK(read_file(staged().folder() / "sweep.csv") == "first");
  CHECK(!fs::exists(target));
  staged().publish();
  CHECK(read_file(target / "sweep.csv") == "first");
  CHECK(!fs::exists(partial_of(target)));
  fs::remove(target / "sweep.csv");
  write_file(staged().folder() / "tune.json", "second");
  staged().discard();
  CHECK(!fs::exists(partial_of(target)));
  CHECK(fs::is_empty(target));
}

TEST_CASE("foreign files beside the target are not taken for remains of a run") {
  const TestFolder place;
  const fs::path target = place.path() / "r";
  for (const char* beside : {"r.partial", "r.replaced"}) {
    INFO(beside);
    const fs::path folder = place.path() / beside;
    fs::create_directories(folder / "000");
    write_file(folder / "000" / "notes.txt", "precious");
    CHECK_THROWS_WITH(
        StagedFolder(target),
        folder.string() + ": expected no such folder, or the remains of an interrupted run, found 000/notes.txt in it");
    CHECK(read_file(folder / "000" / "notes.txt") == "precious");
    fs::remove_all(folder);
    write_file(folder, "precious");
    CHECK_THROWS_WITH(StagedFolder(target, StagedFolder::Remains::kept), Catch::EndsWith("found a file"));
    fs::remove(folder);
  }
  const fs::path left = place.path() / "r.partial";
  fs::create_directories(left / "point-00000000-0");
  write_file(left / "point-00000000-0.finished", "");
  CHECK_THROWS_WITH(StagedFolder(target),
                    Catch::EndsWith("found finished points of a sweep: continue it, or remove them"));
  CHECK_NOTHROW(StagedFolder(target, StagedFolder::Remains::kept));
  fs::remove(left / "point-00000000-0.finished");
  CHECK_NOTHROW(StagedFolder(target));
  CHECK(!fs::exists(left));
}

TEST_CASE("a symbolic link to a file is followed, and one in place of a result folder is refused") {
  const TestFolder place;
  const fs::path file = place.path() / "f", link = place.path() / "l", dangling = place.path() / "d";
  write_file(file, "old");
  fs::create_symlink("f", link);
  replace_file(link, "new");
  CHECK(fs::is_symlink(link));
  CHECK(read_file(file) == "new");
  fs::create_symlink("g", dangling);
  replace_file(dangling, "first");
  CHECK(read_file(place.path() / "g") == "first");
  for (const char* name : {"l", "l/", "d"})
    CHECK_THROWS_WITH(check_replaceable(place.path() / name), Catch::EndsWith("found a symbolic link"));
}

TEST_CASE("a pipe is written to, not replaced") {
  const TestFolder place;
  const fs::path pipe = place.path() / "p";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);  // without one a writer would wait
  replace_file(pipe, "text");
  CHECK(fs::is_fifo(pipe));
  std::array<char, 8> got{};
  CHECK(::read(reader, got.data(), got.size()) == 4);
  CHECK(std::string(got.data()) == "text");
  ::close(reader);
}

TEST_CASE("a file is replaced by a complete one, and stays if writing fails") {
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
  write_file(target / "000" / "notes.txt", "");
  CHECK_THROWS_WITH(check_replaceable(target), Catch::EndsWith(", found 000/notes.txt in it"));
  fs::remove(target / "000" / "notes.txt");
  write_file(target / "b.txt", "");
  write_file(target / "a.txt", "");
  CHECK_THROWS_WITH(check_replaceable(target), Catch::EndsWith(", found a.txt in it"));
}

TEST_CASE("the checksum is the CRC-32 of ISO 3309") {
  CHECK(checksum("123456789") == "cbf43926");  // the check value that its catalogues give
  CHECK(checksum("") == "00000000");
}

TEST_CASE("errors of reading and writing a file give the system's reason") {
  const TestFolder place;
  const fs::path absent = place.path() / "absent/file";
  CHECK_THROWS_AS(read_file(absent), OutputError);
  CHECK_THROWS_WITH(write_file(absent, "text"), absent.string() + ": cannot be written: No such file or directory");
  CHECK_THROWS_WITH(replace_file(absent, "text"), absent.string() + ": cannot be written: No such file or directory");
  for (const std::size_t size : {4, 1000000})  // kept for the end, and written at once
    CHECK_THROWS_WITH(write_file("/dev/full", std::string(size, 'x')),
                      "/dev/full: cannot be written: No space left on device");
}

}  // namespace lagnet::result_folder_test
