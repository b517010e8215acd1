#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lagnet {

/// Numbers in fewer bytes, to the last bit of each: compressed vectors have many zeros, few different values, or values
/// of 32 bits. It takes the smallest combination of where (everywhere; a bit for each number; the indices of those that
/// are not 0) and what (binary64, binary32, places in a table of the different values). Appends nothing, and returns
/// false, if this does not take less than 8 bytes for each number.
bool append_compact(std::vector<std::byte>& to, std::span<const double> numbers);

/// All of the numbers. Throws FrameError if the byte count does not match.
void read_compact(std::span<const std::byte> from, std::span<double> numbers);

}  // namespace lagnet
