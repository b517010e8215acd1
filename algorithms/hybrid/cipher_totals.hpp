#pragma once

#include <array>
#include <cstdint>

#include "algorithms/hybrid/cell_schedule.hpp"
#include "sim/base/array.hpp"
#include "sim/world/ciphers.hpp"

namespace lagnet {

/// The cost of encryption so far. An inner product counts the samples of S alone, even where more are exchanged. Serial
/// seconds take all operations one after the other; in parallel seconds, a phase lasts as long as its busiest client
/// and the server's additions (Overman, Blum, Klabjan, section 7).
class CipherTotals {
 public:
  explicit CipherTotals(CipherCosts each) : each_(each) {}
  /// Counts a phase; returns the additions.
  std::int64_t note(Tally encryptions, Tally decryptions, std::int64_t additions);
  /// Encrypted, decrypted, added, serial seconds, parallel seconds (5).
  VectorView totals() const { return {totals_.data(), static_cast<Index>(totals_.size())}; }

 private:
  CipherCosts each_;
  Duration serial_, parallel_;
  std::array<double, 5> totals_{0, 0, 0, 0, 0};
};

}  // namespace lagnet
