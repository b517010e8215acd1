#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/compression/compression_draws.hpp"
#include "sim/base/array.hpp"
#include "sim/base/bit_stream.hpp"
#include "sim/base/types.hpp"

/// Compressors Q of vectors with d entries. Both ends of a link know d and the options; what is sent is an encoding of
/// Q(x), whose bits do not depend on x. An agent computes with the decoded vector, as its neighbors do.
///
///     unbiased:     E Q(x) = x,  E |Q(x) - x|^2 <= omega |x|^2
///     contractive:  E |Q(x) - x|^2 <= (1 - delta) |x|^2
///
/// An unbiased Q divided by 1 + omega is contractive with delta = 1/(1 + omega).
namespace lagnet {

/// The properties of a compressor that theory uses.
enum class CompressorClass {
  exact,        // Q(x) = x
  unbiased,     // and no more than that
  contractive,  // perhaps biased
  rounding      // contractive with a delta next to 1, so that its bias is that of rounding
};

/// The facts about a compressor that do not depend on a vector.
struct CompressorFacts {
  CompressorClass is = CompressorClass::exact;
  Index kept = 0;                   // numbers that are other than 0 in Q(x), at most
  Flops flops = 0;                  // of one compression
  std::optional<double> omega = 0;  // of the unbiased one that it is or is a multiple of; else nothing
  double delta = 1;                 // of the contractive one that it is, or a multiple of it is
};

class Compressor {
 public:
  virtual ~Compressor() = default;

  /// x <- Q(x), as its receivers decode it (d). An entry that is not finite throws Divergence, which says whose it is.
  void compress(Eigen::Ref<Vector> x, CompressionDraws& draws) const;

  /// The bits of an encoding. `scalar_bits` are those of a number where the options say nothing else.
  virtual std::int64_t bits(std::int64_t scalar_bits) const = 0;
  /// No run encodes: this is what bits() is the size of. The encoding of Q(x) for x (d), with the numbers that
  /// compress() would draw. Reals of fewer than 64 bits are cut
  /// off in it: a simulation bills their size and does not round.
  virtual void encode(VectorRef x, CompressionDraws& draws, std::int64_t scalar_bits, BitWriter& to) const = 0;
  /// Q(x) from its encoding (d); a receiver can draw what the sender has drawn, and does so where indices are seeded.
  virtual Vector decode(BitReader& from, CompressionDraws& draws, std::int64_t scalar_bits) const = 0;

  Index d() const { return d_; }
  Index kept() const { return facts_.kept; }
  Flops flops() const { return facts_.flops; }
  std::optional<double> omega() const { return facts_.omega; }
  double delta() const { return facts_.delta; }
  CompressorClass is() const { return facts_.is; }

 protected:
  Compressor(Index d, const CompressorFacts& facts) : d_(d), facts_(facts) {}

 private:
  /// The same for a vector of finite entries.
  virtual void apply(Eigen::Ref<Vector> x, CompressionDraws& draws) const = 0;

  const Index d_;
  const CompressorFacts facts_;
};

}  // namespace lagnet
