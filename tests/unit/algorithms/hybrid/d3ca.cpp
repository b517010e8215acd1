#include "algorithms/hybrid/d3ca.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "tests/unit/algorithms/hybrid/hybrid_bench.hpp"
#include "tests/unit/algorithms/hybrid/hyfdca_bench.hpp"

namespace lagnet::d3ca_test {

using namespace lagnet::test;
using hyfdca_bench::problem_with;
using hyfdca_bench::run;

namespace {

constexpr Index N = 12, M = 6;

D3caOptions steps_of(std::int64_t H, SamplePicker picker = SamplePicker::cyclic) {
  D3caOptions options;
  options.local_steps = H;
  options.picker = picker;
  return options;
}

/// The dual step of the hinge loss in closed form; of other losses the product's.
double stepped(const Loss& l, double a, double p, double y, double q) {
  if (q == 0) return -l.derivative(0, y);
  if (l.kind() != "hinge") return l.dual_step(a, p, y, q);
  return y * std::clamp(y * a + (1 - y * p) / q, 0.0, 1.0);
}

struct Iterate {
  Vector w, a;
};

/// (1) to (4) on whole matrices, for K x Q even blocks.
std::vector<Iterate> by_plain_loops(const Problem& problem, Index P, Index Q, Round rounds,
                                    const D3caOptions& options) {
  const Matrix X = problem.X->dense();
  const Index n = N / P, m = M / Q, H = *options.local_steps;
  const double lambda_N = hyfdca_bench::lambda * N;
  std::vector<Iterate> all{{Vector::Zero(M), Vector::Zero(N)}};
  for (Round t = 1; t <= rounds; ++t) {
    const auto& [w_old, a_old] = all.back();
    Vector change = Vector::Zero(N);
    for (Index g = 0; g < P; ++g)
      for (Index h = 0; h < Q; ++h) {
        const Matrix x = X.block(g * n, h * m, n, m);
        const Vector y = problem.y.segment(g * n, n);
        const auto k = static_cast<AgentId>(g * Q + h + 1);
        Vector a = a_old.segment(g * n, n), w = w_old.segment(h * m, m);
        for (const Index i : pick_samples(options.picker, n, H, t - 1, Draws(1, Purpose{"hybrid.samples"}, k, t))) {
          const double q = static_cast<double>(Q) * x.row(i).squaredNorm() / lambda_N;
          const double next = stepped(*problem.loss, a[i], static_cast<double>(Q) * x.row(i).dot(w), y[i], q);
          w += (next - a[i]) / lambda_N * x.row(i).transpose();
          a[i] = next;
        }
        change.segment(g * n, n) += a - a_old.segment(g * n, n);
      }
    const Vector a = a_old + change / static_cast<double>(P * Q);
    all.push_back({X.transpose() * a / lambda_N, a});
  }
  return all;
}

/// Relative to the optimum's loss, after many rounds of 3 x 2 clients.
double loss_above(double weight, Round rounds) {
  Problem problem = problem_with(make_loss(HingeOptions{}));
  problem.regularizer = make_regularizer(L2Options{.weight = weight});
  const Optimum best = solve_centrally(problem);
  REQUIRE(best.certified());
  const auto result = run(steps_of(4), divided(problem, 3, 2, rounds));
  return problem.objective(result.parts.back()[0]) / best.value - 1;
}

}  // namespace

TEST_CASE("D3CA averages the changes of coordinate ascent on each cell, and w follows from the duals") {
  for (const auto& loss : hyfdca_bench::four_losses())
    for (const auto& [P, Q] : {std::pair<Index, Index>(1, 1), {3, 1}, {1, 3}, {3, 2}, {2, 3}})
      for (const SamplePicker picker : {SamplePicker::cyclic, SamplePicker::uniform}) {
        const D3caOptions options = steps_of(5, picker);  // more than some clients have
        const auto got = run(options, divided(problem_with(loss), P, Q, 20));
        const auto expected = by_plain_loops(problem_with(loss), P, Q, 20, options);
        REQUIRE(got.parts.size() == 21);
        for (std::size_t t = 0; t <= 20; ++t) {
          CHECK((got.parts[t][0] - expected[t].w).norm() < 1e-12);  // sums of a dozen numbers of about 1, reordered
          CHECK((got.parts[t][1] - expected[t].a).norm() < 1e-12);
        }
        CHECK(expected[20].w.norm() > 0.1);
      }
}

TEST_CASE("with one client D3CA is coordinate ascent, whose gap closes") {
  const auto method = make_algorithm(steps_of(N), divided(problem_with(make_loss(HingeOptions{})), 1, 1, 2000));
  const auto result = run(*method, 2);
  CHECK(method->metric_names() == std::vector<std::string>{"relative_loss", "dual_objective", "duality_gap"});
  double before = -1;
  for (std::size_t t = 0; t < result.parts.size(); t += 100) {
    const std::vector<std::vector<Vector>> report{result.parts[t]};
    const auto metrics = method->evaluate(0, report, {}).metrics;
    CHECK(*metrics.at(1) >= before - 1e-15);  // an exact step never lowers the dual
    before = *metrics.at(1);
    if (t == 2000) CHECK(std::abs(*metrics.at(2)) < 1e-9);
  }
}

TEST_CASE("D3CA reaches the optimum where lambda is so large that all duals are at their ends, and not below") {
  // With lambda = 10 |w| is at most max |x_i| / lambda, so that no margin of a part comes near 1/Q.
  CHECK(std::abs(loss_above(10, 400)) < 1e-10);
  const double small = loss_above(0.01, 4000);
  CHECK(small > 0.01);
  CHECK(small == Approx(loss_above(0.01, 8000)).epsilon(0.2));  // it stays there
}

TEST_CASE("an iteration of D3CA costs its steps, its sums, and twice n_p and m_q numbers each way") {
  const Round rounds = 5;
  for (const auto& [P, Q] : {std::pair<Index, Index>(3, 2), {1, 3}, {6, 1}}) {
    const Index n = N / P, m = M / Q, H = 3;
    const auto result = run(steps_of(H), divided(problem_with(make_loss(HingeOptions{})), P, Q, rounds));
    for (AgentId k = 1; k <= static_cast<AgentId>(P * Q); ++k) {
      CHECK(result.ledger.agent(k).bytes_sent == rounds * 8 * (n + m));
      CHECK(result.ledger.agent(k).bytes_received == rounds * 8 * (n + m));
      CHECK(result.ledger.agent(k).flops == rounds * (4 * H * m + 10 * H + n + 2 * n * m));
    }
    CHECK(result.ledger.agent(0).flops == rounds * (Q * N + 2 * N + P * M + M));
    CHECK(result.ledger.total().messages_sent == rounds * 4 * P * Q);
    CHECK(result.ledger.total().hops == rounds * 4 - 1);  // the last one is under way when the server reports
  }
}

TEST_CASE("D3CA takes a grid in any order, and refuses cells that form none") {
  const Matrix X = Matrix::Ones(4, 4);
  const Vector y = Vector::Ones(4);
  const auto making = [&](const std::vector<Places>& clients) {
    return make_algorithm(steps_of(1), hybrid(X, y, 0.1, clients, 1));
  };
  CHECK_NOTHROW(making({{{0, 2}, {1}}, {{1, 3}, {0, 2, 3}}, {{1, 3}, {1}}, {{0, 2}, {0, 2, 3}}}));
  const char* const no_grid =
      "kind: expected an algorithm for clients whose cells form no grid of groups of samples x groups of features, "
      "found d3ca";
  CHECK_THROWS_WITH(making({{{0, 1, 2, 3}, {0, 1}}, {{0, 1}, {2, 3}}, {{2, 3}, {2, 3}}}), no_grid);
  CHECK_THROWS_WITH(making({{{0, 1}, {0, 1}}, {{0, 1}, {2, 3}}, {{2, 3}, {0, 2}}, {{2, 3}, {1, 3}}}), no_grid);
  CHECK_THROWS_WITH(making({{{0, 1, 2, 3}, {0, 1, 2, 3}}, {{}, {0, 1, 2, 3}}}), no_grid);
}

}  // namespace lagnet::d3ca_test
