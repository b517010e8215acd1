#include "algorithms/federated/compressed/diana.hpp"

#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::diana_test {

using namespace lagnet::test;

TEST_CASE("two rounds of DIANA are as by hand, with and without momentum") {
  // Round 1: gradients -2 and -4, shifts -1 and -2, h = -5/3. Round 2: at 1/3 the mean gradient is -8/3, and what the
  // shifts leave of it -1.
  const Bench bench = two_curvatures(2);
  const DianaOptions options{.step = 0.1, .alpha = 0.5};
  const Result plain = simulate(bench, options);
  CHECK(plain.w[1][0] == Approx(1.0 / 3).epsilon(1e-14));
  CHECK(plain.parts[1][1][0] == Approx(-5.0 / 3).epsilon(1e-14));
  CHECK(plain.w[2][0] == Approx(0.6).epsilon(1e-14));
  CHECK(plain.parts[2][1][0] == Approx(-13.0 / 6).epsilon(1e-14));
  DianaOptions heavy = options;
  heavy.momentum = 0.5;
  const auto w = simulate(bench, heavy).w;
  CHECK(w[1][0] == Approx(1.0 / 3).epsilon(1e-14));
  CHECK(w[2][0] == Approx(1.0 / 3 + 0.1 * (8.0 / 3 + 5.0 / 3)).epsilon(1e-14));
}

TEST_CASE("with the identity DIANA is distributed proximal gradient descent whatever its shifts learn") {
  for (const double l1 : {0.0, 0.1})
    for (const double alpha : {1.0, 0.3}) {
      const Bench bench{.problem = random_problem(40, 4, l1), .sizes = {5, 15, 20}, .rounds = 60};
      const auto w = simulate(bench, DianaOptions{.step = 0.2, .alpha = alpha}).w;
      const auto plain = simulate(bench, DistributedProximalGradientOptions{{.step = 0.2}}).w;
      for (std::size_t t = 0; t <= 60; ++t) CHECK((w[t] - plain[t]).norm() < rounding_of(t));
    }
}

TEST_CASE("DIANA is a plain loop, and its server's shift the mean of the clients' also where losses are repaired") {
  const double s = 0.1, alpha = 0.4, momentum = 0.2, l1 = 0.05;
  for (const CompressorOptions& Q :
       {CompressorOptions(two_levels), CompressorOptions(RandKOptions{.k = 2}), CompressorOptions(NaturalOptions{})}) {
    const Bench bench = unequal_clients(40, l1);
    const DianaOptions options{.compressor = Q, .step = s, .alpha = alpha, .momentum = momentum};
    const Result result = simulate(bench, options);
    const Result in_losses = simulate(with_repaired_losses(bench), options);
    CHECK(in_losses.ledger.total().messages_lost > 0);
    CHECK(result.parts == in_losses.parts);  // bit for bit
    std::vector<Vector> h(3, Vector::Zero(4));
    Vector x = Vector::Zero(4), v = x;
    for (std::size_t t = 1; t <= 40; ++t) {
      Vector mean_h = Vector::Zero(4), q = mean_h, after = mean_h;
      for (AgentId k = 1; k <= 3; ++k) {
        const Vector q_k = compressed(Q, gradient_with_square(bench, k, x) - h[k - 1], k, t);
        mean_h += share_of(bench, k) * h[k - 1];
        q += share_of(bench, k) * q_k;
        h[k - 1] += alpha * q_k;
        after += share_of(bench, k) * h[k - 1];
      }
      v = momentum * v + mean_h + q;
      x = soft(x - s * v, s * l1);
      CHECK((result.w[t] - x).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][1] - after).norm() < 10 * rounding_of(t));
      if (t > 5) CHECK(after.norm() > 0.01);
    }
  }
}

TEST_CASE("with theoretical steps DIANA reaches the optimum with every compressor, but not without shifts") {
  for (const double l1 : {0.0, 0.1})
    for (const CompressorOptions& Q : {CompressorOptions(two_levels), CompressorOptions(RandKOptions{.k = 1}),
                                       CompressorOptions(NaturalOptions{})}) {
      const Bench bench = unequal_clients(1500, l1);
      // Steps of mu s > 1/60 in expectation: 1500 rounds shrink the distance by 1e-10 and more.
      CHECK(distance(simulate(bench, DianaOptions{.compressor = Q}).w.back(), bench) < 1e-6);
    }
  const Bench bench = unequal_clients(1500);
  const auto w = simulate(bench, DianaOptions{.compressor = RandKOptions{.k = 1}, .alpha = 1e-9}).w;
  double least = infinite;
  for (std::size_t t = 500; t <= 1500; ++t) least = std::min(least, distance(w[t], bench));
  CHECK(least > 1e-3);  // noise of the size of the clients' gradients at the minimizer
}

TEST_CASE("DIANA's steps of theory follow from omega and from the curvature of every part") {
  const Bench bench = two_curvatures(1, 0.5);  // curvatures 1 and 2.5, and the square's
  const Diana exact({}, bench.assignment());
  CHECK(constant_of(exact, "step") == Approx(1.0 / 3));
  CHECK(constant_of(exact, "alpha") == 1);
  const Diana natural({.compressor = NaturalOptions{}}, bench.assignment());
  CHECK(constant_of(natural, "omega") == 0.125);
  CHECK(constant_of(natural, "alpha") == Approx(8.0 / 9));
  CHECK(constant_of(natural, "step") == Approx(1 / (3 * (1 + 6 * 0.125 / 2))));
  const Diana given({.compressor = NaturalOptions{}, .L = 4}, bench.assignment());
  CHECK(constant_of(given, "step") == Approx(1 / (4 * (1 + 6 * 0.125 / 2))));
  const Diana rounded({.compressor = RoundingOptions{}}, bench.assignment());
  CHECK(constant_of(rounded, "alpha") == 1);
  CHECK(rounded.warnings().size() == 1);
  CHECK(natural.warnings().empty());
}

TEST_CASE("a round of DIANA costs gradients, compressions, kept entries and an uplink encoding") {
  const Index d = 4, rounds = 7, m = 3;
  for (const double momentum : {0.0, 0.3})
    for (const CompressorOptions& Q :
         {CompressorOptions(), CompressorOptions(RandKOptions{.k = 2}), CompressorOptions(two_levels)}) {
      const Bench bench = unequal_clients(rounds, 0.1);
      const Result result = simulate(bench, DianaOptions{.compressor = Q, .step = 0.1, .momentum = momentum});
      const auto compressor = make_compressor(Q, d);
      const Index nz = compressor->kept();
      for (AgentId k = 1; k <= 3; ++k) {
        const Index n_k = bench.sizes[k - 1], gradient = 4 * n_k * d + n_k + d + 2 * d;
        CHECK(result.ledger.agent(k).flops == rounds * (gradient + d + compressor->flops() + 2 * nz));
        CHECK(result.ledger.agent(k).bytes_sent == rounds * bytes_of(Q, d));
      }
      CHECK(result.ledger.agent(0).flops == rounds * (2 * m * nz + 5 * d + (momentum > 0 ? 2 * d : 0) + 3 * d));
      CHECK(result.ledger.agent(0).bytes_sent == rounds * m * d * 8);
    }
}

TEST_CASE("DIANA refuses compressors that are biased, and losses with kinks") {
  Bench bench = unequal_clients(1);
  const auto construct = [&](const CompressorOptions& Q) { const Diana method({.compressor = Q}, bench.assignment()); };
  CHECK_THROWS_WITH(construct(TopKOptions{.k = 1}),
                    "compressor: expected an unbiased one (identity, rand_k scaled, dithering, natural) for diana, "
                    "found top_k, which is biased");
  CHECK_THROWS_WITH(construct(ScaledSignOptions{}), Catch::Contains("for diana"));
  CHECK_THROWS_WITH(construct(shrunk_levels), Catch::Contains("for diana"));
  CHECK_THROWS_WITH((construct(RandKOptions{.k = 1, .scaled = false})), Catch::Contains("for diana"));
  CHECK_NOTHROW(construct(TopKOptions{.k = 4}));  // all of them
  CHECK_NOTHROW(construct(RoundingOptions{}));
  bench.problem.loss = make_loss(HingeOptions{});
  CHECK_THROWS_WITH(construct({}), Catch::Contains("needs no gradient"));
}

}  // namespace lagnet::diana_test
