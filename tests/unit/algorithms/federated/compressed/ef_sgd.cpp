#include "algorithms/federated/compressed/ef_sgd.hpp"

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/federated/compressed/compressed_bench.hpp"

namespace lagnet::ef_sgd_test {

using namespace lagnet::test;

namespace {

Vector mean_gradient(const Bench& bench, const Vector& w) {
  Vector g = Vector::Zero(w.size());
  for (AgentId k = 1; k <= 3; ++k) g += share_of(bench, k) * gradient_with_square(bench, k, w);
  return g;
}

}  // namespace

TEST_CASE("with the identity EF-SGD is gradient descent, compressed both ways or one") {
  for (const bool down : {false, true}) {
    const Bench bench = unequal_clients(60);
    const auto w = simulate(bench, EfSgdOptions{.step = 0.2, .compress_down = down}).w;
    Vector x = Vector::Zero(4);
    for (std::size_t t = 1; t <= 60; ++t) {
      x -= 0.2 * mean_gradient(bench, x);
      CHECK((w[t] - x).norm() < rounding_of(t));
    }
  }
}

TEST_CASE("EF-SGD is a plain loop, in which no part of a gradient is lost, also where losses are repaired") {
  const double s = 0.1;
  for (const bool down : {false, true})
    for (const CompressorOptions& Q : {CompressorOptions(TopKOptions{.k = 1}), CompressorOptions(ScaledSignOptions{}),
                                       CompressorOptions(shrunk_levels)}) {
      const Bench bench = unequal_clients(40);
      const EfSgdOptions options{.compressor = Q, .step = s, .compress_down = down};
      const auto w = simulate(bench, options).w;
      const Result in_losses = simulate(with_repaired_losses(bench), options);
      CHECK(in_losses.ledger.total().messages_lost > 0);
      CHECK(w == in_losses.w);  // bit for bit
      std::vector<Vector> e(4, Vector::Zero(4));
      Vector x = Vector::Zero(4), gone = x;  // gone: by steps of uncompressed gradients at these x
      for (std::size_t t = 1; t <= 40; ++t) {
        Vector p = down ? e[0] : Vector(Vector::Zero(4)), left = Vector::Zero(4);
        gone += s * mean_gradient(bench, x);
        for (AgentId k = 1; k <= 3; ++k) {
          const Vector p_k = s * gradient_with_square(bench, k, x) + e[k], c_k = compressed(Q, p_k, k, t);
          e[k] = p_k - c_k;
          p += share_of(bench, k) * c_k;
          left += share_of(bench, k) * e[k];
        }
        const Vector q = down ? compressed(Q, p, 0, t) : p;
        e[0] = p - q;
        x -= q;
        CHECK((w[t] - x).norm() < 10 * rounding_of(t));
        CHECK((w[t] + gone - left - e[0]).norm() < 10 * rounding_of(t));
      }
    }
}

TEST_CASE("EF-SGD stays in a neighborhood of the optimum that shrinks with its step") {
  const auto stays_within = [](double step) {
    const Bench bench = unequal_clients(4000);
    const auto w = simulate(bench, EfSgdOptions{.compressor = TopKOptions{.k = 1}, .step = step}).w;
    double mean = 0;
    for (std::size_t t = 3001; t <= 4000; ++t) mean += distance(w[t], bench) / 1000;
    return mean;
  };
  const double wide = stays_within(0.1), narrow = stays_within(0.01);
  CHECK(wide > 1e-3);
  CHECK(narrow < wide / 4);  // in proportion it would be a tenth
  CHECK(narrow > wide / 25);
}

TEST_CASE("EF-SGD's default step is half of that of gradient descent") {
  const Bench bench = two_curvatures(1, 0.5);
  CHECK(constant_of(EfSgd({}, bench.assignment()), "step") == Approx(1.0 / 6));
  CHECK(constant_of(EfSgd({.L = 2}, bench.assignment()), "step") == 0.25);
  CHECK(constant_of(EfSgd({.step = 0.3}, bench.assignment()), "step") == 0.3);
}

TEST_CASE("a round of EF-SGD costs gradients and compressions, and encodings one way or both") {
  const Index d = 4, rounds = 7, m = 3;
  for (const bool down : {false, true})
    for (const CompressorOptions& Q :
         {CompressorOptions(), CompressorOptions(TopKOptions{.k = 2}), CompressorOptions(ScaledSignOptions{})}) {
      const Bench bench = unequal_clients(rounds);
      const Result result = simulate(bench, EfSgdOptions{.compressor = Q, .step = 0.1, .compress_down = down});
      const auto compressor = make_compressor(Q, d);
      const Index nz = compressor->kept(), c_Q = compressor->flops();
      for (AgentId k = 1; k <= 3; ++k) {
        const Index n_k = bench.sizes[k - 1], gradient = 4 * n_k * d + n_k + d + 2 * d;
        CHECK(result.ledger.agent(k).flops == rounds * (gradient + 3 * d + c_Q + (down ? nz : 0)));
        CHECK(result.ledger.agent(k).bytes_sent == rounds * bytes_of(Q, d));
      }
      CHECK(result.ledger.agent(0).flops == rounds * (2 * m * nz + (down ? nz + 2 * d + c_Q : d)));
      CHECK(result.ledger.agent(0).bytes_sent == rounds * m * (down ? bytes_of(Q, d) : d * 8));
    }
}

TEST_CASE("EF-SGD refuses unsupported problems") {
  Bench bench = unequal_clients(1);
  const auto construct = [&](const CompressorOptions& Q) {
    const EfSgd method({.compressor = Q, .step = 0.1}, bench.assignment());
  };
  CHECK_THROWS_WITH(construct(RandKOptions{.k = 1}), Catch::Contains("add \"scaled\": false"));
  CHECK_THROWS_WITH(construct(two_levels), Catch::Contains("add \"contractive\": true"));
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.1});
  CHECK_THROWS_WITH(construct({}), Catch::Contains("a problem with l2 or none"));
}

}  // namespace lagnet::ef_sgd_test
