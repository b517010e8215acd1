#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"
#include "sim/base/bit_stream.hpp"

namespace lagnet {

/// What compressors share that keep k of d entries.

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
/// shorter. Both ends know which one.
std::int64_t index_bits(Index k, Index d);
/// Ascending indices (k) of d entries, in index_bits(k, d) bits.
void put_indices(const std::vector<std::uint32_t>& indices, Index d, BitWriter& to);
std::vector<std::uint32_t> take_indices(Index k, Index d, BitReader& from);

class Compressor;

/// The k entries of largest absolute value, of equal ones those of lower index, and 0 for all others: contractive with
/// delta = k/d, biased. k entries are sent, zeros among them. Source: Stich, Cordonnier, Jaggi, "Sparsified SGD with
/// memory" (2018), definition 2.1.
struct TopKOptions {
  static constexpr std::string_view kind = "top_k";
  static constexpr std::string_view summary = "keeps the k entries of largest absolute value (contractive)";
  std::optional<std::int64_t> k = {};
  std::optional<double> fraction = {};
  ValueBits value_bits = {};
  static void fields(auto& self, auto& field) {
    declare_kept(self, field);
    declare_value_bits(self, field);
  }
  void check(auto& report) const {
    check_kept(*this, report);
    check_value_bits(*this, report);
  }
};

/// Throws Diagnosed as KeptShare::of() does. With k >= d it is the identity.
std::shared_ptr<const Compressor> make_compressor(const TopKOptions& options, Index d);

class Compressor;

/// How receivers know which entries were drawn.
enum class IndicesAre { sent, seeded };
constexpr auto spellings(IndicesAre) {
  return std::array{Spelling{IndicesAre::sent, "sent"}, Spelling{IndicesAre::seeded, "seeded"}};
}

/// k entries drawn without repetition: times d/k unbiased with omega = d/k - 1, as they are contractive with delta =
/// k/d. Sources: Stich, Cordonnier, Jaggi, "Sparsified SGD with memory" (2018), definition 2.1; Mishchenko, Gorbunov,
/// Takac, Richtarik, "Distributed learning with compressed gradient differences" (2019).
struct RandKOptions {
  static constexpr std::string_view kind = "rand_k";
  static constexpr std::string_view summary = "keeps k entries that are drawn (unbiased, or contractive)";
  std::optional<std::int64_t> k = {};
  std::optional<double> fraction = {};
  bool scaled = true;
  IndicesAre indices = IndicesAre::sent;
  ValueBits value_bits = {};
  static void fields(auto& self, auto& field) {
    declare_kept(self, field);
    field("scaled", self.scaled, "true: times d/k, unbiased; false: as they are, contractive");
    field("indices", self.indices,
          "sent: with the numbers; seeded: receivers draw them again from a seed that all agents share, so that they "
          "cost nothing");
    declare_value_bits(self, field);
  }
  void check(auto& report) const {
    check_kept(*this, report);
    check_value_bits(*this, report);
  }
};

/// Throws Diagnosed as KeptShare::of() does. With k >= d it is the identity.
std::shared_ptr<const Compressor> make_compressor(const RandKOptions& options, Index d);

}  // namespace lagnet
