#include "algorithms/federated/compressed/marina.hpp"

#include <cmath>

#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::marina_test {

using namespace lagnet::test;

namespace {
bool is_full(std::size_t t, double p) {
  return t == 1 || Draws(1, Purpose{"marina"}, 0, static_cast<Round>(t)).uniform() < p;
}
}  // namespace

TEST_CASE("with the identity MARINA is gradient descent") {
  const Bench bench = unequal_clients(60);
  const auto w = simulate(bench, MarinaOptions{.step = 0.2, .p = 0.3}).w;
  const auto plain = gradient_descent(bench, 0.2);
  for (std::size_t t = 0; t <= 60; ++t) CHECK((w[t] - plain[t]).norm() < rounding_of(t));
}

TEST_CASE("MARINA is a plain loop, whose full rounds renew the estimate, also where losses are repaired") {
  const double s = 0.1, p = 0.3;
  for (const CompressorOptions& Q : {CompressorOptions(RandKOptions{.k = 2}), CompressorOptions(NaturalOptions{})}) {
    const Bench bench = unequal_clients(40);
    const MarinaOptions options{.compressor = Q, .step = s, .p = p};
    const Result result = simulate(bench, options);
    const Result in_losses = simulate(with_repaired_losses(bench), options);
    CHECK(in_losses.ledger.total().messages_lost > 0);
    CHECK(result.parts == in_losses.parts);  // bit for bit
    Vector x = Vector::Zero(4), last = x, g = x;
    Index full = 0;
    for (std::size_t t = 1; t <= 40; ++t) {
      Vector mean = Vector::Zero(4);
      for (AgentId k = 1; k <= 3; ++k) {
        const Vector g_k = gradient_with_square(bench, k, x);
        mean += share_of(bench, k) *
                (is_full(t, p) ? g_k : compressed(Q, g_k - gradient_with_square(bench, k, last), k, t));
      }
      full += is_full(t, p) ? 1 : 0;
      g = is_full(t, p) ? mean : Vector(g + mean);
      last = x;
      x -= s * g;
      CHECK((result.w[t] - x).norm() < 10 * rounding_of(t));
      CHECK((result.parts[t][1] - g).norm() < 10 * rounding_of(t));
    }
    CHECK(full > 5);
    CHECK(full < 30);
    const auto compressor = make_compressor(Q, 4);
    for (AgentId k = 1; k <= 3; ++k) {
      CHECK(result.ledger.agent(k).flops == 40 * gradient_flops(bench, k) + (40 - full) * (4 + compressor->flops()));
      CHECK(result.ledger.agent(k).bytes_sent == full * 32 + (40 - full) * bytes_of(Q, 4));
    }
    const Index nz = compressor->kept();
    CHECK(result.ledger.agent(0).flops == full * (2 * 3 * 4 + 2 * 4) + (40 - full) * (2 * 3 * nz + 3 * 4));
    CHECK(result.ledger.agent(0).bytes_sent == 40 * 3 * 32);
  }
}

TEST_CASE("with its theoretical step MARINA reaches the optimum, however the clients differ") {
  for (const CompressorOptions& Q :
       {CompressorOptions(two_levels), CompressorOptions(RandKOptions{.k = 1}), CompressorOptions(NaturalOptions{})}) {
    const Bench bench = unequal_clients(1500);
    CHECK(distance(simulate(bench, MarinaOptions{.compressor = Q}).w.back(), bench) < 1e-6);
  }
}

TEST_CASE("MARINA's step and probability of theory follow from omega and from the clients' curvatures") {
  const Bench bench = two_curvatures(1, 0.5);  // curvatures 1 and 2.5, and the square's
  const double L = std::sqrt(1.5 * 1.5 / 3 + 3 * 3 * 2.0 / 3);
  const Marina exact({}, bench.assignment());
  CHECK(constant_of(exact, "p") == 1);
  CHECK(constant_of(exact, "step") == Approx(1 / L));
  const Marina natural({.compressor = NaturalOptions{}}, bench.assignment());
  CHECK(constant_of(natural, "p") == Approx(8.0 / 9));
  CHECK(constant_of(natural, "step") == Approx(1 / (L * (1 + std::sqrt(0.125 * 0.125 / 2)))));
  const Marina given({.compressor = NaturalOptions{}, .p = 0.5, .L = 4}, bench.assignment());
  CHECK(constant_of(given, "step") == Approx(1 / (4 * (1 + std::sqrt(0.5 * 0.125 / (0.5 * 2))))));
  CHECK(Marina({.compressor = RoundingOptions{}}, bench.assignment()).warnings().size() == 1);
}

TEST_CASE("MARINA refuses compressors that are biased, and an l1 norm") {
  const auto construct = [](const CompressorOptions& Q, double l1) {
    const Marina method({.compressor = Q, .step = 0.1}, unequal_clients(1, l1).assignment());
  };
  CHECK_NOTHROW(construct(NaturalOptions{}, 0));
  CHECK_THROWS_WITH(construct(TopKOptions{.k = 1}, 0), Catch::Contains("an unbiased one") && Catch::Contains("marina"));
  CHECK_THROWS_WITH(construct(NaturalOptions{}, 0.1), Catch::Contains("l2 or none"));
}

}  // namespace lagnet::marina_test
