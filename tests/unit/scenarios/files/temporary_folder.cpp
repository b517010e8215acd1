#include "scenarios/files/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"

namespace lagnet::temporary_folder_test {

namespace fs = std::filesystem;

TEST_CASE("a temporary folder is new, and is removed with its content") {
  fs::path path;
  {
    const TemporaryFolder one("test"), other("test");
    path = one.path();
    CHECK(fs::is_empty(path));
    CHECK(path != other.path());
    CHECK_THAT(path.filename().string(), Catch::StartsWith("lagnet-test-"));
    write_file(path / "file", "text");
  }
  CHECK(!fs::exists(path));
}

}  // namespace lagnet::temporary_folder_test
