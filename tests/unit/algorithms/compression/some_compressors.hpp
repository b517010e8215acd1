#pragma once

#include <string>
#include <vector>

#include "algorithms/compression/compressors.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

/// Compressors of all kinds, for what holds for each of them.
namespace lagnet::test {

struct NamedCompressor {
  std::string name;
  CompressorOptions options;
};

inline std::vector<NamedCompressor> some_compressors() {
  const auto linf = DitheringNorm::linf;
  return {{"identity", IdentityOptions{}},
          {"top 3", TopKOptions{.k = 3}},
          {"top 40 %", TopKOptions{.fraction = 0.4}},
          {"rand 3", RandKOptions{.k = 3}},
          {"rand 60 %, not scaled", RandKOptions{.fraction = 0.6, .scaled = false}},
          {"rand 2, seeded", RandKOptions{.k = 2, .indices = IndicesAre::seeded}},
          {"l2, 1 level", DitheringOptions{.levels = 1}},
          {"l2, 4 levels, contractive", DitheringOptions{.levels = 4, .contractive = true}},
          {"linf, 2 levels", DitheringOptions{.levels = 2, .norm = linf}},
          {"linf, 2 levels, blocks of 4", DitheringOptions{.levels = 2, .norm = linf, .block = 4}},
          {"scaled sign", ScaledSignOptions{}},
          {"natural", NaturalOptions{}},
          {"natural, 11 bits, contractive", NaturalOptions{.exponent_bits = 11, .contractive = true}},
          {"float32", RoundingOptions{.format = NumberFormat::float32}},
          {"float16", RoundingOptions{.format = NumberFormat::float16}},
          {"bfloat16", RoundingOptions{.format = NumberFormat::bfloat16}}};
}

/// d normal numbers.
inline Vector normal_vector(Index d, std::uint64_t seed) { return testing::normal_matrix(d, 1, seed).col(0); }

/// The draws of a round, each time from the first on.
inline CompressionDraws draws_of(Round round) { return {11, 3, round}; }

/// Q(x).
inline Vector compressed(const Compressor& Q, Vector x, Round round = 1) {
  CompressionDraws draws = draws_of(round);
  Q.compress(x, draws);
  return x;
}
template <class Options>
Vector compressed(const Options& options, const Vector& x, Round round = 1) {
  return compressed(*make_compressor(options, x.size()), x, round);
}

}  // namespace lagnet::test
