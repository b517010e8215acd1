#include "sim/base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "sim/base/errors.hpp"

namespace lagnet {

std::array<std::byte, 32> sha256(std::span<const std::byte> bytes) {
  std::array<std::byte, 32> digest{};
  const int done = EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), nullptr,
                              EVP_sha256(), nullptr);
  LAGNET_CHECK(done == 1, "OpenSSL has no SHA-256");
  return digest;
}

std::string hexadecimal(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  return text;
}

}  // namespace lagnet
