#include "sim/realtime/frames/crc32c.hpp"

#include <isa-l/crc.h>

#include <algorithm>

namespace lagnet {

Crc32c& Crc32c::add(std::span<const std::byte> bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;  // for the library's int
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(most, bytes.size()));
    // It does not write, though its declaration would let it.
    auto* const begin = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(piece.data()));
    state_ = crc32_iscsi(begin, static_cast<int>(piece.size()), state_);
    bytes = bytes.subspan(piece.size());
  }
  return *this;
}

}  // namespace lagnet
