#include "algorithms/hybrid/fed_bcd.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/kernels/minibatches.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::fed_bcd_test {

using namespace lagnet::test;

namespace {

const std::vector<Index> widths{1, 3, 2};  // features of each party
const std::vector<Index> first{0, 1, 4};
constexpr Index n = 20, d = 6, K = 3;

MethodInput among_parties(Problem problem, Round rounds) {
  MethodInput given{.problem = std::move(problem), .feature_starts = {0, 0}, .rounds = rounds};
  for (const Index width : widths) given.feature_starts.push_back(given.feature_starts.back() + width);
  given.network.agents = K + 1;
  return given;
}

Problem classes(double l2) {
  Problem problem = random_problem(n, d, 0, l2);
  problem.loss = make_loss(LogisticOptions{});
  problem.y = problem.y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  return problem;
}

struct Parties : Recorder {
  std::vector<std::vector<std::vector<Vector>>> reports;  // by round and agent
  Ledger ledger{0, 0};
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    const auto t = static_cast<std::size_t>(round);
    if (reports.size() <= t) reports.resize(t + 1, std::vector<std::vector<Vector>>(K + 1));
    reports[t][agent].assign(parts.begin(), parts.end());
  }
};

Parties run(const Algorithm& method, std::uint64_t seed = 1) {
  Simulation world(Network(K + 1, star(std::vector<std::int64_t>(K, 1'000'000))),
                   ComputeModel(std::vector<double>(K + 1, 1e9)), {.seed = seed});
  Parties parties;
  parties.ledger = Ledger(K + 1, world.network().links());
  world.listen(parties.ledger);
  world.record(parties);
  method.spawn(world);
  world.run();
  return parties;
}

/// (1) to (3) on whole vectors.
std::vector<Vector> by_plain_loops(const Problem& problem, const FedBcdOptions& options, double lambda, Round rounds,
                                   std::uint64_t seed) {
  const Matrix X = problem.X->dense();
  std::vector<Vector> theta{Vector::Zero(d)};  // by round
  for (Round t = 1; t <= rounds; ++t) {
    const Minibatches batch(n, options.batch, 1, Draws(seed, Purpose{"fed_bcd.batch"}, 0, t));
    const std::vector<Index> S(batch.of_step(0).begin(), batch.of_step(0).end());
    const Matrix X_S = X(S, Eigen::all);
    const Vector y = problem.y(S), H = X_S * theta.back();
    const double eta = options.step / std::pow(static_cast<double>(t), options.decay);
    Vector next = theta.back();
    for (std::size_t k = 0; k < K; ++k) {
      const Matrix X_k = X_S.middleCols(first[k], widths[k]);
      auto own = next.segment(first[k], widths[k]);
      const Vector others = H - X_k * own;
      for (std::int64_t q = 0; q < options.local_steps; ++q) {
        const Vector scores = others + X_k * own;
        Vector slope(y.size());
        for (Index i = 0; i < y.size(); ++i) slope[i] = problem.loss->derivative(scores[i], y[i]);
        own -= eta * Vector(X_k.transpose() * slope / static_cast<double>(y.size()) + lambda * own);
      }
    }
    theta.push_back(next);
  }
  return theta;
}

}  // namespace

TEST_CASE("FedBCD takes Q steps on each block between exchanges, with the others' scores of the exchange") {
  for (const double lambda : {0.0, 0.1})
    for (const Problem& problem : {classes(lambda), random_problem(n, d, 0, lambda)})
      for (const FedBcdOptions& options :
           {FedBcdOptions{.local_steps = 1, .step = 0.1}, FedBcdOptions{.local_steps = 4, .batch = 5, .step = 0.05},
            FedBcdOptions{.local_steps = 3, .batch = 5, .step = 0.1, .decay = 0.5},
            FedBcdOptions{.local_steps = 2, .batch = 2 * n, .step = 0.1, .decay = 1}}) {
        const auto method = make_algorithm(options, among_parties(problem, 40));
        const Parties got = run(*method, 3);
        const std::vector<Vector> theta = by_plain_loops(problem, options, lambda, 40, 3);
        REQUIRE(got.reports.size() == 41);
        for (std::size_t t = 0; t <= 40; ++t) {
          const Evaluation made = method->evaluate(static_cast<Round>(t), got.reports[t], {});
          CHECK((made.iterate - theta[t]).norm() < 1e-12);  // the same sums in another order, 160 contracting steps
          CHECK(made.objective == Approx(problem.objective(theta[t])).epsilon(1e-12));
        }
        CHECK(theta[40].norm() > 0.1);
      }
}

TEST_CASE("one step with all samples is gradient descent on all blocks, and ends at the minimizer") {
  const Problem problem = classes(0.1);
  const auto method = make_algorithm(FedBcdOptions{.step = 0.5}, among_parties(problem, 600));
  const Parties got = run(*method);
  const Matrix X = problem.X->dense();
  Vector theta = Vector::Zero(d);
  for (std::size_t t = 0; t <= 600; ++t) {
    const Vector scores = X * theta;
    const Vector gradient = X.transpose() * problem.loss->derivative(scores, problem.y) / n + 0.1 * theta;
    const Evaluation made = method->evaluate(0, got.reports[t], {});
    CHECK((made.iterate - theta).norm() < 1e-12);
    CHECK(std::abs(made.metrics.at(0).value() - gradient.squaredNorm()) < 1e-12);
    theta -= 0.5 * gradient;
  }
  CHECK(method->metric_names() == std::vector<std::string>{"squared_gradient"});
  const Optimum best = solve_centrally(problem);
  REQUIRE(best.certified());
  CHECK((theta - best.theta).norm() < 1e-5);  // a gap of 1e-10 bounds the distance by its root
}

TEST_CASE("a round of FedBCD costs b numbers each way for each party, and the products, derivatives and steps") {
  const Round rounds = 7;
  for (const double lambda : {0.0, 0.1})
    for (const Index Q : {1, 3}) {
      const Index b = 5;
      const auto method = make_algorithm(FedBcdOptions{.local_steps = Q, .batch = b, .step = 0.1},
                                         among_parties(classes(lambda), rounds));
      const Ledger ledger = run(*method).ledger;
      for (AgentId k = 1; k <= K; ++k) {
        const Index width = widths[k - 1], a_feature = lambda > 0 ? 5 : 3;
        CHECK(ledger.agent(k).bytes_sent == rounds * 8 * b);
        CHECK(ledger.agent(k).bytes_received == rounds * 8 * b);
        // 2 Q products of b x d_k; Q times b derivatives and the step; and b sums and differences before all but one.
        CHECK(ledger.agent(k).flops == rounds * (4 * Q * b * width + Q * b + Q * a_feature * width + 2 * (Q - 1) * b));
      }
      CHECK(ledger.agent(0).flops == rounds * K * b);
      CHECK(ledger.total().messages_sent == rounds * 2 * K);
      CHECK(ledger.total().hops == rounds * 2);
    }
}

TEST_CASE("sparse blocks give the iterates of dense ones, at the cost of their entries") {
  Problem problem = classes(0.1);
  Matrix X = problem.X->dense();
  X = (X.array() > 0.3).select(X, 0);
  const FedBcdOptions options{.local_steps = 2, .step = 0.2};
  problem.X = std::make_shared<const DataMatrix>(X);
  const Parties dense = run(*make_algorithm(options, among_parties(problem, 30)));
  problem.X = std::make_shared<const DataMatrix>(SparseMatrix(X.sparseView()));
  const Parties sparse = run(*make_algorithm(options, among_parties(problem, 30)));
  for (AgentId k = 1; k <= K; ++k) {
    CHECK((dense.reports[30][k][0] - sparse.reports[30][k][0]).norm() < 1e-12);
    const Index width = widths[k - 1], entries = (X.middleCols(first[k - 1], width).array() != 0).count();
    CHECK(dense.ledger.agent(k).flops - sparse.ledger.agent(k).flops == 30 * 8 * (n * width - entries));
  }
}

TEST_CASE("FedBCD refuses losses with kinks, constraints, other starts and rows that are no samples") {
  const FedBcdOptions options{.step = 0.1};
  const auto making = [&](const MethodInput& given) { return make_algorithm(options, given); };
  Problem problem = classes(0.1);
  problem.loss = make_loss(HingeOptions{});
  CHECK_THROWS_WITH(making(among_parties(problem, 1)),
                    Catch::StartsWith("kind: expected an algorithm") && Catch::EndsWith("found fed_bcd"));
  problem = classes(0.1);
  problem.constraint = make_constraint(BoxOptions{.bound = 0.1}, IterateShape::vector(d));
  CHECK_THROWS_WITH(making(among_parties(problem, 1)),
                    "kind: expected an algorithm that keeps to the problem's constraint, found fed_bcd");
  problem = random_problem(n, d);
  problem.samples = 50;
  CHECK_THROWS_WITH(making(among_parties(problem, 1)),
                    "batch: expected data with one row for each sample, which batches are drawn from, found 20 rows "
                    "that stand for 50 samples");
  MethodInput elsewhere = among_parties(classes(0.1), 1);
  elsewhere.start = Vector::Ones(d);
  CHECK_THROWS_WITH(making(elsewhere),
                    "kind: expected an algorithm that may start anywhere: this one starts at 0, found fed_bcd");
  CHECK_THROWS_WITH(make_algorithm(FedBcdOptions{}, among_parties(classes(0.1), 1)),
                    "step: expected a number above 0, found 0");
}

}  // namespace lagnet::fed_bcd_test
