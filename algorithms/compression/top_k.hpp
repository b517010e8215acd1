#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/compression/kept_entries.hpp"

namespace lagnet {

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

}  // namespace lagnet
