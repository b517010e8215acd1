#include "scenarios/files/version.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

TEST_CASE("A build is identified by its version and the checksum of the running program") {
  // The file read as a whole is the oracle of the one read in pieces.
  REQUIRE(build_identity() == std::string(version()) + " " + checksum(read_file("/proc/self/exe")));
}

}  // namespace lagnet
