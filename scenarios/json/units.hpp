#pragma once

#include <string>
#include <string_view>

namespace lagnet {

/// The number to write if a number is expected and a text has one with a unit: " (write 50: latency_ms is in ms)" for
/// the text "50ms" or "0.05 s" at a pointer that ends in latency_ms. Nothing where the text or the key has no unit that
/// is known. Keys say theirs at their end: _ms, _s, _bytes_per_s.
std::string unit_hint(std::string_view pointer, std::string_view text);

}  // namespace lagnet
