#include "algorithms/federated/compressed/locodl.hpp"

#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::locodl_test {

using namespace lagnet::test;

namespace {

Index steps_of(std::size_t t, double p) {
  Draws coin(1, Purpose{"proxskip"}, 0, static_cast<Round>(t));
  Index T = 1;
  while (coin.uniform() >= p) ++T;
  return T;
}

}  // namespace

TEST_CASE("LoCoDL is a plain loop, and its shifts add up to nothing, also where losses are repaired") {
  const double s = 0.1, p = 0.4, chi = 0.6, rho = 0.8, share = 0.3, b = 0.2;
  const Index d = 4;
  for (const CompressorOptions& Q :
       {CompressorOptions(), CompressorOptions(NaturalOptions{}), CompressorOptions(RandKOptions{.k = 2})}) {
    const Bench bench = unequal_clients(30, 0, b);
    const LocodlOptions options{.compressor = Q, .step = s, .p = p, .chi = chi, .rho = rho, .share = share};
    const Result result = simulate(bench, options);
    CHECK(result.parts == simulate(with_repaired_losses(bench), options).parts);  // bit for bit
    std::vector<Vector> x(3, Vector::Zero(d)), u = x, q = x;
    Vector y = Vector::Zero(d), v = y;
    Index all_steps = 0;
    for (std::size_t t = 1; t <= 30; ++t) {
      const Index T = steps_of(t, p);
      all_steps += T;
      Vector D = Vector::Zero(d), sum = D;
      for (Index j = 0; j < T; ++j) y -= s * (share * b * y - v);
      for (AgentId k = 1; k <= 3; ++k) {
        Vector& x_k = x[k - 1];
        for (Index j = 0; j < T; ++j) x_k -= s * (gradient_of(bench, k, x_k) + (1 - share) * b * x_k - u[k - 1]);
        q[k - 1] = compressed(Q, x_k - y, k, t);
        D += 0.5 * share_of(bench, k) * q[k - 1];
      }
      for (AgentId k = 1; k <= 3; ++k) {
        x[k - 1] = (1 - rho) * x[k - 1] + rho * (y + D);
        u[k - 1] += p * chi / s * (D - q[k - 1]);
        sum += share_of(bench, k) * u[k - 1];
      }
      y += rho * D;
      v += p * chi / s * D;
      CHECK((result.w[t] - y).norm() < 50 * rounding_of(t));
      CHECK((result.parts[t][1] + sum).norm() < 100 * rounding_of(t));
    }
    const auto compressor = make_compressor(Q, d);
    for (AgentId k = 1; k <= 3; ++k) {
      CHECK(result.ledger.agent(k).flops ==
            all_steps * (gradient_flops(bench, k) + 7 * d) + 30 * (d + compressor->flops()) + 29 * 11 * d);
      CHECK(result.ledger.agent(k).bytes_sent == 30 * bytes_of(Q, d));
    }
    CHECK(result.ledger.agent(0).flops == 4 * d * all_steps + 30 * (2 * 3 * compressor->kept() + 4 * d));
    CHECK(result.ledger.agent(0).bytes_sent == 30 * 3 * d * 8);
  }
}

TEST_CASE("LoCoDL reaches the optimum with the parameters of theory") {
  for (const CompressorOptions& Q : {CompressorOptions(), CompressorOptions(NaturalOptions{}),
                                     CompressorOptions(RandKOptions{.k = 2}), CompressorOptions(two_levels)}) {
    const Bench bench = unequal_clients(1500, 0, 0.2);
    CHECK(distance(simulate(bench, LocodlOptions{.compressor = Q}).w.back(), bench) < 1e-6);
  }
}

TEST_CASE("LoCoDL's constants follow from omega and from the curvature of every part") {
  const Bench bench = two_curvatures(1, 0.5);  // curvatures 1 and 2.5, and the square's
  const Locodl method({.compressor = NaturalOptions{}, .share = 0.3}, bench.assignment());
  CHECK(constant_of(method, "step") == Approx(1.0 / 3));
  CHECK(constant_of(method, "p") == Approx(std::sqrt(0.5)));
  CHECK(constant_of(method, "chi") == Approx(8.0 / 9));
  CHECK(constant_of(method, "rho") == Approx(8.0 / 9));
  CHECK(constant_of(method, "lambda") == Approx(0.15));
}

TEST_CASE("LoCoDL refuses problems without a square, and compressors that are biased") {
  const auto construct = [](const CompressorOptions& Q, double l2) {
    const Locodl method({.compressor = Q, .step = 0.1, .p = 0.5}, unequal_clients(1, 0, l2).assignment());
  };
  CHECK_NOTHROW(construct(NaturalOptions{}, 0.1));
  CHECK_THROWS_WITH(construct(NaturalOptions{}, 0),
                    Catch::Contains("/problem/regularizer: expected l2 with a weight above 0 for locodl"));
  CHECK_THROWS_WITH(construct(TopKOptions{.k = 1}, 0.1), Catch::Contains("an unbiased one"));
}

}  // namespace lagnet::locodl_test
