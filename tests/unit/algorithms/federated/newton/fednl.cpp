#include "algorithms/federated/newton/fednl.hpp"

#include <cmath>

#include "sim/numerics/decompositions.hpp"
#include "tests/unit/algorithms/federated/newton/newton_bench.hpp"

namespace lagnet::fednl_test {

using namespace lagnet::test;

namespace {

std::vector<MatrixCompressorOptions> kinds() {
  return {IdentityOptions{}, TopKOptions{.k = 3}, RankROptions{.r = 1}, RankROptions{.r = 2}};
}

Matrix compressed(const MatrixCompressorOptions& options, const Matrix& D) {
  CompressionDraws draws(1, 1, 1);
  Vector numbers = packed(D);
  make_compressor(options, D.rows())->compress(numbers, draws);
  const Matrix lower = unpacked(numbers, D.rows());
  return lower.selfadjointView<Eigen::Lower>();
}

Matrix raised(const Matrix& H, double mu) {
  const SymmetricEigen eigen = symmetric_eigen(H);
  return eigen.vectors * eigen.values.cwiseMax(mu).asDiagonal() * eigen.vectors.transpose();
}

/// x of all rounds by the equations, with whole matrices.
std::vector<Vector> by_equations(const Bench& bench, const FedNlOptions& options) {
  const WrittenDown w{bench};
  Vector x = Vector::Zero(4);
  std::vector<Matrix> H;
  for (AgentId k = 1; k <= 3; ++k)
    H.push_back(options.hessian_start == HessianStart::exact ? w.hessian(k, x) : Matrix(Matrix::Zero(4, 4)));
  std::vector<Vector> all{x};
  for (Round t = 1; t <= bench.rounds; ++t) {
    const Vector g = w.mean_gradient(x);
    Matrix mean = Matrix::Zero(4, 4);
    double l = 0;
    for (AgentId k = 1; k <= 3; ++k) {
      const Matrix D = w.hessian(k, x) - H[k - 1];
      mean += share_of(bench, k) * H[k - 1];
      l += share_of(bench, k) * D.norm();
      H[k - 1] += options.alpha * compressed(options.compressor, D);  // (1)
    }
    const Matrix inverted =
        options.option == 1 ? raised(mean, options.mu.value_or(w.b())) : Matrix(mean + l * Matrix::Identity(4, 4));
    const Vector p = inverted.llt().solve(g);
    x -= (options.line_search ? w.searched(x, p, 0.5, 10, 0.5) : 1) * p;  // (2), (3)
    all.push_back(x);
  }
  return all;
}

}  // namespace

TEST_CASE("FedNL is a plain loop with whole matrices") {
  for (const bool logistic : {false, true})
    for (const MatrixCompressorOptions& Q : kinds())
      for (const auto start : {HessianStart::exact, HessianStart::zero})
        for (const int form : {1, 2, 3}) {
          CAPTURE(logistic, std::string(Q.kind()), start == HessianStart::exact, form);
          const Bench bench = newton_bench(9, logistic);
          const FedNlOptions options{.option = form == 2 ? 2 : 1,
                                     .alpha = form == 1 ? 1 : 0.8,
                                     .hessian_start = start,
                                     .compressor = Q,
                                     .line_search = form == 3};
          const auto expected = by_equations(bench, options);
          const Result result = simulate(bench, options);
          // Roundings of Hessians with condition numbers of about 40, which early rounds at 1/mu enlarge.
          for (std::size_t t = 0; t <= 9; ++t)
            CHECK((result.w[t] - expected[t]).norm() < 1e-11 * (1 + expected[t].norm()));
        }
}

TEST_CASE("FedNL with exact Hessians solves least squares in one step whatever the compressor") {
  for (const MatrixCompressorOptions& Q : kinds()) {
    const Bench bench = newton_bench(1);
    CHECK(distance(simulate(bench, FedNlOptions{.compressor = Q}).w[1], bench) < 1e-12);
    CHECK(distance(simulate(bench, FedNlOptions{.option = 2, .compressor = Q}).w[1], bench) < 1e-12);
  }
}

TEST_CASE("FedNL converges superlinearly, from zero estimates with a line search, too") {
  const Bench bench = newton_bench(14, true);
  for (const MatrixCompressorOptions& Q : kinds()) {
    const auto w = simulate(bench, FedNlOptions{.compressor = Q}).w;
    CHECK(distance(w[12], bench) < 1e-10);  // what the central optimum is known to
    CHECK(distance(w[6], bench) < 0.1 * distance(w[4], bench));
    const auto from_zero =
        simulate(newton_bench(60, true),
                 FedNlOptions{.hessian_start = HessianStart::zero, .compressor = Q, .line_search = true})
            .w;
    CHECK(distance(from_zero[60], bench) < 1e-10);
  }
}

TEST_CASE("FedNL reports the share of the direction that its line search takes") {
  const Bench bench = newton_bench(20, true, 0.001);
  const FedNl method({.hessian_start = HessianStart::zero, .line_search = true}, bench.assignment());
  const Result result = simulate(bench, method);
  CHECK(method.metric_names() == std::vector<std::string>{"line_search_step"});
  CHECK(result.parts[1][1][0] < 1);  // g / mu is too long
  for (std::size_t t = 1; t <= 20; ++t) {
    const double a = result.parts[t][1][0];
    CHECK(a == std::ldexp(1.0, static_cast<int>(std::lround(std::log2(a)))));
    CHECK(a >= std::ldexp(1.0, -9));
  }
  const std::vector<std::vector<Vector>> of_all{result.parts[3]};
  CHECK(method.evaluate(3, of_all, {}).metrics.at(0) == result.parts[3][1][0]);
  CHECK(FedNl({}, bench.assignment()).metric_names().empty());
}

TEST_CASE("losses that are repaired do not change what FedNL does") {
  const Bench bench = newton_bench(12, true);
  const FedNlOptions options{.compressor = RankROptions{}, .line_search = true};
  const Result in_losses = simulate(with_repaired_losses(bench), options);
  CHECK(in_losses.ledger.total().messages_lost > 0);
  CHECK(simulate(bench, options).w == in_losses.w);  // bit for bit
}

TEST_CASE("a round of FedNL costs Hessians, compressions and a solution with and without numbers") {
  const Index d = 4, q = 10, rounds = 5, m = 3;
  for (const bool logistic : {false, true})
    for (const MatrixCompressorOptions& Q : kinds())
      for (const auto start : {HessianStart::exact, HessianStart::zero})
        for (const int form : {1, 2, 3}) {
          const Bench bench = newton_bench(rounds, logistic);
          const FedNl method(
              {.option = form == 2 ? 2 : 1, .hessian_start = start, .compressor = Q, .line_search = form == 3},
              bench.assignment());
          const Result result = simulate(bench, method);
          const auto compressor = make_compressor(Q, d);
          const Bytes first = start == HessianStart::exact ? 8 * q : 0, up = 8 * d + (compressor->bits(64) + 7) / 8;
          for (AgentId k = 1; k <= 3; ++k) {
            const Index n = bench.sizes[k - 1], gradient = 4 * n * d + n + d + 2 * d;
            const Flops hessian = n * d * (d + 1) + (logistic ? n * d + 4 * n : 0) + d;
            const Flops more = form == 2 ? 2 * d * d : form == 3 ? 2 * n * d + 44 * n : 0;
            CHECK(result.ledger.agent(k).flops ==
                  rounds * (gradient + hessian + q + compressor->flops() + 2 * q + more));
            CHECK(result.ledger.agent(k).bytes_sent == rounds * (up + (form == 2 ? 8 : form == 3 ? 88 : 0)) + first);
          }
          const Flops solution = form == 2 ? d * d * d / 3 + 2 * d * d + d : 9 * d * d * d + 4 * d * d;
          CHECK(result.ledger.agent(0).flops ==
                rounds * (2 * m * d + 2 * m * q + 2 * q + 2 * d + solution) + (first > 0 ? 2 * m * q : 0));
          CHECK(result.ledger.agent(0).bytes_sent == rounds * m * d * 8 * (form == 3 ? 2 : 1));
          check_timing(bench, method, result);
        }
}

TEST_CASE("FedNL refuses what has no second derivatives, no curvature and no compressor") {
  const auto construct = [](const Bench& bench, const FedNlOptions& options) {
    const FedNl method(options, bench.assignment());
  };
  Bench bench = newton_bench(1);
  CHECK_THROWS_WITH(construct(bench, {.compressor = RankROptions{.r = 5}}), Catch::Contains("at most 4"));
  CHECK_THROWS_WITH(construct(with_three_classes(bench), {}),
                    "kind: expected a loss of one score with second derivatives (squared, logistic) for fednl, found "
                    "softmax");
  CHECK_THROWS_WITH(construct(newton_bench(1, false, 0), {}),
                    "mu: expected above 0, since no l2 regularizer gives it a value, found null");
  CHECK_THROWS_WITH(construct(newton_bench(1, false, 0), {.mu = 0}),
                    "mu: expected above 0, or an l2 regularizer, found 0");
  CHECK_NOTHROW(construct(newton_bench(1, false, 0), {.mu = 0.1}));
  CHECK_NOTHROW(construct(newton_bench(1, false, 0), {.option = 2}));
  bench.problem.loss = make_loss(HuberOptions{});
  CHECK_THROWS_WITH(construct(bench, {}), Catch::Contains("second derivatives (squared, logistic) for fednl"));
  bench = newton_bench(1);
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.1});
  CHECK_THROWS_WITH(construct(bench, {}), Catch::Contains("a problem with l2 or none"));
}

}  // namespace lagnet::fednl_test
