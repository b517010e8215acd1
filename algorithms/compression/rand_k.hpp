#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/compression/kept_entries.hpp"

namespace lagnet {

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
