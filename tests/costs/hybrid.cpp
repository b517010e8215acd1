#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "algorithms/local/local_fits.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

/// What servers and clients of hybrid methods bill for their vectors, held against the operations that their bodies do,
/// as peers.cpp does for methods of peers. HyFDCA has its lines in loops over lists, which do not count: those of its
/// source are written out here.
namespace lagnet::hybrid_costs_counted_test {

using namespace lagnet::test;
namespace bench = hyfdca_bench;

namespace {

// K x Q blocks of n samples x m features.
constexpr Index N = 12, M = 6, K = 3, Q = 2, n = N / K, m = M / Q, clients = K * Q, rounds = 5, H = 2;

/// Hinge loss with labels -1 and 1.
MethodInput blocks() {
  Problem problem = bench::problem_with(make_loss(HingeOptions{}), N, M);
  Matrix X = problem.X->dense();
  X.row(3).setOnes();  // a row of zeros has a step of its own
  problem.X = std::make_shared<const DataMatrix>(X);
  return divided(problem, K, Q, rounds);
}

struct Total {
  Flops billed, counted;
};

template <class Options>
Total flops_of(const Options& options) {
  counting::flops = 0;
  const bench::Run result = bench::run(options, blocks());
  CHECK(counting::flops > 0);
  return {result.ledger.total().flops, counting::flops};
}

}  // namespace

TEST_CASE("the flops that primal methods bill for their vectors are those of the sheet's lines") {
  constexpr Index steps = rounds * clients * H;
  constexpr Flops products_and_numbers = steps * (4 * m + 5);
  // w -= lr lambda w takes 2 m, in the body, which scales w, m.
  const auto [billed, counted] = flops_of(in_turn<HybridFedAvgOptions>(H));
  CHECK(billed - products_and_numbers == counted + steps * m);
  // w -= lr lambda w + lr mu (w - w0) takes 5 m, in the body, which multiplies with lr last, 6 m.
  auto hyfem = in_turn<HyfemOptions>(H);
  hyfem.mu = 0.1;
  const auto [hyfem_billed, hyfem_counted] = flops_of(hyfem);
  CHECK(hyfem_billed - products_and_numbers == hyfem_counted - steps * m);
}

TEST_CASE("the flops that block splitting bills for its vectors are those that its bodies do") {
  const auto [billed, counted] = flops_of(BlockSplittingAdmmOptions{.penalty = 0.1});
  const MethodInput given = blocks();
  const DataMatrix A = given.cells->of(1).matrix();
  const Flops factor = RidgeSystem::factor_work(A).flops, project = RidgeSystem::solve_work(A).flops + 4 * n * m;
  const Flops proxes = N + given.problem.regularizer->prox_flops(M);  // of the losses, and of r
  const Flops not_in_round_1 = clients * 2 * m;                       // x~_k += x_k^half - x
  const Flops shared = rounds * clients * n;                          // delta + y~, which is the same for all holders
  CHECK(billed - clients * (factor + rounds * project) - (rounds + 1) * proxes == counted + not_in_round_1 + shared);
}

TEST_CASE("the flops that D3CA bills for its vectors are those that its bodies do, and its steps those of its lines") {
  D3caOptions options;
  options.local_steps = H;
  const auto [billed, counted] = flops_of(options);
  StateVector a = Vector::Ones(1), y = a, score = a, norm = a, p, q, next, d, factor;  // of a sample
  const double scale = 2, Q_ = 2, lambda_N = 3;
  const Flops before = counting::flops;
  q = scale * norm;
  p = Q_ * score;
  const auto free = y.cwiseProduct(a) + (Vector::Ones(1) - y.cwiseProduct(p)).cwiseQuotient(q);
  next = y.cwiseProduct(free.cwiseMax(0).cwiseMin(1));
  d = next - a;  // (1), hinge
  factor = d / lambda_N;
  const Flops step = counting::flops - before;
  CHECK(step == 10);
  const Flops products = rounds * clients * (H * 4 * m + 2 * n * m);
  CHECK(billed - products == counted + rounds * clients * H * step);
}

TEST_CASE("the flops that FedBCD bills for its vectors are those that its bodies do") {
  constexpr Index b = 4, local_steps = 3;
  MethodInput given{.problem = blocks().problem, .feature_starts = {0, 0, 1, 4, 6}, .rounds = rounds};
  given.problem.loss = make_loss(SquaredOptions{});
  given.network.agents = 4;
  const auto method = make_algorithm(FedBcdOptions{.local_steps = local_steps, .batch = b, .step = 0.1}, given);
  Simulation world(Network(4, star({1, 1, 1})), ComputeModel(std::vector<double>(4, 1e9)), {});
  Ledger ledger(4, world.network().links());
  world.listen(ledger);
  method->spawn(world);
  counting::flops = 0;
  world.run();
  CHECK(counting::flops > 0);
  const Flops products = rounds * local_steps * 4 * b * M, derivatives = rounds * 3 * local_steps * b;
  CHECK(ledger.total().flops - products - derivatives == counting::flops);
}

TEST_CASE("the flops that HyFDCA bills are those of its source's lines") {
  const bench::Run result = bench::run(bench::cyclic(H), blocks());
  const Problem problem = blocks().problem;
  const Matrix X = problem.X->dense();
  const double scale = 1 / (bench::lambda * N);
  const Vector norms = X.rowwise().squaredNorm();                      // |x_i|^2                       (N)
  StateVector w0 = StateVector::zeros(M), a0 = StateVector::zeros(N);  // primal, dual                  (M, N)
  StateVector a, p, y, q, change;                                      // of the samples of one client  (H)
  counting::flops = 0;
  for (Index t = 0; t < rounds; ++t) {
    const Vector old = a0, products = X * w0;  // p_i                                                 C
    for (Index k = 0; k < clients; ++k) {
      std::vector<Index> chosen;
      for (Index i = 0; i < H; ++i) chosen.push_back(k / Q * n + (t * H + i) % n);
      a = Vector(old(chosen));
      p = Vector(products(chosen));
      y = Vector(problem.y(chosen));
      q = Vector(norms(chosen)) * scale;
      const auto free = y.cwiseProduct(a) + (Vector::Ones(H) - y.cwiseProduct(p)).cwiseQuotient(q);
      change = y.cwiseProduct(free.cwiseMax(0).cwiseMin(1)) - a;  // Algorithm 5, hinge                D
      change *= 1.0 / Q;
      a0(chosen) += change;
    }
    w0.setZero();
    for (Index k = 0; k < clients; ++k) {
      std::vector<Index> features;
      for (Index j = 0; j < m; ++j) features.push_back(k % Q * m + j);
      const Vector hat = X.block(k / Q * n, k % Q * m, n, m).transpose() * a0.segment(k / Q * n, n);
      w0(features) += hat;  // E
    }
    w0 *= scale;
  }
  const Flops products = rounds * clients * (2 * n * m + 2 * n * m);  // C, E
  CHECK(counting::flops > 0);
  CHECK(result.ledger.total().flops - products == counting::flops);
  CHECK((result.parts.back()[0] - w0).norm() < 1e-13);  // sums of a dozen numbers of about 1, in another order
}

}  // namespace lagnet::hybrid_costs_counted_test
