#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace lagnet {

/// The SHA-256 of these bytes (FIPS 180-4), by OpenSSL.
std::array<std::byte, 32> sha256(std::span<const std::byte> bytes);

/// In hexadecimal digits, as sha256sum prints it.
std::string hexadecimal(std::span<const std::byte> bytes);

}  // namespace lagnet
