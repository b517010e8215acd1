#include "algorithms/federated/compressed/ef21_bc.hpp"

#include "algorithms/federated/compressed/ef21.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::ef21_bc_test {

using namespace lagnet::test;

TEST_CASE("with the identity for requests EF21-BC is EF21") {
  for (const double l1 : {0.0, 0.05}) {
    const Bench bench = unequal_clients(60, l1);
    const CompressorOptions Q = TopKOptions{.k = 1};
    const auto w = simulate(bench, Ef21BcOptions{.compressor = Q, .compressor_down = IdentityOptions{}, .step = 0.1}).w;
    const auto plain = simulate(bench, Ef21Options{.compressor = Q, .step = 0.1}).w;
    for (std::size_t t = 0; t <= 60; ++t) CHECK((w[t] - plain[t]).norm() < 10 * rounding_of(t));
  }
}

TEST_CASE("EF21-BC is a plain loop both ways, also where losses are repaired") {
  const double s = 0.1, l1 = 0.05;
  const CompressorOptions Q = TopKOptions{.k = 1};
  for (const CompressorOptions& down : {CompressorOptions(ScaledSignOptions{}), CompressorOptions(shrunk_levels)}) {
    const Bench bench = unequal_clients(40, l1);
    const Ef21BcOptions options{.compressor = Q, .compressor_down = down, .step = s};
    const Result result = simulate(bench, options);
    CHECK(result.parts == simulate(with_repaired_losses(bench), options).parts);  // bit for bit
    std::vector<Vector> G_k(3, Vector::Zero(4));
    Vector x = Vector::Zero(4), g = x;
    for (std::size_t t = 1; t <= 40; ++t) {
      Vector G = Vector::Zero(4);
      for (AgentId k = 1; k <= 3; ++k) {
        G_k[k - 1] += compressed(Q, gradient_with_square(bench, k, x) - G_k[k - 1], k, t);
        G += share_of(bench, k) * G_k[k - 1];
      }
      g += compressed(down, G - g, 0, t);
      x = soft(x - s * g, s * l1);
      CHECK((result.w[t] - x).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][1] - g).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][2] - G).norm() < 10 * rounding_of(t));
    }
    const auto up_Q = make_compressor(Q, 4), down_Q = make_compressor(down, 4);
    const Index d = 4, p = 3 * d, nz = up_Q->kept(), nz_d = down_Q->kept();
    for (AgentId k = 1; k <= 3; ++k) {
      CHECK(result.ledger.agent(k).flops ==
            40 * (gradient_flops(bench, k) + d + up_Q->flops() + nz) + 39 * (nz_d + 2 * d + p));
      CHECK(result.ledger.agent(k).bytes_sent == 40 * bytes_of(Q, d));
    }
    CHECK(result.ledger.agent(0).flops == 40 * (2 * 3 * nz + 4 * d + down_Q->flops() + nz_d + p));
    CHECK(result.ledger.agent(0).bytes_sent == 40 * 3 * bytes_of(down, d));
  }
}

TEST_CASE("EF21-BC reaches the optimum with one compressor for both ways") {
  for (const double l1 : {0.0, 0.1})
    for (const CompressorOptions& Q :
         {CompressorOptions(TopKOptions{.k = 2}), CompressorOptions(ScaledSignOptions{})}) {
      const Bench bench = unequal_clients(3000, l1);
      CHECK(distance(simulate(bench, Ef21BcOptions{.compressor = Q, .step = 0.05}).w.back(), bench) < 1e-6);
    }
}

TEST_CASE("EF21-BC refuses compressors of both ways that are not contractive") {
  const Bench bench = unequal_clients(1);
  const auto construct = [&](const CompressorOptions& up, std::optional<CompressorOptions> down) {
    const Ef21Bc method({.compressor = up, .compressor_down = down, .step = 0.1}, bench.assignment());
  };
  const CompressorOptions top = TopKOptions{.k = 1};
  CHECK_NOTHROW(construct(top, {}));
  CHECK_THROWS_WITH(construct(two_levels, top), Catch::Contains("compressor: expected a contractive one"));
  CHECK_THROWS_WITH(construct(top, CompressorOptions(two_levels)),
                    Catch::Contains("compressor_down: expected a contractive one"));
}

}  // namespace lagnet::ef21_bc_test
