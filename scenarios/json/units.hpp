#pragma once

#include <string>
#include <string_view>

namespace lagnet {

/// What to write where a number is wanted and a text has one with its unit: " (write 50: latency_ms is in ms)" for the
/// text "50ms" or "0.05 s" at a pointer that ends in latency_ms. Nothing where the text or the key has no unit that is
/// known. Keys say theirs at their end: _ms, _s, _bytes_per_s.
std::string unit_hint(std::string_view pointer, std::string_view text);

}  // namespace lagnet
