#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"
#include "sim/base/bit_stream.hpp"

/// What compressors share that keep k of d entries.
namespace lagnet {

/// How many entries are kept: k, or a fraction of d.
struct KeptShare {
  std::optional<std::int64_t> k;
  std::optional<double> fraction;
  /// k of d entries: max(1, ceil(fraction d)), at most d. Throws Diagnosed for neither or both, k < 1, and a fraction
  /// that is not above 0 and at most 1.
  Index of(Index d) const;
};
void declare_kept(auto& self, auto& field) {
  field("k", self.k, "entries that are kept, all where there are fewer; or fraction", at_least(1));
  field("fraction", self.fraction, "instead of k: the share of the entries, rounded up", above_to(0, 1));
}
void check_kept(const auto& options, auto& report) {
  if (options.k && options.fraction) report("fraction", "one of k and fraction", "both of them");
  if (!options.k && !options.fraction) report("", "one of k and fraction", "neither of them");
}

/// The bits of which k of d entries are kept: a list of indices or a map with a bit for each entry, whichever is
/// shorter. Both ends can tell which it is.
std::int64_t index_bits(Index k, Index d);
/// Ascending indices (k) of d entries, in index_bits(k, d) bits.
void put_indices(const std::vector<std::uint32_t>& indices, Index d, BitWriter& to);
std::vector<std::uint32_t> take_indices(Index k, Index d, BitReader& from);

}  // namespace lagnet
