#include "algorithms/compression/compressor.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/compression/some_compressors.hpp"

namespace lagnet::compressor_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 12;
constexpr Round repetitions = 4000;

/// Dense ones, a sparse one, one with a large entry, and one with entries between levels.
std::vector<Vector> vectors() {
  Vector sparse = Vector::Zero(d), spiked = normal_vector(d, 3);
  sparse[2] = 3;
  sparse[7] = -1;
  spiked[4] = 20;
  return {normal_vector(d, 1), normal_vector(d, 2), sparse, spiked, Vector(Vector::LinSpaced(d, -1, 1.2))};
}

/// The mean of Q(x) and the mean of |Q(x) - x|^2 / |x|^2 over many rounds.
struct Means {
  Vector q = Vector::Zero(d);
  double error = 0;
};
Means means_of(const Compressor& Q, const Vector& x) {
  Means means;
  for (Round t = 1; t <= repetitions; ++t) {
    const Vector q = compressed(Q, x, t);
    means.q += q / static_cast<double>(repetitions);
    means.error += (q - x).squaredNorm() / x.squaredNorm() / static_cast<double>(repetitions);
  }
  return means;
}

/// Sampling noise of the mean of a thousand and more draws of errors whose spread is no larger than their bound.
constexpr double noise = 0.1;

}  // namespace

TEST_CASE("unbiased compressors are right in the mean and no farther off than omega says") {
  int unbiased = 0;
  for (const auto& [name, options] : some_compressors()) {
    const auto Q = make_compressor(options, d);
    if (Q->is() != CompressorClass::unbiased) continue;
    ++unbiased;
    for (const Vector& x : vectors()) {
      CAPTURE(name);
      const Means means = means_of(*Q, x);
      CHECK(means.error <= *Q->omega() * (1 + noise));
      // The mean of the repetitions has a standard deviation of at most sqrt(omega / repetitions) |x|.
      CHECK((means.q - x).norm() <= 4 * std::sqrt(*Q->omega() / static_cast<double>(repetitions)) * x.norm());
    }
  }
  CHECK(unbiased == 6);
}

TEST_CASE("contractive compressors are no farther off than delta says") {
  int contractive = 0;
  for (const auto& [name, options] : some_compressors()) {
    const auto Q = make_compressor(options, d);
    if (Q->is() == CompressorClass::unbiased) continue;
    ++contractive;
    CompressionDraws draws = draws_of(1);
    Vector probe = normal_vector(d, 1);
    Q->compress(probe, draws);
    const double slack = draws.taken() > 0 ? noise : 1e-12;  // without draws each vector keeps to it, but for rounding
    for (const Vector& x : vectors()) {
      CAPTURE(name);
      const double error =
          draws.taken() > 0 ? means_of(*Q, x).error : (compressed(*Q, x) - x).squaredNorm() / x.squaredNorm();
      CHECK(error <= (1 - Q->delta()) * (1 + slack));
    }
  }
  CHECK(contractive == 10);
}

TEST_CASE("an unbiased compressor divided by 1 + omega is the contractive one with its delta") {
  const Vector x = normal_vector(d, 5);
  const auto scaled = make_compressor(DitheringOptions{.levels = 2}, d),
             divided = make_compressor(DitheringOptions{.levels = 2, .contractive = true}, d);
  CHECK(divided->omega() == scaled->omega());
  CHECK(divided->delta() == 1 / (1 + *scaled->omega()));
  CHECK(divided->flops() == scaled->flops() + d);
  CHECK((compressed(*divided, x) * (1 + *scaled->omega()) - compressed(*scaled, x)).norm() < 1e-15 * x.norm() * d);
}

TEST_CASE("the mean error of rand_k is omega itself") {
  const auto Q = make_compressor(RandKOptions{.k = 3}, d);
  CHECK(*Q->omega() == 3);
  // Of each entry d/k times itself or nothing is left: (d/k - 1) |x|^2 whatever x is.
  CHECK(means_of(*Q, normal_vector(d, 1)).error == Approx(3).epsilon(noise));
}

}  // namespace lagnet::compressor_test
