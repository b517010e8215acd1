#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/compression/compressor.hpp"
#include "algorithms/compression/dithering.hpp"
#include "algorithms/compression/entrywise.hpp"
#include "algorithms/compression/kept_entries.hpp"
#include "sim/base/options.hpp"
#include "sim/base/remark.hpp"

/// All kinds of compressors, and what algorithms ask of one.
namespace lagnet {

// One line a kind, which clang-format would fill up.
// clang-format off
/// A kind of compressor with its options; by default the identity. An algorithm that compresses has such an option.
struct CompressorOptions : OneOf<IdentityOptions,
                                 TopKOptions,
                                 RandKOptions,
                                 DitheringOptions,
                                 ScaledSignOptions,
                                 NaturalOptions,
                                 RoundingOptions> {
  static constexpr std::string_view called = "compressor";
  using OneOf::OneOf;
  static void declare(auto& self, auto& field) {
    field("compressor", self.compressor, "what is sent in place of vectors: {\"kind\": \"top_k\", \"fraction\": 0.1}");
  }
};
// clang-format on

/// For vectors with d entries. Throws Diagnosed for options that cannot be, with the key "compressor".
std::shared_ptr<const Compressor> make_compressor(const CompressorOptions& options, Index d);

/// Throws Diagnosed, in the name of an algorithm of that kind, for a compressor that is biased by more than rounding.
void need_unbiased(const Compressor& Q, const CompressorOptions& options, std::string_view algorithm);
/// Throws Diagnosed for an unbiased compressor that a division would make contractive.
void need_contractive(const Compressor& Q, const CompressorOptions& options, const char* key = "compressor");

/// The remark for a user who gives an algorithm of that kind such a compressor; empty if theory covers it.
Remarks warn_unless_unbiased(const Compressor& Q, std::string_view algorithm);
Remarks warn_unless_contractive(const Compressor& Q, std::string_view algorithm);

}  // namespace lagnet
