#include "sim/realtime/frames/crc32c.hpp"

#include <boost/crc.hpp>
#include <catch2/catch.hpp>
#include <cstddef>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/draws.hpp"

namespace lagnet {

namespace {
std::uint32_t crc_of(std::span<const std::byte> bytes) { return Crc32c().add(bytes).value(); }
std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
}  // namespace

TEST_CASE("The CRC-32C is that of the published examples") {
  CHECK(crc_of(bytes_of("123456789")) == 0xe3069283);  // the check value of the catalogue of parametrised CRCs
  // RFC 3720, B.4: the four bytes stand there in the order in which they are sent, the lowest first.
  CHECK(crc_of(std::vector<std::byte>(32, std::byte{0})) == 0x8a9136aa);
  CHECK(crc_of(std::vector<std::byte>(32, std::byte{0xff})) == 0x62a8ab43);
  std::vector<std::byte> ascending(32);
  for (std::size_t i = 0; i < ascending.size(); ++i) ascending[i] = static_cast<std::byte>(i);
  CHECK(crc_of(ascending) == 0x46dd794e);
  CHECK(crc_of({}) == 0);
}

TEST_CASE("The CRC-32C of pieces is that of the whole, and that of Boost's table, at every length and offset") {
  Draws random(1, Purpose("test"));
  std::vector<std::byte> bytes(300);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.bits());
  for (std::size_t first = 0; first < 16; ++first)
    for (std::size_t count = 0; first + count <= bytes.size(); ++count) {
      const auto part = std::span<const std::byte>(bytes).subspan(first, count);
      boost::crc_optimal<32, 0x1edc6f41, 0xffffffff, 0xffffffff, true, true> table;
      table.process_bytes(part.data(), part.size());
      REQUIRE(Crc32c().add(part).value() == table.checksum());
      REQUIRE(Crc32c().add(part.first(count / 3)).add(part.subspan(count / 3)).value() == table.checksum());
    }
}

}  // namespace lagnet
