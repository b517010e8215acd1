#include "algorithms/compression/compressors.hpp"

#include <fmt/format.h>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

std::shared_ptr<const Compressor> make_compressor(const CompressorOptions& options, Index d) {
  return options.visit([d](const auto& chosen) { return make_compressor(chosen, d); });
}

void need_unbiased(const Compressor& Q, const CompressorOptions& options, std::string_view algorithm) {
  if (Q.is() != CompressorClass::contractive) return;
  throw Diagnosed("compressor",
                  fmt::format("an unbiased one (identity, rand_k scaled, dithering, natural) for {}", algorithm),
                  fmt::format("{}, which is biased", options.kind()));
}

void need_contractive(const Compressor& Q, const CompressorOptions& options, const char* key) {
  if (Q.is() != CompressorClass::unbiased) return;
  const bool is_scaled = options.kind() == RandKOptions::kind;
  throw Diagnosed(key,
                  fmt::format("a contractive one; add {}", is_scaled ? "\"scaled\": false" : "\"contractive\": true"),
                  fmt::format("{}, which is unbiased with omega {:.4g}", options.kind(), *Q.omega()));
}

Remarks warn_unless_unbiased(const Compressor& Q, std::string_view algorithm) {
  if (Q.is() == CompressorClass::contractive)
    return {{"compressor_biased",
             {},
             fmt::format("the theory of {} is for unbiased compressors, and this one is biased: it may diverge with "
                         "steps that converge otherwise",
                         algorithm)}};
  if (Q.is() == CompressorClass::rounding)
    return {{"compressor_rounds",
             {},
             fmt::format("the theory of {} is for unbiased compressors, and rounding is biased by the last bit: what "
                         "that leaves is not corrected",
                         algorithm)}};
  return {};
}

Remarks warn_unless_contractive(const Compressor& Q, std::string_view algorithm) {
  if (Q.is() != CompressorClass::unbiased) return {};
  return {
      {"compressor_unbiased",
       {{"omega", *Q.omega()}},
       fmt::format("the theory of {} is for contractive compressors, and this one is unbiased with omega {:.4g}: "
                   "gamma must fall with 1 + omega, or a division by 1 + omega makes it contractive (\"contractive\": "
                   "true, of rand_k \"scaled\": false)",
                   algorithm, *Q.omega())}};
}

}  // namespace lagnet
