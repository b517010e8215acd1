#include "sim/base/input_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

namespace lagnet::input_file_test {

TEST_CASE("only regular files are opened, and other kinds are named") {
  std::string name = (std::filesystem::temp_directory_path() / "lagnet-input-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  const std::filesystem::path folder = name;
  std::ofstream(folder / "file") << "text";
  std::filesystem::create_symlink(folder / "file", folder / "link");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  for (const char* regular : {"file", "link"}) {
    CHECK(no_regular_file(folder / regular) == std::nullopt);
    std::string word;
    open_regular_file(folder / regular) >> word;
    CHECK(word == "text");
  }
  CHECK(no_regular_file(folder / "none") == "nothing there");
  CHECK(no_regular_file(folder) == "a folder");
  CHECK(no_regular_file(folder / "pipe") == "a pipe");
  CHECK(no_regular_file("/dev/zero") == "a device");
  for (const std::filesystem::path& other :
       {folder / "none", folder, folder / "pipe", std::filesystem::path("/dev/zero")})
    CHECK_FALSE(open_regular_file(other));
  std::filesystem::remove_all(folder);
}

}  // namespace lagnet::input_file_test
