#include "sim/base/sha256.hpp"

#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <string_view>

namespace lagnet {

TEST_CASE("The SHA-256 is that of the examples of FIPS 180-4") {
  const auto digest = [](std::string_view text) { return hexadecimal(sha256(std::as_bytes(std::span(text)))); };
  CHECK(digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace lagnet
