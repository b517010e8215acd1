#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lagnet {

/// The number that a text says in the unit that the end of a key names (_ms, _s, _bytes_per_s): 50 for "50ms" or
/// "0.05 s" at latency_ms, and for "50". Nothing where the text is no number with a unit that is known.
std::optional<double> number_with_unit(std::string_view key, std::string_view text);

/// The units that number_with_unit() knows for a key: "min, ms, s, us"; "" for a key without unit.
std::string known_units(std::string_view key);

/// The unit of a key's numbers, "ms"; "" for a key without unit.
std::string_view unit_of_key(std::string_view key);

/// The number to write if a number is expected and a text has one with a unit: " (write 50: latency_ms is in ms)" for
/// the text "50ms" or "0.05 s" at a pointer that ends in latency_ms. Nothing where the text or the key has no unit that
/// is known. Keys say theirs at their end: _ms, _s, _bytes_per_s.
std::string unit_hint(std::string_view pointer, std::string_view text);

}  // namespace lagnet
