#include "algorithms/compression/compressors.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "sim/base/diagnostic.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::compressors_test {

using namespace lagnet::test;

TEST_CASE("the bits of every compressor are those of an encoding that decodes to its result") {
  for (const auto& [name, options] : some_compressors())
    for (const Index d : {1, 2, 7, 10, 33, 130}) {
      CAPTURE(name, d);
      const auto Q = make_compressor(options, d);
      const Vector x = normal_vector(d, 4), q = compressed(*Q, x);
      BitWriter encoding;
      CompressionDraws sender = draws_of(1), receiver = draws_of(1);
      Q->encode(x, sender, 64, encoding);
      CHECK(encoding.size() == Q->bits(64));
      BitReader reader(encoding.bytes());
      CHECK(Q->decode(reader, receiver, 64) == q);
      CHECK(reader.position() == Q->bits(64));
    }
}

TEST_CASE("numbers of fewer bits are billed by their bits and cut off in their encoding") {
  for (const std::int64_t v : {32, 16})
    for (const auto& [name, options] : some_compressors()) {
      CAPTURE(name, v);
      const auto Q = make_compressor(options, 10);
      const Vector x = normal_vector(10, 4), q = compressed(*Q, x);
      BitWriter encoding;
      CompressionDraws sender = draws_of(1), receiver = draws_of(1);
      Q->encode(x, sender, v, encoding);
      CHECK(encoding.size() == Q->bits(v));
      BitReader reader(encoding.bytes());
      const Vector decoded = Q->decode(reader, receiver, v);
      // Of the v leading bits 12 are sign and exponent; what is cut off is below one unit of the last of the others.
      const double unit = std::ldexp(1.0, static_cast<int>(12 - v));
      for (Index i = 0; i < 10; ++i) CHECK(std::abs(decoded[i] - q[i]) <= unit * std::abs(q[i]));
    }
}

TEST_CASE("value_bits say how large numbers are whatever they are on the wire") {
  CHECK(make_compressor(IdentityOptions{.value_bits = 16}, 10)->bits(64) == 160);
  CHECK(make_compressor(TopKOptions{.k = 3, .value_bits = 32}, 10)->bits(64) == 3 * 32 + 10);
  CHECK(make_compressor(RandKOptions{.k = 1, .value_bits = 32}, 10)->bits(16) == 32 + 4);
  CHECK(make_compressor(DitheringOptions{.levels = 2, .value_bits = 32}, 10)->bits(64) == 32 + 30);
  CHECK(make_compressor(ScaledSignOptions{.value_bits = 16}, 10)->bits(64) == 26);
}

TEST_CASE("a zero vector stays zero with as many draws as any other") {
  const std::map<std::string, Index> drawn{{"rand 3", 3},
                                           {"rand 60 %, not scaled", 6},
                                           {"rand 2, seeded", 2},
                                           {"l2, 1 level", 10},
                                           {"l2, 4 levels, contractive", 10},
                                           {"linf, 2 levels", 10},
                                           {"linf, 2 levels, blocks of 4", 10},
                                           {"natural", 10},
                                           {"natural, 11 bits, contractive", 10}};
  for (const auto& [name, options] : some_compressors()) {
    CAPTURE(name);
    const auto Q = make_compressor(options, 10);
    for (Vector x : {Vector(Vector::Zero(10)), normal_vector(10, 2)}) {
      const bool is_zero = x.isZero(0);
      CompressionDraws draws = draws_of(1);
      Q->compress(x, draws);
      CHECK(draws.taken() == (drawn.contains(name) ? drawn.at(name) : 0));
      CHECK(x.isZero(0) == is_zero);
    }
  }
}

TEST_CASE("an entry that is not finite ends the run and the sentence names its agent") {
  for (const double wrong : {std::numeric_limits<double>::infinity(), std::nan("")})
    for (const auto& [name, options] : some_compressors()) {
      CAPTURE(name);
      Vector x = normal_vector(10, 2);
      x[5] = wrong;
      CompressionDraws draws(7, 3, 17);
      const auto Q = make_compressor(options, 10);
      CHECK_THROWS_WITH(Q->compress(x, draws), "agent 3, round 17: entry 5 of what is compressed is not finite");
      CHECK_THROWS_AS(Q->compress(x, draws), Divergence);
    }
}

TEST_CASE("the numbers of a round follow from seed agent and round unless they are given") {
  const auto first = [](CompressionDraws draws) { return draws.uniform(); };
  CHECK(first({1, 2, 3}) == Draws(1, Purpose{"compression"}, 2, 3).uniform());
  CHECK(first({1, 2, 3}) != first({1, 2, 4}));
  CompressionDraws given(
      [](AgentId agent, Round round, Index index) {
        return (agent + 10 * static_cast<double>(round) + 100 * static_cast<double>(index)) / 1000;
      },
      2, 3);
  CHECK(given.uniform() == 0.032);
  CHECK(given.uniform() == 0.132);
}

TEST_CASE("biased compressors but rounding are refused where unbiased ones are needed") {
  const auto refusal = [](const CompressorOptions& options) {
    try {
      need_unbiased(*make_compressor(options, 10), options, "diana");
    } catch (const Diagnosed& error) {
      return error.diagnostics.front().where + ": " + error.diagnostics.front().expected;
    }
    return std::string();
  };
  const std::string text = "compressor: an unbiased one (identity, rand_k scaled, dithering, natural) for diana";
  CHECK(refusal(TopKOptions{.k = 3}) == text);
  CHECK(refusal(ScaledSignOptions{}) == text);
  CHECK(refusal(RandKOptions{.k = 3, .scaled = false}) == text);
  CHECK(refusal(NaturalOptions{.contractive = true}) == text);
  CHECK(refusal(IdentityOptions{}).empty());
  CHECK(refusal(RandKOptions{.k = 3}).empty());
  CHECK(refusal(TopKOptions{.k = 10}).empty());  // the identity
  CHECK(refusal(RoundingOptions{}).empty());
  CHECK(warn_unless_unbiased(*make_compressor(RoundingOptions{}, 10), "diana").size() == 1);
  CHECK(warn_unless_unbiased(*make_compressor(NaturalOptions{}, 10), "diana").empty());
}

TEST_CASE(
    "unbiased compressors are refused where contractive ones are needed, with the option that makes them contractive") {
  const auto refusal = [](const CompressorOptions& options) {
    try {
      need_contractive(*make_compressor(options, 10), options);
    } catch (const Diagnosed& error) {
      return error.diagnostics.front().where + ": " + error.diagnostics.front().expected;
    }
    return std::string();
  };
  CHECK(refusal(NaturalOptions{}) == "compressor: a contractive one; add \"contractive\": true");
  CHECK(refusal(DitheringOptions{}) == "compressor: a contractive one; add \"contractive\": true");
  CHECK(refusal(RandKOptions{.k = 3}) == "compressor: a contractive one; add \"scaled\": false");
  CHECK(refusal(RandKOptions{.k = 10}).empty());  // the identity
  CHECK(refusal(TopKOptions{.k = 3}).empty());
  CHECK(refusal(RoundingOptions{}).empty());
  CHECK(refusal(DitheringOptions{.contractive = true}).empty());
  CHECK(warn_unless_contractive(*make_compressor(NaturalOptions{}, 10), "choco_sgd").size() == 1);
  CHECK(warn_unless_contractive(*make_compressor(TopKOptions{.k = 3}, 10), "choco_sgd").empty());
}

TEST_CASE("invalid options are refused by key, even without a file") {
  const auto refusal = [](const auto& options) {
    try {
      make_compressor(options, 10);
    } catch (const Diagnosed& error) {
      return error.diagnostics.front().where + ": " + error.diagnostics.front().expected;
    }
    return std::string();
  };
  CHECK(refusal(TopKOptions{.k = 0}) == "compressor: k: at least 1");
  CHECK(refusal(TopKOptions{}) == "compressor: one of k and fraction");
  CHECK(refusal(RandKOptions{.k = 1, .fraction = 0.5}) == "compressor: one of k and fraction");
  CHECK(refusal(RandKOptions{.fraction = 1.5}) == "compressor: fraction: above 0 and at most 1");
  CHECK(refusal(RandKOptions{.fraction = 0.0}) == "compressor: fraction: above 0 and at most 1");
  CHECK(refusal(DitheringOptions{.levels = 0}) == "compressor: levels: from 1 to 2147483648");
  CHECK(refusal(DitheringOptions{.block = 0}) == "compressor: block: at least 1");
  CHECK(refusal(NaturalOptions{.exponent_bits = 9}) == "compressor: exponent_bits: 8 or 11");
}

}  // namespace lagnet::compressors_test
