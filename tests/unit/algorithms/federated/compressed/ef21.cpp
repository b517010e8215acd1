#include "algorithms/federated/compressed/ef21.hpp"

#include <cmath>

#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::ef21_test {

using namespace lagnet::test;

TEST_CASE("two rounds of EF21 are as by hand") {
  // Of two features the larger entry of each difference is sent. One client, one sample (1, 2), y = 1, step 0.1: the
  // gradient is (a - 1) (1, 2), a the score.
  Bench bench{.problem = problem_of(Matrix{{1, 2}}, Vector{{1}}), .sizes = {1}, .rounds = 2};
  const Result result = simulate(bench, Ef21Options{.compressor = TopKOptions{.k = 1}, .step = 0.1});
  CHECK(result.parts[1][1] == Vector{{0, -2}});
  CHECK((result.w[1] - Vector{{0, 0.2}}).norm() < 1e-15);
  // The score is 0.4, the gradient (-0.6, -1.2), the difference (-0.6, 0.8), so that the estimate is right in the
  // second entry and 0 in the first.
  CHECK((result.parts[2][1] - Vector{{0, -1.2}}).norm() < 1e-15);
  CHECK((result.w[2] - Vector{{0, 0.32}}).norm() < 1e-15);
}

TEST_CASE("with the identity EF21 is distributed proximal gradient descent") {
  for (const double l1 : {0.0, 0.1}) {
    const Bench bench{.problem = random_problem(40, 4, l1), .sizes = {5, 15, 20}, .rounds = 60};
    const auto w = simulate(bench, Ef21Options{.step = 0.2}).w;
    const auto plain = simulate(bench, DistributedProximalGradientOptions{{.step = 0.2}}).w;
    for (std::size_t t = 0; t <= 60; ++t) CHECK((w[t] - plain[t]).norm() < rounding_of(t));
  }
}

TEST_CASE("EF21 is a plain loop, and its server's estimate the mean of the clients' also where losses are repaired") {
  const double s = 0.1, l1 = 0.05;
  for (const CompressorOptions& Q : {CompressorOptions(TopKOptions{.k = 1}), CompressorOptions(ScaledSignOptions{}),
                                     CompressorOptions(shrunk_levels)}) {
    const Bench bench = unequal_clients(40, l1);
    const Ef21Options options{.compressor = Q, .step = s};
    const Result result = simulate(bench, options);
    const Result in_losses = simulate(with_repaired_losses(bench), options);
    CHECK(in_losses.ledger.total().messages_lost > 0);
    CHECK(result.parts == in_losses.parts);  // bit for bit
    std::vector<Vector> g(3, Vector::Zero(4));
    Vector x = Vector::Zero(4);
    for (std::size_t t = 1; t <= 40; ++t) {
      Vector mean = Vector::Zero(4);
      for (AgentId k = 1; k <= 3; ++k) {
        g[k - 1] += compressed(Q, gradient_with_square(bench, k, x) - g[k - 1], k, t);
        mean += share_of(bench, k) * g[k - 1];
      }
      x = soft(x - s * mean, s * l1);
      CHECK((result.w[t] - x).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][1] - mean).norm() < 10 * rounding_of(t));
    }
  }
}

TEST_CASE("with its theoretical step EF21 reaches the optimum even with biased compressors") {
  for (const double l1 : {0.0, 0.1})
    for (const CompressorOptions& Q : {CompressorOptions(TopKOptions{.k = 1}), CompressorOptions(ScaledSignOptions{}),
                                       CompressorOptions(shrunk_levels)}) {
      const Bench bench = unequal_clients(3000, l1);
      const Ef21 method({.compressor = Q}, with_norm(bench));
      // Steps of mu s > 1/120: 3000 rounds shrink the gap by 1e-10 and more.
      CHECK(distance(simulate(bench, method).w.back(), bench) < 1e-6);
    }
}

TEST_CASE("EF21's step of theory follows from delta and two curvatures") {
  // Curvatures 1 and 2.5 of the clients, 2 of all, and 0.5 of the square; one feature, which top 1 keeps.
  const Bench one_feature = two_curvatures(1, 0.5);
  const Ef21 exact({.compressor = TopKOptions{.k = 1}}, with_norm(one_feature));
  CHECK(constant_of(exact, "L_f") == Approx(2.5));
  CHECK(constant_of(exact, "L_tilde") == Approx(std::sqrt(1.5 * 1.5 / 3 + 3 * 3 * 2.0 / 3)));
  CHECK(constant_of(exact, "step") == Approx(0.4));
  const Bench bench = unequal_clients(1);
  const Ef21 bounded({.compressor = TopKOptions{.k = 1}, .L = 2}, bench.assignment());
  const double rest = std::sqrt(0.75);
  CHECK(constant_of(bounded, "delta") == 0.25);
  CHECK(constant_of(bounded, "step") == Approx(1 / (2 + 2 * rest / (1 - rest))));
}

TEST_CASE("a round of EF21 costs gradients, compressions, kept entries and an uplink encoding") {
  const Index d = 4, rounds = 7, m = 3;
  for (const CompressorOptions& Q :
       {CompressorOptions(), CompressorOptions(TopKOptions{.k = 2}), CompressorOptions(ScaledSignOptions{})}) {
    const Bench bench = unequal_clients(rounds, 0.1);
    const Result result = simulate(bench, Ef21Options{.compressor = Q, .step = 0.1});
    const auto compressor = make_compressor(Q, d);
    const Index nz = compressor->kept();
    for (AgentId k = 1; k <= 3; ++k) {
      const Index n_k = bench.sizes[k - 1], gradient = 4 * n_k * d + n_k + d + 2 * d;
      CHECK(result.ledger.agent(k).flops == rounds * (gradient + d + compressor->flops() + nz));
      CHECK(result.ledger.agent(k).bytes_sent == rounds * bytes_of(Q, d));
    }
    CHECK(result.ledger.agent(0).flops == rounds * (2 * m * nz + 3 * d + 3 * d));
    CHECK(result.ledger.agent(0).bytes_sent == rounds * m * d * 8);
  }
}

TEST_CASE("with all clients EF21-PP is EF21, bit for bit") {
  for (const CompressorOptions& Q : {CompressorOptions(TopKOptions{.k = 1}), CompressorOptions(ScaledSignOptions{})}) {
    const Bench bench = unequal_clients(40, 0.05);
    CHECK(simulate(bench, Ef21PpOptions{.compressor = Q, .step = 0.1}).parts ==
          simulate(bench, Ef21Options{.compressor = Q, .step = 0.1}).parts);
  }
}

TEST_CASE("EF21-PP moves the estimates of those alone that are asked, whom any choice may choose, and all in round 1") {
  const CompressorOptions Q = TopKOptions{.k = 1};
  const double s = 0.1, l1 = 0.05;
  for (const bool listed : {false, true}) {
    Bench bench = unequal_clients(40, l1);
    bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
    if (listed)
      bench.model.participation =
          std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1}, {2, 3}, {3}});
    const Result result = simulate(bench, Ef21PpOptions{.compressor = Q, .step = s});
    std::vector<Vector> g(3, Vector::Zero(4));
    Vector x = Vector::Zero(4);
    Index answers = 0;
    for (std::size_t t = 1; t <= 40; ++t) {
      for (const AgentId k : t == 1 ? std::vector<AgentId>{1, 2, 3} : asked_in(bench, t)) {
        g[k - 1] += compressed(Q, gradient_with_square(bench, k, x) - g[k - 1], k, t);
        ++answers;
      }
      Vector mean = Vector::Zero(4);
      for (AgentId k = 1; k <= 3; ++k) mean += share_of(bench, k) * g[k - 1];
      x = soft(x - s * mean, s * l1);
      CHECK((result.w[t] - x).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][1] - mean).norm() < 10 * rounding_of(t));
    }
    CHECK(result.ledger.agent(0).flops == answers * 2 * 1 + 40 * (3 * 4 + 3 * 4));
    CHECK(result.ledger.agent(0).bytes_sent == answers * 4 * 8);
    CHECK(distance(simulate(
                       [&] {
                         Bench longer = bench;
                         longer.rounds = 3000;
                         return longer;
                       }(),
                       Ef21PpOptions{.compressor = Q, .step = s})
                       .w.back(),
                   bench) < 1e-6);
  }
}

TEST_CASE("EF21 refuses compressors that are not contractive, and says how they become so") {
  const Bench bench = unequal_clients(1);
  const auto construct = [&](const CompressorOptions& Q) {
    const Ef21 method({.compressor = Q, .step = 0.1}, bench.assignment());
  };
  CHECK_THROWS_WITH(construct(two_levels), Catch::Contains("a contractive one; add \"contractive\": true"));
  CHECK_THROWS_WITH(construct(NaturalOptions{}), Catch::Contains("a contractive one; add \"contractive\": true"));
  CHECK_THROWS_WITH(construct(RandKOptions{.k = 1}), Catch::Contains("a contractive one; add \"scaled\": false"));
  CHECK_NOTHROW((construct(RandKOptions{.k = 1, .scaled = false})));
  CHECK_NOTHROW(construct(RoundingOptions{}));
  CHECK_NOTHROW(construct(RandKOptions{.k = 4}));  // all of them
}

}  // namespace lagnet::ef21_test
