#include "scenarios/files/folder_lock.hpp"

#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::folder_lock_test {

namespace fs = std::filesystem;

namespace {

Share part(const std::string& shown, const std::string& work = "0123abcd") {
  Share share = share_of(shown).value();
  share.work = work;
  return share;
}

}  // namespace

TEST_CASE("a share is K/N with K from 1 to N, and shares never overlap") {
  for (const char* wrong : {"", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3", " 1/2", "1/2000000"})
    CHECK_FALSE(share_of(wrong));
  CHECK(share_of("2/5")->shown() == "2/5");
  for (std::size_t piece = 0; piece < 10; ++piece) {
    int owners = 0;
    for (const char* one : {"1/3", "2/3", "3/3"}) owners += share_of(one)->has(piece) ? 1 : 0;
    CHECK(owners == 1);
  }
  CHECK((share_of("2/3")->has(1) && share_of("2/3")->has(4)));
}

TEST_CASE("a share is held once, and shares of one work are held side by side") {
  const TestFolder place;
  const fs::path folder = place.path() / "r.partial";
  std::optional<FolderLock> first(std::in_place, folder, "r", part("1/2"));
  const FolderLock second(folder, "r", part("2/2"));
  CHECK_THROWS_WITH(FolderLock(folder, "r", part("1/2")), "r: expected no other process that runs part 1/2, found one");
  first.reset();
  CHECK_NOTHROW(FolderLock(folder, "r", part("1/2")));
}

TEST_CASE("a share of other work or of another number of shares is refused while one is held") {
  const TestFolder place;
  const fs::path folder = place.path() / "r.partial";
  {
    const FolderLock first(folder, "r", part("1/2"));
    CHECK_THROWS_WITH(FolderLock(folder, "r", part("1/3")), "r: expected parts K/3, found part 1/2, still running");
    CHECK_THROWS_WITH(FolderLock(folder, "r", part("2/2", "00000000")),
                      Catch::Contains("found part 1/2 of other work, still running"));
  }
  CHECK_NOTHROW(FolderLock(folder, "r", part("1/3")));
  CHECK_NOTHROW(FolderLock(folder, "r", part("2/2", "00000000")));
}

TEST_CASE("a process that wants the folder alone is refused with the shares that are held") {
  const TestFolder place;
  const fs::path folder = place.path() / "r.partial";
  {
    const FolderLock last(folder, "r", part("10/12")), first(folder, "r", part("2/12"));
    CHECK(FolderLock::is_held(folder));
    CHECK_THROWS_WITH(FolderLock(folder, "r"),
                      "r: expected no other process that writes there, found parts 2/12, 10/12, still running: wait "
                      "until they have ended");
  }
  const FolderLock alone(folder, "r");
  CHECK_THROWS_WITH(FolderLock(folder, "r"), "r: expected no other run or sweep that writes there, found one");
  CHECK_THROWS_WITH(FolderLock(folder, "r", part("1/2")), Catch::EndsWith("found one"));
}

TEST_CASE("the lock of a share does not follow a link") {
  const TestFolder place;
  const fs::path folder = place.path() / "r.partial", victim = place.path() / "mine";
  write_file(victim, "mine");
  fs::create_directory(folder);
  fs::create_symlink(victim, folder / FolderLock::name_of(part("1/2")));
  CHECK_THROWS_AS(FolderLock(folder, "r", part("1/2")), OutputError);
  CHECK(read_file(victim) == "mine");
}

}  // namespace lagnet::folder_lock_test
