#include "algorithms/federated/compressed/dasha.hpp"

#include <cmath>

#include "algorithms/federated/compressed/dasha_pp.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::dasha_test {

using namespace lagnet::test;

TEST_CASE("with the identity DASHA is gradient descent") {
  const Bench bench = unequal_clients(60);
  const auto w = simulate(bench, DashaOptions{.step = 0.2}).w;
  const auto plain = gradient_descent(bench, 0.2);
  for (std::size_t t = 0; t <= 60; ++t) CHECK((w[t] - plain[t]).norm() < 10 * rounding_of(t));
}

TEST_CASE("DASHA is a plain loop, and its server's estimate the mean of the clients' also where losses are repaired") {
  const double s = 0.1, a = 0.3;
  for (const CompressorOptions& Q : {CompressorOptions(RandKOptions{.k = 2}), CompressorOptions(NaturalOptions{})}) {
    const Bench bench = unequal_clients(40);
    const DashaOptions options{.compressor = Q, .step = s, .a = a};
    const Result result = simulate(bench, options);
    CHECK(result.parts == simulate(with_repaired_losses(bench), options).parts);  // bit for bit
    std::vector<Vector> h(3), G(3);
    Vector x = Vector::Zero(4);
    for (std::size_t t = 1; t <= 40; ++t) {
      Vector g = Vector::Zero(4);
      for (AgentId k = 1; k <= 3; ++k) {
        const Vector g_k = gradient_with_square(bench, k, x);
        Vector &h_k = h[k - 1], &G_k = G[k - 1];
        if (t == 1)
          G_k = g_k;
        else
          G_k += compressed(Q, g_k - h_k - a * (G_k - h_k), k, t);
        h_k = g_k;
        g += share_of(bench, k) * G_k;
      }
      x -= s * g;
      CHECK((result.w[t] - x).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][1] - g).norm() < 10 * rounding_of(t));
    }
    const auto compressor = make_compressor(Q, 4);
    const Index nz = compressor->kept();
    for (AgentId k = 1; k <= 3; ++k) {
      CHECK(result.ledger.agent(k).flops == 40 * gradient_flops(bench, k) + 39 * (4 * 4 + compressor->flops() + nz));
      CHECK(result.ledger.agent(k).bytes_sent == 32 + 39 * bytes_of(Q, 4));
    }
    CHECK(result.ledger.agent(0).flops == 2 * 3 * 4 + 2 * 4 + 39 * (2 * 3 * nz + 3 * 4));
    CHECK(result.ledger.agent(0).bytes_sent == 40 * 3 * 32);
  }
}

TEST_CASE("with its theoretical step DASHA reaches the optimum, however the clients differ") {
  for (const CompressorOptions& Q :
       {CompressorOptions(two_levels), CompressorOptions(RandKOptions{.k = 2}), CompressorOptions(NaturalOptions{})}) {
    const Bench bench = unequal_clients(2500);
    const Dasha method({.compressor = Q}, with_norm(bench));
    CHECK(distance(simulate(bench, method).w.back(), bench) < 1e-6);
  }
}

TEST_CASE("DASHA's step of theory follows from omega and two curvatures") {
  const Bench bench = two_curvatures(1, 0.5);  // curvatures 1 and 2.5, 2 of all, and the square's
  const Dasha natural({.compressor = NaturalOptions{}}, with_norm(bench));
  const double L_tilde = std::sqrt(1.5 * 1.5 / 3 + 3 * 3 * 2.0 / 3);
  CHECK(constant_of(natural, "a") == 0.8);
  CHECK(constant_of(natural, "L_f") == Approx(2.5));
  CHECK(constant_of(natural, "L_tilde") == Approx(L_tilde));
  CHECK(constant_of(natural, "step") == Approx(1 / (2.5 + L_tilde * std::sqrt(16 * 0.125 * 1.25 / 2))));
  const Dasha given({.compressor = NaturalOptions{}, .L = 2}, bench.assignment());
  CHECK(constant_of(given, "step") == Approx(1 / (2 + 2 * std::sqrt(16 * 0.125 * 1.25 / 2))));
}

TEST_CASE("with all clients and b = 1 DASHA-PP is DASHA") {
  const CompressorOptions Q = RandKOptions{.k = 2};
  const Bench bench = five_clients(60);
  const Result partial = simulate(bench, DashaPpOptions{.compressor = Q, .step = 0.1});  // b by default
  const Result whole = simulate(bench, DashaOptions{.compressor = Q, .step = 0.1});
  for (std::size_t t = 0; t <= 60; ++t) CHECK((partial.w[t] - whole.w[t]).norm() < 10 * rounding_of(t));
}

TEST_CASE("DASHA-PP is a plain loop with cohorts, and its server's estimate the mean of the clients'") {
  const CompressorOptions Q = RandKOptions{.k = 2};
  const double s = 0.05, pa = 0.4, a = pa / 3, b = pa / (2 - pa);  // omega 1
  const Bench bench = five_clients(40, 2);
  const Result result = simulate(bench, DashaPpOptions{.compressor = Q, .step = s});
  std::vector<Vector> h(5), G(5);
  Vector x = Vector::Zero(4), last = x;
  for (std::size_t t = 1; t <= 40; ++t) {
    for (AgentId c = 1; c <= 5 && t == 1; ++c) h[c - 1] = G[c - 1] = gradient_with_square(bench, c, x);
    if (t > 1)
      for (const AgentId c : asked_in(bench, t)) {
        const Vector old = gradient_with_square(bench, c, last);
        const Vector k = gradient_with_square(bench, c, x) - old - b * (h[c - 1] - old);
        const Vector q = compressed(Q, k / pa - a / pa * (G[c - 1] - h[c - 1]), c, t);
        h[c - 1] += k / pa;
        G[c - 1] += q;
      }
    Vector g = Vector::Zero(4);
    for (const Vector& one : G) g += one / 5;
    last = x;
    x -= s * g;
    CHECK((result.w[t] - x).norm() < 20 * rounding_of(t));
    CHECK((result.parts[t][1] - g).norm() < 20 * rounding_of(t));
  }
  const auto compressor = make_compressor(Q, 4);
  Flops of_clients = 0;
  for (AgentId c = 1; c <= 5; ++c) of_clients += result.ledger.agent(c).flops;
  const Flops each = 2 * gradient_flops(bench, 1) + 9 * 4 + compressor->flops() + 2;
  CHECK(of_clients == 5 * gradient_flops(bench, 1) + 39 * 2 * each);
  CHECK(result.ledger.agent(0).flops == 2 * 5 * 4 + 2 * 4 + 39 * (2 * 2 * 2 + 3 * 4));
  CHECK(result.ledger.agent(0).bytes_sent == 5 * 32 + 39 * 2 * 64);
}

TEST_CASE("DASHA-PP reaches the optimum with two clients of five in a round, of the mean of unequal ones, too") {
  const DashaPpOptions options{.compressor = RandKOptions{.k = 2}, .step = 0.05};
  const Bench bench = five_clients(4000, 2);
  CHECK(distance(simulate(bench, options).w.back(), bench) < 1e-6);

  Bench unequal = five_clients(4000, 2);
  unequal.sizes = {4, 6, 8, 10, 12};
  CHECK_THROWS_WITH(DashaPp(options, unequal.assignment()),
                    Catch::Contains("/problem/agent_weights: expected even, since dasha_pp weighs clients alike"));
  unequal.agent_weights = AgentWeights::even;
  const Vector w = simulate(unequal, options).w.back();
  Vector mean = Vector::Zero(4);
  for (AgentId k = 1; k <= 5; ++k) mean += gradient_with_square(unequal, k, w) / 5;
  CHECK(mean.norm() < 1e-6);
}

TEST_CASE("DASHA and DASHA-PP refuse compressors that are biased") {
  const Bench bench = five_clients(1);
  const CompressorOptions Q = ScaledSignOptions{};
  CHECK_THROWS_WITH(Dasha({.compressor = Q, .step = 0.1}, bench.assignment()),
                    Catch::Contains("an unbiased one") && Catch::Contains("for dasha,"));
  CHECK_THROWS_WITH(DashaPp({.compressor = Q, .step = 0.1}, bench.assignment()),
                    Catch::Contains("an unbiased one") && Catch::Contains("for dasha_pp,"));
}

}  // namespace lagnet::dasha_test
